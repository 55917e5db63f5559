import BeaconModel

/// Steps from the boot loader's menu to firmware with Bluetooth on, and back.
extension ModuleProbe {
    mutating func menuShown() -> [ProbeStep] {
        forgetLine()
        mayAdvertise = false
        isBluetoothOn = false
        if let trigger = pendingTrigger {
            settle(trigger, holds: true, "it resets")
            find(
                "boot loader waits after a reset", sent: greetedBy.map { hexadecimal($0) } ?? "", took: .zero, "yes",
                (.bootLoaderWaits, true))
        }
        if pendingTrigger != nil, let byte = greetedBy {
            handshake = handshake ?? byte
            if byte == 0x7C {
                settle(.handshakeWith7C, true)
            } else if isIgnored7C, isPrompt {
                settle(.handshakeWith7C, false)
            }
            mark(
                "handshake 0x7C",
                settles: report.profile[.handshakeWith7C].map { (.handshakeWith7C, $0) })
        }
        pendingTrigger = nil
        greetedBy = nil
        isIgnored7C = false
        begin()
        isLoading = true
        return follow(session.load())
    }

    /// Records in an earlier finding which assumption it has meanwhile settled.
    package mutating func mark(_ question: String, settles: (RS9116Assumption, Bool)?) {
        guard let index = report.findings.firstIndex(where: { $0.question == question }) else { return }
        report.findings[index].settles = settles?.0
        report.findings[index].holds = settles?.1
    }

    package mutating func ready(isFresh: Bool) -> [ProbeStep] {
        if isLoading {
            isLoading = false
            find(
                "Loading Done", sent: "1", took: now - sentAt, "not said",
                isPrompt ? (.loadingAnnounced, false) : nil)
        }
        switch stage {
        case .attaching:
            let how =
                handshake.map { "by the boot loader, handshake 0x\(hexadecimal($0))" }
                ?? (isFresh ? "by the boot loader's menu" : "firmware was running: bypass, or in use before")
            find("how it was found", sent: RS9116Command.firmwareVersion.text, how)
            return perform(.measuring)
        case .booting:
            isBluetoothOn = false
            return next()
        case .recovering: return perform(.measuring)
        default: return next()
        }
    }

    /// Recovers a module that does not answer because it has reset itself or hangs. Waits for firmware that starts by
    /// itself.
    package mutating func recover() -> [ProbeStep] {
        recoveries += 1
        isBluetoothOn = false
        pendingTrigger = nil
        measurements = 0
        guard recoveries <= Self.mostRecoveries else { return leave("the module stopped answering again and again") }
        find("the module stopped answering", sent: "", came: [], "it is looked for again")
        // The experiments start over once. Findings are kept until they are replaced.
        if recoveries == 1 { plan = [.bluetooth(power: nil), .experiments] + plan }
        if report.profile[.bootLoaderWaits] == true { return findAgain() }
        return ask(nil)
    }

    mutating func findAgain() -> [ProbeStep] {
        guard report.profile[.bootLoaderWaits] != false else { return leave("the module stopped answering") }
        stage = .recovering
        isSilent = false
        measurements = 0
        return follow(session.findModule())
    }

    package mutating func bluetooth(_ power: Int?) -> [ProbeStep] {
        begin()
        if report.address == nil || power == nil {
            return [.trying("Bluetooth")] + perform(.address)
        }
        return perform(.mode(power: power))
    }

    package mutating func announced(_ said: Bool) -> [ProbeStep] {
        find(
            "bt_loaded", sent: "at+rsi_opermode=...", took: (bluetoothLoadedAt ?? now) - sentAt,
            said ? "said" : "not said within 10 s", said ? (.bluetoothAnnounced, true) : nil)
        isUnannounced = !said
        isBluetoothOn = true
        return perform(.address)
    }
}

import BeaconModel

/// Experiments with resets, and with the handshake bytes after them.
extension ModuleProbe {
    package mutating func pull(_ trigger: Trigger) -> [ProbeStep] {
        switch trigger {
        case .softReset:
            // A reset that is known to have no effect is replaced by the one that may have one.
            if report.profile[.softReset] == false {
                if report.profile[.controlLinesReset] == true, !isSilent { return pull(.controlLines) }
                return next()
            }
            if isSilent { return next() }
        case .controlLines:
            // The control lines were already tried in place of a soft reset.
            if report.profile[.controlLinesReset] == false { return next() }
            // Firmware that was only loaded looks the same after a reset.
            guard isBluetoothOn else { return next() }
        }
        begin()
        wasBluetoothOn = isBluetoothOn
        pendingTrigger = trigger
        resetAnswer = .none
        replyToReset = []
        isLifeConfirmed = false
        let words = trigger == .softReset ? "reset by command" : "reset by DTR and RTS"
        guard trigger == .controlLines else { return [.trying(words)] + perform(.resetting) }
        return [.trying(words), .pulseControlLines] + ask(.controlLines)
    }

    mutating func resetAnswered(_ answer: RS9116Session.Answer) -> [ProbeStep] {
        if isDoubtful(answer) { return perform(.resetting) }
        refusals = 0
        resetAnswer = answer
        replyToReset = heard
        if case .error = answer { return perform(.life(.softReset)) }
        guard report.profile[.softReset] == true, report.profile[.bootLoaderWaits] == true else {
            return ask(.softReset)
        }
        begin()
        stage = .resting
        return [.wait(.milliseconds(50))]
    }

    /// Queries the firmware until it has had enough time to start.
    package mutating func ask(_ trigger: Trigger?) -> [ProbeStep] {
        let waits = report.profile[.bootLoaderWaits] == true
        stage = .asking(trigger, until: now + (waits ? max(.milliseconds(1500), quiet) : Self.longestStart))
        return [.wait(.seconds(1))]
    }

    /// Handles an answer from firmware. It may be the late answer to the reset.
    mutating func firmwareSpeaks(_ replies: [ModuleReply], _ trigger: Trigger?) -> [ProbeStep] {
        if trigger == .softReset, resetAnswer == .none, case .asking = stage,
            let text = replies.lazy.compactMap(\.okText).first, !exchange.isVersion(text)
        {
            resetAnswer = .ok(text)
            slowest = max(slowest, now - sentAt)
            replyToReset = heard
            return ask(trigger)
        }
        guard let trigger else { return perform(.measuring) }
        return perform(.life(trigger))
    }

    package mutating func elapsed() -> [ProbeStep] {
        switch stage {
        case .draining(let errand): return transmit(errand)
        case .exchanging(let errand): return came(exchange.deadline(), errand)
        case .awaitingBluetooth: return announced(false)
        case .resting:
            isSilent = true
            return next()
        case .asking(let trigger, let until):
            if now < until { return [say(.firmwareVersion), .wait(.seconds(1))] }
            // The last answer may be late.
            if now < until + quiet { return [.wait(until + quiet - now)] }
            guard trigger != nil else { return findAgain() }
            // A bypassed boot loader cannot be addressed.
            guard report.profile[.bootLoaderWaits] != false else { return recover() }
            isSilent = true
            return next()
        case .knocking(let byte, let period, let triesLeft):
            guard triesLeft > 0 else {
                stage = .listening(byte)
                return [.wait(max(.milliseconds(500), slowest * 2 + .milliseconds(500)))]
            }
            stage = .knocking(byte, every: period, triesLeft: triesLeft - 1)
            return [.send([byte]), .wait(period)]
        case .listening(let byte): return notGreeted(by: byte)
        case .verifying(let until):
            if now < until { return [say(.firmwareVersion), .wait(min(.seconds(1), until - now))] }
            return verified(nil)
        case .over, .attaching, .booting, .recovering: return []
        }
    }

    /// Handles the firmware's answer after a reset. If Bluetooth was on before and is now off, the firmware has
    /// restarted.
    mutating func lifeTold(_ trigger: Trigger, _ answer: RS9116Session.Answer) -> [ProbeStep] {
        pendingTrigger = nil
        switch answer {
        case .error(.wrongState) where wasBluetoothOn:
            isBluetoothOn = false
            mayAdvertise = false
            settle(trigger, holds: true, "it resets")
            // Otherwise the module has reset itself meanwhile.
            if report.profile[.bootLoaderWaits] != true {
                find(
                    "boot loader waits after a reset", sent: RS9116Command.firmwareVersion.text,
                    "no, it is bypassed: the firmware is loaded at once", (.bootLoaderWaits, false))
            }
            return next()
        case .ok where wasBluetoothOn:
            // The reset may be late.
            if !isLifeConfirmed {
                isLifeConfirmed = true
                pendingTrigger = trigger
                return drain(before: .life(trigger), .seconds(3))
            }
            if trigger == .softReset, resetAnswer == .none {
                find("reset", sent: RS9116Command.reset.text, "not answered, and the firmware runs on")
            } else {
                settle(trigger, holds: false, "no effect: the firmware runs on")
            }
            if trigger == .softReset, report.profile[.controlLinesReset] == nil {
                return pull(.controlLines)
            }
            return next()
        default:
            find("reset", sent: RS9116Command.firmwareVersion.text, "the firmware answers; was there a reset?")
            return next()
        }
    }

    package mutating func settle(_ trigger: Trigger, holds: Bool, _ conclusion: String) {
        switch trigger {
        case .softReset:
            find(
                "at+rsi_reset", sent: RS9116Command.reset.text + "\r\n", came: replyToReset, took: .zero, conclusion,
                (.softReset, holds))
        case .controlLines:
            find(
                "DTR and RTS", sent: "(both low for 100 ms)", came: [], took: .zero, conclusion,
                (.controlLinesReset, holds))
            // The pulse is repeated once for certainty.
            guard holds, report.profile[.controlLinesReset] == nil, !isPulseRepeated else { return }
            isPulseRepeated = true
            plan =
                [
                    .bluetooth(power: nil), .trigger(.controlLines), .trigger(.softReset),
                    .knock(0x7C, every: .milliseconds(200)),
                ] + plan
        }
    }

    package mutating func knock(_ byte: UInt8, _ period: Duration) -> [ProbeStep] {
        guard isSilent else { return next() }
        if period >= .milliseconds(200) { begin() }
        knockedAt = now
        stage = .knocking(byte, every: period, triesLeft: period < .milliseconds(200) ? 49 : 9)
        return [.trying("handshake 0x\(hexadecimal(byte))"), .send([byte]), .wait(period)]
    }

    package mutating func greeted(by byte: UInt8) -> [ProbeStep] {
        isSilent = false
        let name = "handshake 0x\(hexadecimal(byte))"
        var period: Duration = .milliseconds(200)
        if case .knocking(_, let every, _) = stage { period = every }
        if period < .milliseconds(200) {
            find("time from at+rsi_reset to the handshake", sent: name, took: now - sentAt, "accepted")
        } else {
            find(name, sent: hexadecimal(byte), took: now - knockedAt, "accepted")
        }
        greetedBy = byte
        stage = .booting
        return follow(session.greeted(by: byte))
    }

    mutating func notGreeted(by byte: UInt8) -> [ProbeStep] {
        isLineSpoilt = true
        find("handshake 0x\(hexadecimal(byte))", sent: hexadecimal(byte), "no answer")
        if byte == 0x7C {
            isIgnored7C = true
            // The boot loader must then accept the other byte.
            return knock(0x1C, .milliseconds(200))
        }
        if let handshake, handshake != byte, !(handshake == 0x7C && isIgnored7C) {
            return knock(handshake, .milliseconds(200))
        }
        isIgnored7C = false
        pendingTrigger = nil
        recoveries += 1
        guard recoveries <= Self.mostRecoveries else { return leave("the module stopped answering") }
        return findAgain()
    }

    package func hexadecimal(_ byte: UInt8) -> String { String(byte, radix: 16, uppercase: true) }
}

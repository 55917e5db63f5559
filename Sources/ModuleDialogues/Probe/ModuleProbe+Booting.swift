import BeaconModel

/// Steps from the boot loader's menu to firmware, and back to a module that stopped answering.
extension ModuleProbe {
    mutating func menuShown(_ now: Duration) -> [ProbeStep] {
        line.forget()
        bluetooth.mayAdvertise = false
        bluetooth.isOn = false
        if let pending = reset.pending {
            settle(pending, holds: true, .resets)
            find(
                .bootLoaderWaits,
                .init(sent: handshakes.greetedBy.map { hexadecimal($0) } ?? "", came: line.heard),
                .bootLoaderWaits, settles: .init(.bootLoaderWaits, true))
            if let byte = handshakes.greetedBy { greetingCounts(byte) }
        }
        reset.pending = nil
        handshakes.greetedBy = nil
        handshakes.isIgnored7C = false
        line.begin(at: now)
        if case .session(let purpose, _) = stage { stage = .session(purpose, isLoading: true) }
        return follow(session.load(), now)
    }

    /// Handles the byte that has brought the boot loader's greeting after a reset.
    private mutating func greetingCounts(_ byte: UInt8) {
        handshakes.known = handshakes.known ?? byte
        if byte == 0x7C {
            settle(.init(.handshakeWith7C, true))
        } else if handshakes.isIgnored7C, line.isPrompt {
            settle(.init(.handshakeWith7C, false))
        }
        findings.mark(.handshake(0x7C), settles: profile[.handshakeWith7C].map { .init(.handshakeWith7C, $0) })
    }

    mutating func reached(_ step: ProvisioningStep, _ now: Duration) -> [ProbeStep] {
        switch step {
        case .handshake(let byte):
            if case .session(.attaching, _) = stage { handshakes.known = byte }
            // A second greeting since the same reset may be the answer to another byte.
            if handshakes.greetedBy != byte { handshakes.greetedBy = nil }
        case .firmwareLoaded:
            line.forget()
            endLoading()
            find(
                .loadingDone, line.measurement("1", upTo: now), .said, settles: .init(.loadingAnnounced, true))
        case .bootWarning(let text): find(.bootLoaderWarning, line.measurement("", at: now), .warning(text))
        default: break
        }
        return [.output(.reached(step))]
    }

    private mutating func endLoading() {
        if case .session(let purpose, _) = stage { stage = .session(purpose, isLoading: false) }
    }

    mutating func ready(isFresh: Bool, _ now: Duration) -> [ProbeStep] {
        guard case .session(let purpose, let isLoading) = stage else { return next(now) }
        if isLoading {
            endLoading()
            find(
                .loadingDone, line.measurement("1", upTo: now), .notSaid,
                settles: line.isPrompt ? .init(.loadingAnnounced, false) : nil)
        }
        switch purpose {
        case .attaching:
            find(
                .howFound, line.measurement(RS9116Command.firmwareVersion.text, at: now),
                handshakes.known != nil || isFresh
                    ? .foundByBootLoader(handshake: handshakes.known) : .foundRunning)
            return perform(.measuring, now)
        case .booting:
            bluetooth.isOn = false
            return next(now)
        case .recovering: return perform(.measuring, now)
        }
    }

    /// Recovers a module that does not answer because it has reset itself or hangs. Waits for firmware that starts by
    /// itself.
    mutating func recover(_ now: Duration) -> [ProbeStep] {
        bluetooth.isOn = false
        reset.pending = nil
        identity.measureAnew()
        guard countLoss(repeatsExperiments: true) else { return leave(.stopsAnswering, now) }
        find(.stoppedAnswering, silence(now), .searchedAgain)
        return profile[.bootLoaderWaits] == true ? findAgain(now) : ask(nil, now)
    }

    mutating func findAgain(_ now: Duration) -> [ProbeStep] {
        guard profile[.bootLoaderWaits] != false else { return leave(.stoppedAnswering, now) }
        stage = .session(.recovering, isLoading: false)
        isSilent = false
        identity.measureAnew()
        return follow(session.findModule(), now)
    }
}

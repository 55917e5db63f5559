import BeaconModel

/// Experiments with resets, and with the handshake bytes after them.
extension ModuleProbe {
    mutating func pull(_ wanted: ProbeReset, _ now: Duration) -> [ProbeStep] {
        switch wanted {
        case .command:
            // A reset that is known to have no effect is replaced by the one that may have one.
            if profile[.softReset] == false {
                if profile[.controlLinesReset] == true, !isSilent { return pull(.controlLines, now) }
                return next(now)
            }
            if isSilent { return next(now) }
        case .controlLines:
            // The control lines were already tried in place of a soft reset.
            if profile[.controlLinesReset] == false { return next(now) }
            // Firmware that was only loaded looks the same after a reset.
            guard bluetooth.isOn else { return next(now) }
        }
        line.begin(at: now)
        reset = ProbeResetTrial(pending: wanted, wasBluetoothOn: bluetooth.isOn)
        switch wanted {
        case .command: return [.trying(.reset(wanted))] + perform(.resetting, now)
        case .controlLines: return [.trying(.reset(wanted)), .pulseControlLines] + ask(.controlLines, now)
        }
    }

    mutating func resetAnswered(_ answer: RS9116Session.Answer, _ now: Duration) -> [ProbeStep] {
        if isDoubtful(answer) { return perform(.resetting, now) }
        reset.answer = answer
        reset.reply = line.heard
        if case .error = answer { return perform(.life(.command), now) }
        guard profile[.softReset] == true, profile[.bootLoaderWaits] == true else { return ask(.command, now) }
        line.begin(at: now)
        stage = .resting
        return [.wait(.milliseconds(50))]
    }

    // MARK: Does firmware run?

    /// Queries the firmware until it has had enough time to start.
    mutating func ask(_ reset: ProbeReset?, _ now: Duration) -> [ProbeStep] {
        let waits = profile[.bootLoaderWaits] == true
        stage = .asking(reset, until: now + (waits ? max(.milliseconds(1500), quiet) : Self.longestStart))
        return [.wait(.seconds(1))]
    }

    mutating func askAgain(_ reset: ProbeReset?, _ until: Duration, _ now: Duration) -> [ProbeStep] {
        if now < until { return [.line(line.say(.firmwareVersion, at: now)), .wait(.seconds(1))] }
        // The last answer may be late.
        if now < until + quiet { return [.wait(until + quiet - now)] }
        guard reset != nil else { return findAgain(now) }
        // A bypassed boot loader cannot be addressed.
        guard profile[.bootLoaderWaits] != false else { return recover(now) }
        isSilent = true
        return next(now)
    }

    /// Handles an answer from firmware. It may be the late answer to the reset.
    mutating func firmwareSpeaks(_ replies: [ModuleReply], _ wanted: ProbeReset?, _ now: Duration) -> [ProbeStep] {
        if wanted == .command, case .asking = stage, takesLateAnswer(replies, now) {
            reset.reply = line.heard
            return ask(wanted, now)
        }
        guard let wanted else { return perform(.measuring, now) }
        return perform(.life(wanted), now)
    }

    /// Takes the late answer to a reset.
    ///
    /// - Returns: whether it was one.
    mutating func takesLateAnswer(_ replies: [ModuleReply], _ now: Duration) -> Bool {
        guard reset.answer == .none, let text = replies.lazy.compactMap(\.okText).first,
            !ProbeExchange.isVersion(text, of: identity.version)
        else { return false }
        reset.answer = .ok(text)
        line.answered(at: now)
        return true
    }

    /// Handles the firmware's answer after a reset. If Bluetooth was on before and is now off, the firmware has
    /// restarted.
    mutating func lifeTold(_ wanted: ProbeReset, _ answer: RS9116Session.Answer, _ now: Duration) -> [ProbeStep] {
        reset.pending = nil
        switch answer {
        case .error(.wrongState) where reset.wasBluetoothOn:
            bluetooth.isOn = false
            bluetooth.mayAdvertise = false
            settle(wanted, holds: true, .resets)
            // Otherwise the module has reset itself meanwhile.
            if profile[.bootLoaderWaits] != true {
                find(
                    .bootLoaderWaits, line.measurement(RS9116Command.firmwareVersion.text, at: now),
                    .bootLoaderIsBypassed, settles: .init(.bootLoaderWaits, false))
            }
            return next(now)
        case .ok where reset.wasBluetoothOn:
            // The reset may be late.
            if !reset.isLifeConfirmed {
                reset.isLifeConfirmed = true
                reset.pending = wanted
                return drain(before: .life(wanted), .seconds(3))
            }
            if wanted == .command, reset.answer == .none {
                find(.anyReset, line.measurement(RS9116Command.reset.text, at: now), .resetNotAnswered)
            } else {
                settle(wanted, holds: false, .doesNotReset)
            }
            if wanted == .command, profile[.controlLinesReset] == nil { return pull(.controlLines, now) }
            return next(now)
        default:
            find(.anyReset, line.measurement(RS9116Command.firmwareVersion.text, at: now), .resetUnknown)
            return next(now)
        }
    }

    mutating func settle(_ wanted: ProbeReset, holds: Bool, _ conclusion: ProbeConclusion) {
        switch wanted {
        case .command:
            find(
                .reset(.command), .init(sent: RS9116Command.reset.text + "\r\n", came: reset.reply), conclusion,
                settles: .init(.softReset, holds))
        case .controlLines:
            find(
                .reset(.controlLines), .init(sent: "(both low for 100 ms)"), conclusion,
                settles: .init(.controlLinesReset, holds))
            if holds, profile[.controlLinesReset] == nil { repeatPulse() }
        }
    }

    // MARK: Handshakes

    mutating func sendHandshake(_ byte: UInt8, for aim: ProbeHandshakeSeries.Aim, _ now: Duration) -> [ProbeStep] {
        guard isSilent else { return next(now) }
        // The time is measured from the reset.
        if aim == .acceptance { line.begin(at: now) }
        let series = ProbeHandshakeSeries(byte, for: aim, at: now)
        stage = .handshaking(series)
        return [.trying(.handshake(byte)), .send([byte]), .wait(series.period)]
    }

    mutating func repeatHandshake(_ series: ProbeHandshakeSeries, _ now: Duration) -> [ProbeStep] {
        var series = series
        guard series.triesLeft > 0 else {
            // A byte that is accepted so late gives no time.
            series.aim = .acceptance
            stage = .listening(series)
            return [.wait(max(.milliseconds(500), line.slowest * 2 + .milliseconds(500)))]
        }
        series.triesLeft -= 1
        stage = .handshaking(series)
        return [.send([series.byte]), .wait(series.period)]
    }

    mutating func greeted(by series: ProbeHandshakeSeries, _ now: Duration) -> [ProbeStep] {
        isSilent = false
        let (question, measurement) = series.accepted(line, at: now)
        find(question, measurement, .handshakeAccepted)
        handshakes.greetedBy = series.byte
        stage = .session(.booting, isLoading: false)
        return follow(session.greeted(by: series.byte), now)
    }

    mutating func notGreeted(by byte: UInt8, _ now: Duration) -> [ProbeStep] {
        line.isSpoilt = true
        find(.handshake(byte), line.measurement(hexadecimal(byte), at: now), .handshakeIgnored)
        if byte == 0x7C {
            handshakes.isIgnored7C = true
            // The boot loader must then accept the other byte.
            return sendHandshake(0x1C, for: .acceptance, now)
        }
        if let known = handshakes.known, known != byte, !(known == 0x7C && handshakes.isIgnored7C) {
            return sendHandshake(known, for: .acceptance, now)
        }
        handshakes.isIgnored7C = false
        reset.pending = nil
        guard countLoss(repeatsExperiments: false) else { return leave(.stoppedAnswering, now) }
        return findAgain(now)
    }
}

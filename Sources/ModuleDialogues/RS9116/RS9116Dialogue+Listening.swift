import BeaconModel

/// Listening by a module that also advertises. Advertising has priority: after each step of the listening that may
/// affect it, the driver checks the advertising at once and repairs it.
extension RS9116Dialogue {
    package mutating func listen(_ isWanted: Bool) -> [ModuleStep] {
        guard listening.isWanted != isWanted else { return [] }
        listening.isWanted = isWanted
        listening.wait(until: now)
        switch phase {
        case .watching: return isWanted || listening.mayScan ? listenNext() : []
        case .hearing: return isWanted ? [] : endTurn()
        default: return []
        }
    }

    /// Performs the next listening step that is due.
    mutating func listenNext() -> [ModuleStep] {
        guard listening.isWanted else {
            guard listening.mayScan else { return rest() }
            return take(.stop)
        }
        if listening.takesTurns {
            return take(profile.assumes(.stopTakesAllParameters) ? .pauseAdvertising : .turnStart(isSecond: false))
        }
        guard listening.isOn else {
            return take(listening.mayScan && listening.isSettled ? .renew : .start(isSecond: false))
        }
        if listening.hasHeard { return confirmed() }
        return take(listening.refusesSecondStart == true ? .proveByStart : .proveByState)
    }

    /// Handles the notice that a receiver does not hear the module.
    package mutating func missed() -> [ModuleStep] {
        guard listening.isOn else { return check() }
        // The module may be unable to advertise while it scans, without reporting it.
        return takeTurns()
    }

    /// Handles a report of an advertisement that the module received.
    package mutating func heard(_ reception: ModuleReception?) -> [ModuleStep] {
        switch phase {
        case .watching, .checking, .proving(.watched), .listening, .hearing, .identifying: break
        default: return []
        }
        guard listening.isWanted else {
            guard !listening.mayScan, listening.strayStops < RS9116Listening.mostStrayStops else { return [] }
            // Another party, or an earlier run of this driver, has started the scan.
            listening.strayStops += 1
            listening.mayScan = true
            return phase == .watching ? take(.stop) : []
        }
        guard listening.mayScan else { return [] }
        guard let reception else {
            listening.unreadable &+= 1
            if session.isFast, listening.losesMuch { return slowDown() }
            return listening.isOn ? [.listening(.unreadable)] : []
        }
        listening.readable &+= 1
        listening.hasHeard = true
        if listening.isOn { return [.received(reception)] }
        guard phase == .watching, listening.isSettled, !listening.takesTurns else { return [] }
        // The report proves that the module listens.
        return begun(inTurns: false) + [.received(reception)]
    }

    /// Returns to the default speed by a reset, once, because the line loses bytes.
    private mutating func slowDown() -> [ModuleStep] {
        session.giveUpRate()
        let why = "the line loses bytes at \(session.baudRate) baud"
        return [.lost(.reset), .report(.retrying(why))] + beginAnew(session.reset())
    }

    package mutating func take(_ step: RS9116Listening.Step) -> [ModuleStep] {
        let interval = assignment?.interval ?? .appleIBeacon
        phase = .listening(step)
        let command: RS9116Command =
            switch step {
            case .start, .askScan, .proveByStart, .renew, .turnStart, .turnProof: .scan(true)
            case .stopFirst, .stop, .turnStopFirst, .turnStop: .scan(false)
            case .askState, .proveByState, .turnState: .deviceState
            case .askAdvertising, .resumeAdvertising, .turnResume: .advertise(advertisingType, interval)
            case .pauseAdvertising: .stopAdvertising(advertisingType, interval)
            }
        return follow(session.perform(command))
    }

    private mutating func rest(until time: Duration) -> [ModuleStep] {
        listening.wait(until: time)
        return rest()
    }

    private mutating func begun(inTurns: Bool) -> [ModuleStep] {
        listening.isOn = true
        return [.listening(.begun(inTurns: inTurns))]
    }

    private mutating func ended(_ end: ModuleListening.End) -> [ModuleStep] {
        listening.isOn = false
        listening.hasHeard = false
        return [.listening(.ended(end))]
    }

    private mutating func confirmed() -> [ModuleStep] {
        listening.hasHeard = false
        listening.unanswered = 0
        return [.listening(.confirmed)] + rest(until: now + pace.listeningEvidence)
    }

    /// Alternates between listening and advertising, because the module cannot do both at once. The scan ends; the
    /// advertising continues.
    private mutating func takeTurns() -> [ModuleStep] {
        listening.takesTurns = true
        let news = listening.isOn ? ended(.interrupted) : []
        return news + [.report(.listeningInTurns)] + take(.stop)
    }

    private mutating func refuse(_ code: RS9116ErrorCode) -> [ModuleStep] {
        listening.mayScan = false
        return [.report(.listeningRefused(code))] + ended(.refused)
    }

    // MARK: Answers

    /// Handles the answer to the command of a step.
    package mutating func answered(_ step: RS9116Listening.Step, _ answer: RS9116Session.Answer) -> [ModuleStep] {
        let code: RS9116ErrorCode?
        var state: Int?
        switch answer {
        case .ok(let text):
            code = nil
            state = Int(text, radix: 16)
        case .error(let error): code = error
        case .none:
            // The state is optional.
            if case .askState = step { return started() }
            listening.unanswered += 1
            if listening.unanswered >= RS9116Listening.mostUnanswered {
                // The module must not be reset again and again for the listening.
                listening.unanswered = 0
                listening.wait(until: now + pace.listeningRetry)
                return [.listening(.ended(.refused))] + lose(.reset)
            }
            return lose(.reset)
        }
        switch step {
        case .start, .stopFirst, .askScan, .askAdvertising, .askState: return answered(start: step, code, state)
        case .proveByStart, .proveByState, .renew: return answered(proof: step, code, state)
        case .stop, .resumeAdvertising: return answered(stop: step, code)
        case .pauseAdvertising, .turnStart, .turnStopFirst, .turnState, .turnProof, .turnStop, .turnResume:
            return answered(turn: step, code, state)
        }
    }

    private mutating func answered(
        start step: RS9116Listening.Step, _ code: RS9116ErrorCode?, _ state: Int?
    ) -> [ModuleStep] {
        switch (step, code) {
        case (.start, nil):
            listening.mayScan = true
            return take(.askScan)
        case (.start(false), .commandDisallowed?):
            // The module already scans, or cannot scan while it advertises.
            return take(.stopFirst)
        case (.start, .commandDisallowed?):
            listening.mayScan = false
            return takeTurns()
        case (.start, let code?): return refuse(code) + rest(until: now + pace.listeningRetry)
        case (.stopFirst, _): return take(.start(isSecond: true))
        case (.askScan, _):
            listening.refusesSecondStart = code != nil
            return take(.askAdvertising(isSecond: false))
        case (.askAdvertising(false), nil): return take(.askAdvertising(isSecond: true))
        // The first start was accepted, so the module had stopped advertising.
        case (.askAdvertising(true), .commandDisallowed?): return takeTurns()
        case (.askAdvertising(false), .commandDisallowed?), (.askAdvertising(true), nil): return take(.askState)
        case (.askAdvertising, let code?): return advertisingFailed(code)
        case (.askState, nil):
            // Bit 0: advertising, bit 1: scanning. If neither is set, the state says nothing (4.6).
            if let state, state & 3 == 1 || state & 3 == 2 { return takeTurns() }
            return started()
        default: return started()
        }
    }

    private mutating func started() -> [ModuleStep] {
        listening.hasHeard = false
        listening.isSettled = true
        return begun(inTurns: false) + rest(until: now + pace.listeningEvidence)
    }

    private mutating func answered(
        proof step: RS9116Listening.Step, _ code: RS9116ErrorCode?, _ state: Int?
    ) -> [ModuleStep] {
        switch (step, code) {
        case (.proveByStart, .commandDisallowed?): return confirmed()
        case (.proveByStart, nil):
            // The scan had stopped by itself and is now on again.
            return ended(.stopped) + started()
        case (.proveByState, nil):
            if let state, state & 2 != 0 { return confirmed() }
            if let state, state & 1 != 0 {
                listening.mayScan = false
                return ended(.stopped) + take(.start(isSecond: false))
            }
            return (listening.hasHeard ? [] : ended(.unproven)) + take(.renew)
        case (.proveByState, _): return (listening.hasHeard ? [] : ended(.unproven)) + take(.renew)
        case (.renew, .commandDisallowed?) where listening.refusesSecondStart != false:
            return started()
        case (.renew, nil): return rest(until: now + pace.listeningEvidence)
        case (_, let code?):
            listening.mayScan = false
            return refuse(code) + rest(until: now + pace.listeningRetry)
        default: return rest(until: now + pace.listeningEvidence)
        }
    }

    private mutating func answered(stop step: RS9116Listening.Step, _ code: RS9116ErrorCode?) -> [ModuleStep] {
        guard step == .stop else {
            // Advertising was started, or was already on.
            guard code == nil || code == .commandDisallowed else {
                return advertisingFailed(code ?? .commandDisallowed)
            }
            return rest(until: now + pace.turnInterval - pace.turn)
        }
        listening.mayScan = false
        let news = listening.isOn || !listening.isWanted ? ended(.notWanted) : []
        if isLeaving, !listening.takesTurns { return news + [.finished] }
        // Undoes any effect of the scan on the advertising.
        return news + take(.resumeAdvertising)
    }

    /// Restarts the dialogue, because the advertising that was paused, or ended by a scan, does not start again.
    private mutating func advertisingFailed(_ code: RS9116ErrorCode) -> [ModuleStep] {
        let command = RS9116Command.advertise(advertisingType, assignment?.interval ?? .appleIBeacon)
        listening.wait(until: now + pace.listeningRetry)
        return [.lost(.advertisingStopped)]
            + restart(
                because: .refused(command: command.text, purpose: command.purpose, code: code), resetting: true)
    }

    // MARK: Turns

    /// Ends a listening turn.
    mutating func endTurn() -> [ModuleStep] { take(listening.hasHeard ? .turnStop : .turnState) }

    private mutating func answered(
        turn step: RS9116Listening.Step, _ code: RS9116ErrorCode?, _ state: Int?
    ) -> [ModuleStep] {
        switch (step, code) {
        case (.pauseAdvertising, nil), (.pauseAdvertising, .commandDisallowed?):
            return take(.turnStart(isSecond: false))
        case (.pauseAdvertising, let code?): return refuse(code) + take(.turnResume)
        case (.turnStart, nil):
            listening.mayScan = true
            listening.hasHeard = false
            let news = begun(inTurns: true)
            guard listening.isWanted, !isLeaving else { return news + take(.turnStop) }
            phase = .hearing
            return news + follow(session.rest(pace.turn))
        case (.turnStart(false), .commandDisallowed?): return take(.turnStopFirst)
        case (.turnStart, let code?): return refuse(code) + take(.turnResume)
        case (.turnStopFirst, _): return take(.turnStart(isSecond: true))
        case (.turnState, _):
            if code == nil, let state, state & 2 != 0 { listening.hasHeard = true }
            return take(listening.hasHeard ? .turnStop : .turnProof)
        case (.turnProof, _):
            if code == .commandDisallowed { listening.hasHeard = true }
            return take(.turnStop)
        case (.turnStop, _):
            listening.mayScan = false
            let isProven = listening.hasHeard
            listening.isOn = false
            listening.hasHeard = false
            return [.listening(isProven ? .paused : .ended(.unproven))] + take(.turnResume)
        case (.turnResume, nil), (.turnResume, .commandDisallowed?):
            listening.unanswered = 0
            return rest(until: now + pace.turnInterval - pace.turn)
        case (_, let code?): return advertisingFailed(code)
        default: return rest(until: now + pace.turnInterval)
        }
    }

    // MARK: Leaving

    /// Ends the listening, because the port is about to be released and nothing will read the reports.
    package mutating func leave() -> [ModuleStep] {
        isLeaving = true
        switch phase {
        case .hearing: return endTurn()
        case .watching where listening.mayScan: return take(.stop)
        // The current step continues until the advertising is on.
        case .listening: return []
        default: return [.finished]
        }
    }
}

/// Conclusions from the module's answers to the commands of the listening.
extension RS9116Listening {
    /// Handles the answer to the command of a step.
    mutating func answered(_ step: Step, _ answer: RS9116Session.Answer, at now: Duration) -> [Output] {
        let code: RS9116ErrorCode?
        var state: Int?
        switch answer {
        case .ok(let text):
            code = nil
            state = Int(text, radix: 16)
        case .error(let error): code = error
        case .none:
            // The state is optional.
            if case .askState = step { return started(now) }
            unanswered += 1
            if unanswered >= Self.mostUnanswered {
                // The module must not be reset again and again for the listening.
                unanswered = 0
                nextAt = now + pace.listeningRetry
                return [.tell(.ended(.refused)), .lose]
            }
            return [.lose]
        }
        switch step {
        case .start, .stopFirst, .askScan, .askAdvertising, .askState: return answered(start: step, code, state, now)
        case .proveByStart, .proveByState, .renew: return answered(proof: step, code, state, now)
        case .stop, .resumeAdvertising: return answered(stop: step, code, now)
        case .pauseAdvertising, .turnStart, .turnStopFirst, .turnState, .turnProof, .turnStop, .turnResume:
            return answered(turn: step, code, state, now)
        }
    }

    private mutating func answered(
        start step: Step, _ code: RS9116ErrorCode?, _ state: Int?, _ now: Duration
    ) -> [Output] {
        switch (step, code) {
        case (.start, nil):
            mayScan = true
            return [.perform(.askScan)]
        case (.start(false), .commandDisallowed?):
            // The module already scans, or cannot scan while it advertises.
            return [.perform(.stopFirst)]
        case (.start, .commandDisallowed?):
            mayScan = false
            return takeTurns()
        case (.start, let code?): return refuse(code) + rest(until: now + pace.listeningRetry)
        case (.stopFirst, _): return [.perform(.start(isSecond: true))]
        case (.askScan, _):
            refusesSecondStart = code != nil
            return [.perform(.askAdvertising(isSecond: false))]
        case (.askAdvertising(false), nil): return [.perform(.askAdvertising(isSecond: true))]
        // The first start was accepted, so the module had stopped advertising.
        case (.askAdvertising(true), .commandDisallowed?): return takeTurns()
        case (.askAdvertising(false), .commandDisallowed?), (.askAdvertising(true), nil): return [.perform(.askState)]
        case (.askAdvertising, let code?): return advertisingFailed(code, now)
        case (.askState, nil):
            // Bit 0: advertising, bit 1: scanning. If neither is set, the state says nothing (4.6).
            if let state, state & 3 == 1 || state & 3 == 2 { return takeTurns() }
            return started(now)
        default: return started(now)
        }
    }

    private mutating func answered(
        proof step: Step, _ code: RS9116ErrorCode?, _ state: Int?, _ now: Duration
    ) -> [Output] {
        switch (step, code) {
        case (.proveByStart, .commandDisallowed?): return confirmed(now)
        case (.proveByStart, nil):
            // The scan had stopped by itself and is now on again.
            return ended(.stopped) + started(now)
        case (.proveByState, nil):
            if let state, state & 2 != 0 { return confirmed(now) }
            if let state, state & 1 != 0 {
                mayScan = false
                return ended(.stopped) + [.perform(.start(isSecond: false))]
            }
            return (hasHeard ? [] : ended(.unproven)) + [.perform(.renew)]
        case (.proveByState, _): return (hasHeard ? [] : ended(.unproven)) + [.perform(.renew)]
        case (.renew, .commandDisallowed?) where refusesSecondStart != false:
            return started(now)
        case (.renew, nil): return rest(until: now + pace.listeningEvidence)
        case (_, let code?):
            mayScan = false
            return refuse(code) + rest(until: now + pace.listeningRetry)
        default: return rest(until: now + pace.listeningEvidence)
        }
    }

    private mutating func answered(stop step: Step, _ code: RS9116ErrorCode?, _ now: Duration) -> [Output] {
        guard step == .stop else {
            // Advertising was started, or was already on.
            guard code == nil || code == .commandDisallowed else {
                return advertisingFailed(code ?? .commandDisallowed, now)
            }
            return rest(until: now + pace.turnInterval - pace.turn)
        }
        mayScan = false
        let news = isOn || !isWanted ? ended(.notWanted) : []
        if isLeaving, !takesTurns { return news + [.finish] }
        // Undoes any effect of the scan on the advertising.
        return news + [.perform(.resumeAdvertising)]
    }

    // MARK: Turns

    private mutating func answered(
        turn step: Step, _ code: RS9116ErrorCode?, _ state: Int?, _ now: Duration
    ) -> [Output] {
        switch (step, code) {
        case (.pauseAdvertising, nil), (.pauseAdvertising, .commandDisallowed?):
            return [.perform(.turnStart(isSecond: false))]
        case (.pauseAdvertising, let code?): return refuse(code) + [.perform(.turnResume)]
        case (.turnStart, nil):
            mayScan = true
            hasHeard = false
            let news = begun(inTurns: true)
            guard isWanted, !isLeaving else { return news + [.perform(.turnStop)] }
            return news + [.hear]
        case (.turnStart(false), .commandDisallowed?): return [.perform(.turnStopFirst)]
        case (.turnStart, let code?): return refuse(code) + [.perform(.turnResume)]
        case (.turnStopFirst, _): return [.perform(.turnStart(isSecond: true))]
        case (.turnState, _):
            if code == nil, let state, state & 2 != 0 { hasHeard = true }
            return [.perform(hasHeard ? .turnStop : .turnProof)]
        case (.turnProof, _):
            if code == .commandDisallowed { hasHeard = true }
            return [.perform(.turnStop)]
        case (.turnStop, _):
            mayScan = false
            let isProven = hasHeard
            isOn = false
            hasHeard = false
            return [.tell(isProven ? .paused : .ended(.unproven)), .perform(.turnResume)]
        case (.turnResume, nil), (.turnResume, .commandDisallowed?):
            unanswered = 0
            return rest(until: now + pace.turnInterval - pace.turn)
        case (_, let code?): return advertisingFailed(code, now)
        default: return rest(until: now + pace.turnInterval)
        }
    }
}

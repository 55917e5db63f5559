/// The end of a probe: resets the module, or reports the state in which it is left.
extension ModuleProbe {
    mutating func leave(_ reason: ProbeConclusion.Reason?, _ now: Duration) -> [ProbeStep] {
        if let reason { find(.rest, silence(now), .notTried(reason)) }
        let trying = [ProbeStep.trying(.leaveReset)]
        guard !isSilent else { return trying + verify(now) }
        // The line may hold bytes that are no command. Starting firmware would take them for binary mode.
        if profile[.bootLoaderWaits] == true { line.isSpoilt = true }
        return trying + perform(.leaving, now)
    }

    mutating func resetAtEnd(_ now: Duration) -> [ProbeStep] {
        reset.answer = .none
        if profile[.softReset] != false { return perform(.lastReset, now) }
        guard profile[.controlLinesReset] == true else {
            return done(bluetooth.mayAdvertise ? .unknown(mayAdvertise: true) : .running, now)
        }
        return [.pulseControlLines] + verify(now)
    }

    mutating func lastResetAnswered(_ answer: RS9116Session.Answer, _ now: Duration) -> [ProbeStep] {
        if isDoubtful(answer) { return perform(.lastReset, now) }
        reset.answer = answer
        return verify(now)
    }

    /// Checks whether the reset happened.
    private mutating func verify(_ now: Duration) -> [ProbeStep] {
        let waits = profile[.bootLoaderWaits] == true
        line.restartTime(at: now)
        stage = .verifying(until: now + (waits ? .seconds(1) + max(.milliseconds(1500), quiet) : Self.longestStart))
        return [.wait(.seconds(1))]
    }

    /// Handles the result of `verify`.
    ///
    /// - Parameter replies: `nil` for silence.
    mutating func verified(_ replies: [ModuleReply]?, _ now: Duration) -> [ProbeStep] {
        guard let replies else {
            let profile = profile
            let resets = profile[.softReset] == true || profile[.controlLinesReset] == true
            // The module is known to reset on command, and since the command it has not answered as before.
            let isCertain = resets && profile[.bootLoaderWaits] == true && (reset.answer.isOK || line.isPrompt)
            return done(isCertain ? .reset : .unknown(mayAdvertise: bluetooth.mayAdvertise), now)
        }
        return takesLateAnswer(replies, now) ? verify(now) : perform(.lastLife, now)
    }

    mutating func lastLifeTold(_ answer: RS9116Session.Answer, _ now: Duration) -> [ProbeStep] {
        switch answer {
        case .error(.wrongState): done(.bluetoothOff, now)
        case .ok where !bluetooth.mayAdvertise: done(.running, now)
        case .ok, .error, .none: done(.unknown(mayAdvertise: bluetooth.mayAdvertise), now)
        }
    }

    mutating func giveUp(_ now: Duration) -> [ProbeStep] {
        find(.rest, silence(now), .notTried(.noTimeForIt))
        let lineEnd: [ProbeStep] = profile[.bootLoaderWaits] == true ? [.send(Array("\r\n".utf8))] : []
        return lineEnd + [.send(RS9116Command.reset.bytes)]
            + done(.unknown(mayAdvertise: bluetooth.mayAdvertise), now)
    }
}

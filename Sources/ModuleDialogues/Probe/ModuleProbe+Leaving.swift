/// The end of a probe: resets the module, or reports the state in which it is left.
extension ModuleProbe {
    package mutating func leave(_ remark: String?) -> [ProbeStep] {
        if let remark { find("the rest", sent: "", came: [], "not tried: " + remark) }
        let trying = [ProbeStep.trying("leave the module reset")]
        guard !isSilent else { return trying + verify() }
        // The line may hold bytes that are no command. Starting firmware would take them for binary mode.
        if report.profile[.bootLoaderWaits] == true { isLineSpoilt = true }
        return trying + perform(.leaving)
    }

    mutating func resetAtEnd() -> [ProbeStep] {
        resetAnswer = .none
        if report.profile[.softReset] != false { return perform(.lastReset) }
        guard report.profile[.controlLinesReset] == true else {
            return done(mayAdvertise ? .unknown(mayAdvertise: true) : .running)
        }
        return [.pulseControlLines] + verify()
    }

    mutating func lastResetAnswered(_ answer: RS9116Session.Answer) -> [ProbeStep] {
        if isDoubtful(answer) { return perform(.lastReset) }
        refusals = 0
        resetAnswer = answer
        return verify()
    }

    /// Checks whether the reset happened.
    package mutating func verify() -> [ProbeStep] {
        let waits = report.profile[.bootLoaderWaits] == true
        sentAt = now
        stage = .verifying(until: now + (waits ? .seconds(1) + max(.milliseconds(1500), quiet) : Self.longestStart))
        return [.wait(.seconds(1))]
    }

    /// Handles the result of `verify`.
    ///
    /// - Parameter replies: `nil` for silence.
    package mutating func verified(_ replies: [ModuleReply]?) -> [ProbeStep] {
        guard let replies else {
            let profile = report.profile
            let resets = profile[.softReset] == true || profile[.controlLinesReset] == true
            // The module is known to reset on command, and since the command it has not answered as before.
            let isCertain = resets && profile[.bootLoaderWaits] == true && (resetAnswer.isOK || isPrompt)
            return done(isCertain ? .reset : .unknown(mayAdvertise: mayAdvertise))
        }
        if resetAnswer == .none, let text = replies.lazy.compactMap(\.okText).first, !exchange.isVersion(text) {
            resetAnswer = .ok(text)
            slowest = max(slowest, now - sentAt)
            return verify()
        }
        return perform(.lastLife)
    }

    mutating func lastLifeTold(_ answer: RS9116Session.Answer) -> [ProbeStep] {
        switch answer {
        case .error(.wrongState): done(.bluetoothOff)
        case .ok where !mayAdvertise: done(.running)
        case .ok, .error, .none: done(.unknown(mayAdvertise: mayAdvertise))
        }
    }

    package mutating func giveUp() -> [ProbeStep] {
        find("the rest", sent: "", came: [], "not tried: there was no time for it")
        let lineEnd = report.profile[.bootLoaderWaits] == true ? [ProbeStep.send(Array("\r\n".utf8))] : []
        return lineEnd + [.send(RS9116Command.reset.bytes)] + done(.unknown(mayAdvertise: mayAdvertise))
    }

    package mutating func done(_ left: ProbeLeaving) -> [ProbeStep] {
        stage = .over
        if vanishings > 0 { find("the port", sent: "", came: [], "went away and came back \(vanishings) times") }
        report.left = left
        find("the module is left", sent: "", came: [], took: .zero, left.words)
        report.profile = evidence.profile
        // The conclusion of one experiment is no finding while other experiments contradict it or leave it open.
        for index in report.findings.indices {
            guard let settles = report.findings[index].settles,
                report.profile[settles] != report.findings[index].holds
            else { continue }
            report.findings[index].settles = nil
            report.findings[index].holds = nil
        }
        return [.output(.done(report)), .output(.finished)]
    }
}

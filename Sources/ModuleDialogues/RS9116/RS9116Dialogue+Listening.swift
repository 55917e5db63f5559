import BeaconModel

/// Carrying out what `RS9116Listening` decides.
extension RS9116Dialogue {
    mutating func listen(_ isWanted: Bool) -> [ModuleStep] {
        guard listening.want(isWanted, at: now) else { return [] }
        switch phase {
        case .watching(_, .idle): return isWanted || listening.mayScan ? perform(listening.next(at: now)) : []
        case .watching(_, .hearing): return isWanted ? [] : perform(listening.endTurn())
        default: return []
        }
    }

    /// Handles the notice that a receiver does not hear the module.
    mutating func missed() -> [ModuleStep] { listening.isOn ? perform(listening.missed()) : check() }

    /// Handles a report of an advertisement that the module received.
    mutating func heard(_ reception: ModuleReception?) -> [ModuleStep] {
        guard case .watching(_, let activity) = phase else { return [] }
        return perform(listening.heard(reception, isIdle: activity == .idle, isFast: session.isFast))
    }

    /// Ends the listening, because the port is about to be released and nothing will read the reports.
    mutating func leave() -> [ModuleStep] {
        listening.leave()
        switch phase {
        case .watching(_, .hearing): return perform(listening.endTurn())
        case .watching(_, .idle) where listening.mayScan: return perform([.perform(.stop)])
        // The current step continues until the advertising is on.
        case .watching(_, .listening): return []
        default: return [.finished]
        }
    }

    mutating func perform(_ outputs: [RS9116Listening.Output]) -> [ModuleStep] {
        var steps: [ModuleStep] = []
        for output in outputs {
            switch output {
            case .report(let step): steps.append(.report(step))
            case .tell(let news): steps.append(.listening(news))
            case .received(let reception): steps.append(.received(reception))
            case .perform(let step):
                become(.listening(step))
                steps += follow(session.perform(command(step)))
            case .rest: if case .watching(let checkAt, _) = phase { steps += rest(checkAt: checkAt) }
            case .hear:
                become(.hearing)
                steps += follow(session.rest(pace.turn))
            case .lose: steps += lose(.reset)
            case .advertisingFailed(let code): steps += advertisingFailed(code)
            case .slowDown: steps += slowDown()
            case .finish: steps.append(.finished)
            }
        }
        return steps
    }

    private func command(_ step: RS9116Listening.Step) -> RS9116Command {
        let interval = assignment?.interval ?? .appleIBeacon
        return switch step {
        case .start, .askScan, .proveByStart, .renew, .turnStart, .turnProof: .scan(true)
        case .stopFirst, .stop, .turnStopFirst, .turnStop: .scan(false)
        case .askState, .proveByState, .turnState: .deviceState
        case .askAdvertising, .resumeAdvertising, .turnResume: .advertise(advertisingType, interval)
        case .pauseAdvertising: .stopAdvertising(advertisingType, interval)
        }
    }

    /// Restarts the dialogue, because the advertising that was paused, or ended by a scan, does not start again.
    private mutating func advertisingFailed(_ code: RS9116ErrorCode) -> [ModuleStep] {
        let command = RS9116Command.advertise(advertisingType, assignment?.interval ?? .appleIBeacon)
        return [.lost(.advertisingStopped)]
            + restart(
                because: .refused(command: command.text, purpose: command.purpose, code: code), resetting: true)
    }

    /// Returns to the default speed by a reset, once, because the line loses bytes.
    private mutating func slowDown() -> [ModuleStep] {
        session.giveUpRate()
        let why = "the serial line loses bytes at \(session.baudRate) baud"
        return [.lost(.reset), .report(.retrying(why))] + beginAnew(session.reset())
    }
}

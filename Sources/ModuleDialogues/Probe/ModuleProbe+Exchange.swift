import BeaconModel

/// Exchange of one command and its answer at a time.
extension ModuleProbe {
    package func command(_ errand: Errand) -> RS9116Command {
        switch errand {
        case .measuring, .leaving: .firmwareVersion
        case .address, .life, .lastLife: .localAddress
        case .mode(let power): .operatingMode(transmitPower: power)
        case .resetting, .lastReset: .reset
        case .experiment(let experiment): experiment.command(advertisingType)
        case .sendingAway(let central): .disconnect(central)
        case .stopping:
            isStoppedByStatus
                ? ProbeExperiment.shortStop.command(advertisingType)
                : ProbeExperiment.stop.command(advertisingType)
        }
    }

    var isStoppedByStatus: Bool {
        report.profile[.stopTakesAllParameters] == false && answers[.shortStop]?.isOK == true
    }

    /// Time to wait for an answer, longer than any answer that is only late.
    package var patience: Duration { min(max(.seconds(3), slowest * 2.5 + .seconds(1)), .seconds(13)) }

    /// Silence after which no outstanding answer can arrive.
    package var quiet: Duration {
        versions.isEmpty ? .seconds(7) : min(max(.milliseconds(1500), slowest * 2.5 + .milliseconds(500)), .seconds(13))
    }

    /// Performs an errand as soon as no older answer can arrive.
    package mutating func perform(_ errand: Errand) -> [ProbeStep] {
        isSilent = false
        var actions: [ProbeStep] = []
        if isLineSpoilt {
            isLineSpoilt = false
            outstanding += 1
            actions.append(.send(Array("\r\n".utf8)))
        }
        guard outstanding > 0 else { return actions + transmit(errand) }
        stage = .draining(errand)
        return actions + [.wait(quiet)]
    }

    package mutating func transmit(_ errand: Errand) -> [ProbeStep] {
        outstanding = 0
        parser = ModuleReplyParser()
        let command = self.command(errand)
        exchange = ProbeExchange(command, version: errand == .measuring ? "" : version)
        begin()
        wasConnected = false
        switch errand {
        case .mode: bluetoothLoadedAt = nil
        case .experiment(let experiment) where experiment.startsAdvertising: mayAdvertise = true
        default: break
        }
        stage = .exchanging(errand)
        var wait = patience
        if case .operatingMode = command { wait += .seconds(7) }
        if errand == .measuring { wait = max(wait, .seconds(7)) }
        return [say(command), .wait(wait)]
    }

    /// Waits for a silence of the given length, however many bytes arrive before it.
    package mutating func drain(before errand: Errand, _ silence: Duration) -> [ProbeStep] {
        outstanding = Self.mostOutstanding
        stage = .draining(errand)
        return [.wait(silence)]
    }

    package mutating func say(_ command: RS9116Command) -> ProbeStep {
        outstanding += 1
        versionSentAt = now
        return .send(command.bytes)
    }

    package mutating func came(_ outcome: ProbeExchange.Outcome, _ errand: Errand) -> [ProbeStep] {
        switch outcome {
        case .pending: return []
        case .separate:
            exchange.separated()
            return [say(.firmwareVersion), .wait(patience)]
        case .answered(let answer):
            if answer != .none || exchange.command == .firmwareVersion { slowest = max(slowest, now - versionSentAt) }
            mixups = 0
            if let owed = exchange.owedSeparators { outstanding = owed }
            return answered(errand, answer)
        case .mixedUp:
            mixups += 1
            guard mixups < Self.mostMixups else {
                mixups = 0
                return answered(errand, .none)
            }
            return drain(before: errand, max(quiet, .seconds(2)))
        case .dead:
            switch errand {
            case .leaving, .stopping: return resetAtEnd()
            case .lastReset, .lastLife: return done(.unknown(mayAdvertise: mayAdvertise))
            default: return recover()
            }
        }
    }

    package mutating func answered(_ errand: Errand, _ answer: RS9116Session.Answer) -> [ProbeStep] {
        switch errand {
        case .measuring: return measured(answer)
        case .address: return toldAddress(answer)
        case .mode(let power): return modeAnswered(power, answer)
        case .resetting: return resetAnswered(answer)
        case .life(let trigger): return lifeTold(trigger, answer)
        case .experiment(let experiment): return tried(experiment, answer)
        // The disconnection is reported, too.
        case .sendingAway: return drain(before: .experiment(.start), .seconds(1))
        case .leaving: return mayAdvertise ? perform(.stopping) : resetAtEnd()
        case .stopping:
            if answer.isOK, isStoppedByStatus || report.profile[.stopTakesAllParameters] == true {
                mayAdvertise = false
            }
            return resetAtEnd()
        case .lastReset: return lastResetAnswered(answer)
        case .lastLife: return lastLifeTold(answer)
        }
    }
}

extension ModuleReply {
    /// Whether the line answers a command.
    package var isAnswer: Bool {
        switch self {
        case .ok, .error: true
        case .bluetoothLoaded, .report, .event, .text: false
        }
    }

    package var okText: String? {
        if case .ok(let text) = self { text } else { nil }
    }
}

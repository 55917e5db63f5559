import BeaconModel

/// Exchange of one command and its answer at a time.
extension ModuleProbe {
    private func command(_ errand: ProbeErrand) -> RS9116Command {
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

    var advertisingType: AdvertisingType {
        answers[.startConnectable]?.isOK == true ? .connectable : .nonConnectable
    }

    private var isStoppedByStatus: Bool {
        profile[.stopTakesAllParameters] == false && answers[.shortStop]?.isOK == true
    }

    /// Silence after which no outstanding answer can arrive.
    var quiet: Duration {
        identity.hasVersion
            ? min(max(.milliseconds(1500), line.slowest * 2.5 + .milliseconds(500)), .seconds(13)) : .seconds(7)
    }

    /// Performs an errand as soon as no older answer can arrive.
    mutating func perform(_ errand: ProbeErrand, _ now: Duration) -> [ProbeStep] {
        isSilent = false
        let cleaning: [ProbeStep] = line.clean().map { [.line($0)] } ?? []
        guard line.outstanding > 0 else { return cleaning + transmit(errand, now) }
        stage = .draining(errand)
        return cleaning + [.wait(quiet)]
    }

    mutating func transmit(_ errand: ProbeErrand, _ now: Duration) -> [ProbeStep] {
        line.forgetAnswers()
        let command = self.command(errand)
        line.begin(at: now)
        bluetooth.begin(errand)
        stage = .exchanging(errand, ProbeExchange(command, version: errand == .measuring ? "" : identity.version))
        var wait = line.patience
        if case .operatingMode = command { wait += .seconds(7) }
        if errand == .measuring { wait = max(wait, .seconds(7)) }
        return [.line(line.say(command, at: now)), .wait(wait)]
    }

    /// Waits for a silence of the given length, however many bytes arrive before it.
    mutating func drain(before errand: ProbeErrand, _ silence: Duration) -> [ProbeStep] {
        line.expectAnything()
        stage = .draining(errand)
        return [.wait(silence)]
    }

    mutating func exchanged(
        _ replies: [ModuleReply], _ errand: ProbeErrand, _ exchange: ProbeExchange, _ now: Duration
    ) -> [ProbeStep] {
        var exchange = exchange
        for reply in replies {
            let isFirst = exchange.answer == nil
            let outcome = exchange.received(reply)
            if isFirst, exchange.answer != nil {
                line.answered(at: now)
                line.endHearing()
            }
            if outcome != .pending { return came(outcome, errand, exchange, now) }
        }
        stage = .exchanging(errand, exchange)
        return []
    }

    mutating func came(
        _ outcome: ProbeExchange.Outcome, _ errand: ProbeErrand, _ exchange: ProbeExchange, _ now: Duration
    ) -> [ProbeStep] {
        switch outcome {
        case .pending: return []
        case .separate:
            var exchange = exchange
            exchange.separated()
            stage = .exchanging(errand, exchange)
            return [.line(line.say(.firmwareVersion, at: now)), .wait(line.patience)]
        case .answered(let answer):
            if answer != .none || exchange.command == .firmwareVersion { line.answeredLast(at: now) }
            forgiveMixups()
            if let owed = exchange.owedSeparators { line.expect(answers: owed) }
            return answered(errand, answer, now)
        case .mixedUp:
            guard countMixup() else { return answered(errand, .none, now) }
            return drain(before: errand, max(quiet, .seconds(2)))
        case .dead:
            switch errand {
            case .leaving, .stopping: return resetAtEnd(now)
            case .lastReset, .lastLife: return done(.unknown(mayAdvertise: bluetooth.mayAdvertise), now)
            default: return recover(now)
            }
        }
    }

    private mutating func answered(
        _ errand: ProbeErrand, _ answer: RS9116Session.Answer, _ now: Duration
    ) -> [ProbeStep] {
        switch errand {
        case .measuring: return measured(answer, now)
        case .address: return toldAddress(answer, now)
        case .mode(let power): return modeAnswered(power, answer, now)
        case .resetting: return resetAnswered(answer, now)
        case .life(let reset): return lifeTold(reset, answer, now)
        case .experiment(let experiment): return tried(experiment, answer, now)
        // The disconnection is reported, too.
        case .sendingAway: return drain(before: .experiment(.start), .seconds(1))
        case .leaving: return bluetooth.mayAdvertise ? perform(.stopping, now) : resetAtEnd(now)
        case .stopping:
            if answer.isOK, isStoppedByStatus || profile[.stopTakesAllParameters] == true {
                bluetooth.mayAdvertise = false
            }
            return resetAtEnd(now)
        case .lastReset: return lastResetAnswered(answer, now)
        case .lastLife: return lastLifeTold(answer, now)
        }
    }
}

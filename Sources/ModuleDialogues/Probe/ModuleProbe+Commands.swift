import BeaconModel

/// Conclusions from the firmware's answers.
extension ModuleProbe {
    /// Handles a version. It counts once the module has given it twice.
    mutating func measured(_ answer: RS9116Session.Answer, _ now: Duration) -> [ProbeStep] {
        if identity.measured(answer) { return perform(.measuring, now) }
        guard !identity.firmware.isEmpty else { return leave(.noStableVersion, now) }
        return next(now)
    }

    // MARK: Bluetooth

    mutating func switchOn(_ power: Int?, _ now: Duration) -> [ProbeStep] {
        line.begin(at: now)
        if identity.address == nil || power == nil { return [.trying(.bluetooth)] + perform(.address, now) }
        return perform(.mode(power: power), now)
    }

    mutating func toldAddress(_ answer: RS9116Session.Answer, _ now: Duration) -> [ProbeStep] {
        switch answer {
        case .ok(let text):
            bluetooth.isOn = true
            if bluetooth.isUnannounced {
                bluetooth.isUnannounced = false
                var measurement = line.measurement(Self.anyOperatingMode, at: now)
                measurement.time = .seconds(10)
                find(
                    .bluetoothLoaded, measurement, .notSaidButOn(seconds: 10),
                    settles: line.isPrompt ? .init(.bluetoothAnnounced, false) : nil)
            }
            return identity.told(text) ? perform(.address, now) : next(now)
        case .error where bluetooth.isOn:
            bluetooth.isOn = false
            find(.bluetoothAddress, line.measurement(RS9116Command.localAddress.text, at: now), .refused(answer))
            return next(now)
        case .error: return perform(.mode(power: nil), now)
        case .none: return next(now)
        }
    }

    mutating func modeAnswered(_ power: Int?, _ answer: RS9116Session.Answer, _ now: Duration) -> [ProbeStep] {
        let sent = RS9116Command.operatingMode(transmitPower: power).text
        if isDoubtful(answer) { return perform(.mode(power: power), now) }
        if let power {
            let holds: Bool? =
                switch answer {
                case .ok: true
                case .error(let code): code.cure == .none ? false : nil
                case .none: nil
                }
            find(
                .transmitPower(power), line.measurement(sent, at: now), .answer(answer),
                settles: holds.map { .init(.powerInOperatingMode, $0) })
        }
        switch answer {
        case .ok:
            line.begin(at: now)
            if bluetooth.loadedAt != nil { return announced(true, now) }
            stage = .awaitingBluetooth
            return [.wait(.seconds(10))]
        case .error where power != nil: return perform(.mode(power: nil), now)
        case .error, .none:
            find(.bluetoothOn, line.measurement(sent, at: now), .answer(answer))
            return next(now)
        }
    }

    mutating func announced(_ isSaid: Bool, _ now: Duration) -> [ProbeStep] {
        find(
            .bluetoothLoaded, line.measurement(Self.anyOperatingMode, upTo: bluetooth.loadedAt ?? now),
            isSaid ? .said : .notSaidWithin(seconds: 10), settles: isSaid ? .init(.bluetoothAnnounced, true) : nil)
        bluetooth.isUnannounced = !isSaid
        bluetooth.isOn = true
        return perform(.address, now)
    }

    private static let anyOperatingMode = "at+rsi_opermode=..."

    // MARK: Experiments with commands

    mutating func tryOut(_ experiment: ProbeExperiment?, _ now: Duration) -> [ProbeStep] {
        guard let experiment else { return next(now) }
        guard experiment.isWorthwhile(answers), isTimeLeft(now), line.slowest <= Self.slowestBearable else {
            return tryOut(experiment.successor, now)
        }
        return [.trying(.command(experiment))] + perform(.experiment(experiment), now)
    }

    mutating func tried(
        _ experiment: ProbeExperiment, _ answer: RS9116Session.Answer, _ now: Duration
    ) -> [ProbeStep] {
        if experiment.isWellFormed {
            if isDoubtful(answer) { return perform(.experiment(experiment), now) }
        } else {
            forgiveRefusals()
        }
        let command = experiment.command(advertisingType)
        let measurement = line.measurement(command.text + "\r\n", at: now)
        if bluetooth.wasConnected, experiment.isVoidAfterConnection {
            find(.experiment(experiment), measurement, .voidByConnection)
            return connected(now)
        }
        if case .error(.wrongState) = answer, command.text.hasPrefix("at+rsibt") {
            find(.experiment(experiment), measurement, .voidByReset)
            bluetooth.isOn = false
            _ = countLoss(repeatsExperiments: true)
            return next(now)
        }
        let settled = experiment.settles(answer, raw: line.heard, answers)
        if settled?.holds == false, let again = experiment.repetition(after: answer), !repeated.contains(experiment) {
            repeated.insert(experiment)
            return tryOut(again, now)
        }
        answers[experiment] = answer
        find(.experiment(experiment), measurement, .answer(answer), settles: settled)
        return tryOut(experiment.successor, now)
    }

    /// Handles a connection, which ends the advertising: the experiments with advertising are repeated once.
    private mutating func connected(_ now: Duration) -> [ProbeStep] {
        bluetooth.connections += 1
        let group = ProbeExperiment.allCases.filter(\.isVoidAfterConnection)
        guard bluetooth.connections == 1 else { return tryOut(group.last?.successor, now) }
        for experiment in group { answers[experiment] = nil }
        return bluetooth.central.map { perform(.sendingAway($0), now) } ?? tryOut(.start, now)
    }
}

import BeaconModel

/// Conclusions from the module's answers.
extension ModuleProbe {
    /// Handles a version. It counts once the module has given it twice.
    package mutating func measured(_ answer: RS9116Session.Answer) -> [ProbeStep] {
        measurements += 1
        if case .ok(let text) = answer {
            if versions.contains(text) {
                version = text
                report.firmware = Printable.line(text)
            }
            versions.append(text)
        }
        if measurements < 3 || (report.firmware.isEmpty && measurements < 6) { return perform(.measuring) }
        measurements = 0
        guard !report.firmware.isEmpty else { return leave("the module doesn't say the same version twice") }
        return next()
    }

    mutating func toldAddress(_ answer: RS9116Session.Answer) -> [ProbeStep] {
        switch answer {
        case .ok(let text):
            isBluetoothOn = true
            if isUnannounced {
                isUnannounced = false
                find(
                    "bt_loaded", sent: "at+rsi_opermode=...", took: .seconds(10),
                    "not said within 10 s, and Bluetooth is on", isPrompt ? (.bluetoothAnnounced, false) : nil)
            }
            if let address = BluetoothAddress(text) {
                if addresses.contains(address) { report.address = address }
                addresses.append(address)
            }
            // The address must be given twice, like the version.
            return report.address == nil && addresses.count < 4 ? perform(.address) : next()
        case .error where isBluetoothOn:
            isBluetoothOn = false
            find("Bluetooth address", sent: RS9116Command.localAddress.text, "refused, " + answer.words)
            return next()
        case .error: return perform(.mode(power: nil))
        case .none: return next()
        }
    }

    mutating func modeAnswered(_ power: Int?, _ answer: RS9116Session.Answer) -> [ProbeStep] {
        let sent = RS9116Command.operatingMode(transmitPower: power).text
        // A command that was damaged in transit is refused, too.
        if isDoubtful(answer) { return perform(.mode(power: power)) }
        refusals = 0
        if let power {
            let holds: Bool? =
                switch answer {
                case .ok: true
                case .error(let code): code.cure == .none ? false : nil
                case .none: nil
                }
            find(
                "opermode with transmit power \(power)", sent: sent, answer.words,
                holds.map { (.powerInOperatingMode, $0) })
        }
        switch answer {
        case .ok:
            begin()
            if bluetoothLoadedAt != nil { return announced(true) }
            stage = .awaitingBluetooth
            return [.wait(.seconds(10))]
        case .error where power != nil: return perform(.mode(power: nil))
        case .error, .none:
            find("Bluetooth on", sent: sent, answer.words)
            return next()
        }
    }

    /// Whether a refusal must be confirmed before it counts.
    package mutating func isDoubtful(_ answer: RS9116Session.Answer) -> Bool {
        guard case .error(let code) = answer, code.cure == .none, refusals + 1 < Self.refusalsToBelieve else {
            return false
        }
        refusals += 1
        return true
    }

    // MARK: Experiments with commands

    mutating func tryOut(_ experiment: ProbeExperiment?) -> [ProbeStep] {
        guard let experiment else { return next() }
        guard experiment.isWorthwhile(answers), isTimeLeft, slowest <= Self.slowestBearable else {
            return tryOut(experiment.successor)
        }
        return [.trying(experiment.question)] + perform(.experiment(experiment))
    }

    package var advertisingType: AdvertisingType {
        answers[.startConnectable]?.isOK == true ? .connectable : .nonConnectable
    }

    package mutating func tried(_ experiment: ProbeExperiment, _ answer: RS9116Session.Answer) -> [ProbeStep] {
        // A command that was damaged in transit is refused even if the module supports it.
        if experiment.isWellFormed, isDoubtful(answer) { return perform(.experiment(experiment)) }
        refusals = 0
        let command = experiment.command(advertisingType)
        if wasConnected, experiment.isVoidAfterConnection { return connected(experiment, command) }
        if case .error(.wrongState) = answer, command.text.hasPrefix("at+rsibt") {
            find(experiment.question, sent: command.text + "\r\n", "void: the module has reset itself")
            recoveries += 1
            isBluetoothOn = false
            if recoveries == 1 { plan = [.bluetooth(power: nil), .experiments] + plan }
            return next()
        }
        let settled = experiment.settles(answer, raw: heard, answers)
        if settled?.1 == false, let again = experiment.repetition(after: answer), !repeated.contains(experiment) {
            repeated.insert(experiment)
            return tryOut(again)
        }
        answers[experiment] = answer
        find(experiment.question, sent: command.text + "\r\n", answer.words, settled)
        return tryOut(experiment.successor)
    }

    /// Handles a connection, which ends the advertising: the experiments with advertising are repeated once.
    package mutating func connected(_ experiment: ProbeExperiment, _ command: RS9116Command) -> [ProbeStep] {
        find(experiment.question, sent: command.text + "\r\n", "void: somebody connected to the module")
        connections += 1
        let group = ProbeExperiment.allCases.filter(\.isVoidAfterConnection)
        guard connections == 1 else { return tryOut(group.last?.successor) }
        for experiment in group { answers[experiment] = nil }
        return central.map { perform(.sendingAway($0)) } ?? tryOut(.start)
    }
}

extension ProbeExperiment {
    /// The next experiment; `nil` after the last.
    var successor: ProbeExperiment? { Self.allCases.drop { $0 != self }.dropFirst().first }
}

import BeaconModel

/// The dialogue that makes an RS9116 in any state advertise an iBeacon, and keeps it advertising.
package struct RS9116Dialogue: ModuleDialogue {
    let profile: RS9116Profile
    let pace: ModuleKind.Pace
    let expectedTransmitPower: Int?
    var session: RS9116Session
    var phase = Phase.attaching(Found())
    var assignment: BeaconConfiguration?
    var address: BluetoothAddress?
    var advertisingType = AdvertisingType.nonConnectable
    var centrals = Centrals()
    var listening: RS9116Listening
    /// Whether a command other than the operating mode sets the transmit power.
    var setsPowerApart: Bool
    /// The current time, as last passed in.
    private(set) var now: Duration = .zero
    /// Number of restarts since the module last worked correctly.
    var restarts = 0
    /// Number of consecutive answers that should have been an address.
    var badAnswers = 0

    private static let mostRestarts = 2

    /// Creates a dialogue.
    ///
    /// - Parameters:
    ///   - expected: the configuration that the module will probably be assigned; if it has a transmit power, this
    ///     saves a reset.
    ///   - profile: what is known about the module.
    package init(
        expected: BeaconConfiguration? = nil, profile: RS9116Profile = RS9116Profile(), pace: ModuleKind.Pace = .init()
    ) {
        self.profile = profile
        self.pace = pace
        expectedTransmitPower = expected?.transmitPower
        session = RS9116Session(profile: profile)
        setsPowerApart = !profile.assumes(.powerInOperatingMode)
        listening = RS9116Listening(profile: profile, pace: pace)
    }

    package mutating func handle(_ input: LineInput<ModuleRequest>, now: Duration) -> [ModuleStep] {
        self.now = now
        let steps = take(input)
        if case .watching = phase { return steps }
        return (listening.interrupt().map { [.listening($0)] } ?? []) + steps
    }

    private mutating func take(_ input: LineInput<ModuleRequest>) -> [ModuleStep] {
        switch input {
        case .opened: return opened()
        case .bytes(let bytes): return follow(session.receive(bytes))
        case .deadline: return follow(session.deadline())
        case .leave: return leave()
        case .request(let request): return take(request)
        }
    }

    private mutating func take(_ request: ModuleRequest) -> [ModuleStep] {
        switch (request, phase) {
        case (.assigned(let configuration), _): return assigned(configuration)
        case (.listen(let isWanted), _): return listen(isWanted)
        case (.check, .watching(_, .hearing)): return perform(listening.endTurn())
        case (.check, .watching(_, .idle)): return missed()
        case (.provisionAgain, .ended), (.provisionAgain, .applying), (.provisionAgain, .attaching): return []
        case (.provisionAgain, _): return assignment == nil ? [] : beginAnew(session.reset())
        case (.identify, .watching(let checkAt, .idle)):
            phase = .watching(checkAt: checkAt, .identifying(roundsLeft: 10, questionsLeft: 0))
            return flicker()
        case (.check, _), (.identify, _): return []
        }
    }

    /// Handles the port, open for the first time or again.
    private mutating func opened() -> [ModuleStep] {
        switch phase {
        // The port disappeared while the module worked correctly.
        case .watching, .awaitingDisconnect: return [.lost(.reset)] + beginAnew(session.open())
        case .attaching, .awaitingBluetooth, .awaitingAssignment, .applying, .proving, .awaitingCentrals:
            return beginAnew(session.open())
        case .ended: return []
        }
    }

    mutating func follow(_ outputs: [RS9116Session.Output]) -> [ModuleStep] {
        var steps: [ModuleStep] = []
        for output in outputs {
            switch output {
            case .line(let action): steps.append(.line(action))
            case .step(let step): steps.append(.report(step))
            case .failed(let error):
                phase = .ended
                steps.append(.failed(error))
            case .menu: steps += follow(session.load())
            case .ready(let isFresh): steps += ready(isFresh: isFresh)
            case .answer(let command, let answer): steps += answered(command, answer)
            case .bluetoothLoaded: steps += bluetoothLoaded()
            case .report(let reception): steps += heard(reception)
            case .event(let text): steps += happened(text)
            case .bootText: break
            case .rested: steps += rested()
            }
        }
        return steps
    }

    /// Handles the end of the time that a phase waits for.
    private mutating func rested() -> [ModuleStep] {
        switch phase {
        case .watching(let checkAt, .idle):
            if let dueAt = listening.dueAt, dueAt <= now, now < checkAt { return perform(listening.next(at: now)) }
            return check()
        case .watching(_, .hearing): return perform(listening.endTurn())
        case .watching(_, .identifying): return flicker()
        case .awaitingCentrals(let isUnchanged): return provisioned(isUnchanged: isUnchanged)
        case .awaitingBluetooth(let found):
            phase = .attaching(found)
            return [.report(.bluetoothUnconfirmed)] + follow(session.perform(.localAddress))
        case .awaitingDisconnect: return resumeAdvertising()
        case .watching(_, .checking), .watching(_, .proving), .watching(_, .listening), .attaching,
            .awaitingAssignment, .applying, .proving, .ended:
            return []
        }
    }

    // MARK: Answers

    private mutating func answered(
        _ command: RS9116Command, _ answer: RS9116Session.Answer
    ) -> [ModuleStep] {
        if case .watching(_, .listening(let step)) = phase {
            return perform(listening.answered(step, answer, at: now))
        }
        return switch answer {
        case .ok(let text): accepted(command, text)
        case .error(let code): refused(command, code)
        case .none: unanswered(command)
        }
    }

    private mutating func accepted(_ command: RS9116Command, _ text: String) -> [ModuleStep] {
        switch command {
        case .localAddress: return told(text)
        case .operatingMode, .localName, .deviceState: return acceptedWhileAttaching(command, text)
        case .setTransmitPower: return setData()
        case .setAdvertisingData(let data):
            guard let assignment else { return [] }
            if isProving { return proceed(isOK: true) }
            return [.report(.advertisingDataSet(data))]
                + follow(session.perform(.advertise(advertisingType, assignment.interval)))
        case .advertise: return advertises()
        case .stopAdvertising(let type, let interval):
            if isProving { return proceed(isOK: true) }
            return follow(session.perform(.advertise(type, interval)))
        case .setLocalName: return conclude()
        case .disconnect: return awaitDisconnect()
        case .firmwareVersion, .scan, .reset, .other: return []
        }
    }

    private mutating func refused(_ command: RS9116Command, _ code: RS9116ErrorCode) -> [ModuleStep] {
        let failure = ProvisioningError.refused(command: command.text, purpose: command.purpose, code: code)
        switch (command, phase) {
        case (.advertise, _) where isProving, (.stopAdvertising, _) where isProving,
            (.setAdvertisingData, _) where isProving:
            return proceed(isOK: false)
        case (.localAddress, .watching): return lose(.reset)
        case (.localAddress, .attaching(let found)):
            // The module runs, but Bluetooth is off.
            if case .running = found.origin { return switchBluetoothOn(found) }
        case (.localName, .attaching(let found)): return identified(found)
        case (.deviceState, .attaching(let found)): return identified(found)
        case (.operatingMode(.some), _) where code.cure == .none && !setsPowerApart:
            setsPowerApart = true
            return restart(because: failure, resetting: true)
        case (.setTransmitPower(let index), _): return [.report(.transmitPowerRefused(index, code))] + setData()
        case (.setLocalName, _): return [.report(.markRefused(code))] + conclude()
        case (.disconnect, _): return awaitDisconnect()
        case (.advertise, .awaitingDisconnect) where code == .commandDisallowed:
            // The central has not left; a reset disconnects it.
            return restart(because: .keepsBeingConnected(by: centrals.lastSentAway), resetting: true)
        case (.advertise(let type, let interval), .applying(hasRestarted: false)) where code == .commandDisallowed:
            phase = .applying(hasRestarted: true)
            guard profile.assumes(.stopTakesAllParameters) else { return restart(because: failure, resetting: true) }
            return follow(session.perform(.stopAdvertising(type, interval)))
        case (.stopAdvertising(let type, let interval), _):
            // There was nothing to stop.
            return follow(session.perform(.advertise(type, interval)))
        case (.advertise(.nonConnectable, let interval), _) where code.cure == .none:
            advertisingType = .connectable
            return [.report(.advertisingTypeRefused(.nonConnectable, code))]
                + follow(session.perform(.advertise(.connectable, interval)))
        default: break
        }
        if code.cure == .reset { return restart(because: failure, resetting: true) }
        phase = .ended
        return follow(session.fail(failure))
    }

    private mutating func unanswered(_ command: RS9116Command) -> [ModuleStep] {
        switch (phase, command) {
        case (.watching, _): return lose(.reset)
        case (.awaitingDisconnect, .disconnect): return awaitDisconnect()
        case (.attaching(let found), .localName), (.attaching(let found), .deviceState): return identified(found)
        default: return restart(because: .timedOut(command: command.text, purpose: command.purpose))
        }
    }

    // MARK: Restarting

    mutating func lose(_ loss: ModuleLoss) -> [ModuleStep] { [.lost(loss)] + beginAnew(session.findModule()) }

    mutating func beginAnew(_ outputs: [RS9116Session.Output]) -> [ModuleStep] {
        phase = .attaching(Found())
        return follow(outputs)
    }

    /// Restarts the dialogue, at most twice; after that it fails with `failure`.
    ///
    /// - Parameter resetting: `false` when the module may have reset itself, so that it must be found again.
    mutating func restart(because failure: ProvisioningError, resetting: Bool = false) -> [ModuleStep] {
        restarts += 1
        guard restarts <= Self.mostRestarts else {
            phase = .ended
            return follow(session.fail(failure))
        }
        return [.report(.retrying(failure.what))]
            + beginAnew(resetting ? session.reset() : session.findModule())
    }
}

import Advertisement
import BeaconModel

/// The dialogue that makes an RS9116 in any state advertise an iBeacon, and keeps it advertising.
package struct RS9116Dialogue: ModuleDialogue {
    package enum Phase: Equatable {
        /// Finding and identifying the module.
        case attaching
        case awaitingBluetooth
        case awaitingAssignment
        case applying
        case proving(Proof)
        /// Waiting, while a connectable module advertises, whether a central connects at once and stops it.
        case awaitingCentrals(isUnchanged: Bool)
        case watching
        case checking
        /// Waiting for the answer to a command of the listening.
        case listening(RS9116Listening.Step)
        /// Listening in a turn, without advertising.
        case hearing
        /// Waiting for a central that was told to disconnect.
        case awaitingDisconnect
        case identifying(roundsLeft: Int, questionsLeft: Int)
        case ended
    }

    /// A proof that the module advertises what it should: it was stopped and then accepted a start. A start is refused
    /// both by a module that already advertises, whatever its data, and by one to which a central is connected.
    package enum Proof: Equatable {
        /// The module was found with the fingerprint of its assigned configuration. Another party may have set other
        /// advertising data since.
        case found(Step, wasStopped: Bool)
        /// The module was just started. A central may have connected since.
        case started(Step)
        case watched(Step)

        package enum Step: Equatable {
            /// Starting the advertising, to learn whether it had stopped.
            case asking
            case stopping
            case settingData
            case starting
        }
    }

    package let profile: RS9116Profile
    package let pace: ModuleKind.Pace
    private let expectedTransmitPower: Int?
    package var session: RS9116Session
    package var phase = Phase.attaching
    package private(set) var assignment: BeaconConfiguration?
    /// The operating mode set since the last reset; `nil` while it is unknown.
    private var bootedWith: (transmitPower: Int?, isUsed: Bool)?
    private var isBluetoothLoaded = false
    private var address: BluetoothAddress?
    package private(set) var advertisingType = AdvertisingType.nonConnectable
    private var restartedAdvertising = false
    private var restarts = 0
    private var badAnswers = 0
    /// Whether a central was told to disconnect and neither the answer nor the disconnection has arrived.
    private var isDisconnecting = false
    /// The central that connected last and has not disconnected, as far as the module has reported.
    private var central: BluetoothAddress?
    /// Number of centrals told to disconnect since the module last worked correctly.
    private var centralsSentAway = 0
    private var lastSentAway: BluetoothAddress?
    package var listening = RS9116Listening()
    /// The current time, as last passed in.
    package private(set) var now: Duration = .zero
    /// Time of the next check that the module does what it should.
    private(set) var checkAt: Duration = .zero
    /// Whether the port is about to be released.
    package var isLeaving = false
    /// Whether a command other than the operating mode sets the transmit power.
    private var setsPowerApart: Bool

    private static let mostRestarts = 2
    private static let mostBadAnswers = 2
    private static let mostCentrals = 5
    /// Time in which a phone that connects to every beacon would connect: a few advertising intervals.
    private static let timeForCentrals: Duration = .milliseconds(500)

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
        listening.takesTurns = !profile.assumes(.scanBesideAdvertising)
        listening.refusesSecondStart = profile[.secondScanRefused]
    }

    package mutating func handle(_ input: LineInput<ModuleRequest>, now: Duration) -> [ModuleStep] {
        self.now = now
        let actions = take(input)
        guard listening.isOn, !isWell else { return actions }
        listening.isOn = false
        return [.listening(.ended(.interrupted))] + actions
    }

    /// Whether the module does what it should, as far as is known.
    private var isWell: Bool {
        switch phase {
        case .watching, .checking, .proving(.watched), .listening, .hearing, .identifying: true
        case .attaching, .awaitingBluetooth, .awaitingAssignment, .applying, .proving, .awaitingCentrals,
            .awaitingDisconnect, .ended:
            false
        }
    }

    private mutating func take(_ input: LineInput<ModuleRequest>) -> [ModuleStep] {
        switch input {
        case .opened:
            switch phase {
            // The port disappeared while the module worked correctly.
            case .watching, .checking, .proving(.watched), .listening, .hearing, .identifying, .awaitingDisconnect:
                return [.lost(.reset)] + beginAnew(session.open())
            default: return follow(session.open())
            }
        case .bytes(let bytes): return follow(session.receive(bytes))
        case .deadline: return follow(session.deadline())
        case .leave: return leave()
        case .request(let request): return take(request)
        }
    }

    private mutating func take(_ request: ModuleRequest) -> [ModuleStep] {
        switch request {
        case .assigned(let configuration): return assigned(configuration)
        case .listen(let isWanted): return listen(isWanted)
        case .check:
            if phase == .hearing { return endTurn() }
            return phase == .watching ? missed() : []
        case .provisionAgain:
            guard assignment != nil, phase != .ended, phase != .applying, phase != .attaching else { return [] }
            return beginAnew(session.reset())
        case .identify:
            guard phase == .watching else { return [] }
            phase = .identifying(roundsLeft: 10, questionsLeft: 0)
            return flicker()
        }
    }

    package mutating func follow(_ outputs: [RS9116Session.Output]) -> [ModuleStep] {
        var actions: [ModuleStep] = []
        for output in outputs {
            switch output {
            case .line(let action): actions.append(.line(action))
            case .step(let step): actions.append(.report(step))
            case .failed(let error):
                phase = .ended
                actions.append(.failed(error))
            case .menu: actions += follow(session.load())
            case .ready(let isFresh): actions += ready(isFresh: isFresh)
            case .answer(let command, let answer): actions += answered(command, answer)
            case .bluetoothLoaded: actions += bluetoothLoaded()
            case .report(let reception): actions += heard(reception)
            case .event(let text): actions += happened(text)
            case .bootText: break
            case .rested: actions += rested()
            }
        }
        return actions
    }

    // MARK: Identification

    private mutating func ready(isFresh: Bool) -> [ModuleStep] {
        bootedWith = nil
        isBluetoothLoaded = false
        saysItScans = nil
        badAnswers = 0
        central = nil
        return isFresh ? switchBluetoothOn() : follow(session.perform(.localAddress))
    }

    private mutating func switchBluetoothOn() -> [ModuleStep] {
        let power = setsPowerApart ? nil : assignment.map(\.transmitPower) ?? expectedTransmitPower
        bootedWith = (power, isUsed: false)
        return follow(session.perform(.operatingMode(transmitPower: power)))
    }

    private mutating func bluetoothLoaded() -> [ModuleStep] {
        isBluetoothLoaded = true
        guard phase == .awaitingBluetooth else { return [] }
        phase = .attaching
        return [.report(.bluetoothLoaded)] + follow(session.perform(.localAddress))
    }

    private mutating func identified(_ applied: AppliedConfiguration) -> [ModuleStep] {
        guard let address else { return beginAnew(session.findModule()) }
        if let assignment { return apply(assignment, applied) }
        phase = .awaitingAssignment
        return [
            .identified(
                ModuleIdentity(
                    address: address, firmware: session.firmware, applied: applied, isListening: saysItScans))
        ]
    }

    private mutating func assigned(_ configuration: BeaconConfiguration?) -> [ModuleStep] {
        guard phase != .ended else { return [] }
        guard let configuration else {
            // A module that was started only to be identified is left as it was found.
            var farewell: [ModuleStep] =
                phase == .awaitingAssignment && bootedWith?.isUsed == false
                ? [.send(RS9116Command.reset.bytes)] : []
            // Nothing would read the module's reports.
            if isWell, listening.mayScan { farewell.append(.send(RS9116Command.scan(false).bytes)) }
            phase = .ended
            session.end()
            return farewell + [.finished]
        }
        let before = assignment
        assignment = configuration
        switch phase {
        case .awaitingAssignment:
            let applied: AppliedConfiguration = bootedWith == nil ? known : .none
            return apply(configuration, applied)
        case .attaching, .awaitingBluetooth, .ended: return []
        case .applying, .proving, .awaitingCentrals, .watching, .checking, .listening, .hearing, .awaitingDisconnect,
            .identifying:
            return before == configuration ? [] : beginAnew(session.reset())
        }
    }

    /// Whether a module that was found running reports that it scans; `nil` when unknown.
    private var saysItScans: Bool?
    /// What is known about the configuration of a module that was found running.
    private var known = AppliedConfiguration.unknown

    // MARK: Assignment

    private mutating func apply(_ wanted: BeaconConfiguration, _ applied: AppliedConfiguration) -> [ModuleStep] {
        // The fingerprint shows what a driver last configured, not what the module advertises now.
        if applied.mark == ConfigurationMark(wanted), profile.assumes(.stopTakesAllParameters) {
            return prove(.found(.asking, wasStopped: false))
        }
        // A module that already runs may be advertising, with a transmit power that can no longer be changed.
        let power = setsPowerApart ? nil : wanted.transmitPower
        guard let bootedWith, !bootedWith.isUsed, bootedWith.transmitPower == power else {
            return beginAnew(session.reset())
        }
        phase = .applying
        self.bootedWith?.isUsed = true
        advertisingType = profile.assumes(.nonConnectable) ? .nonConnectable : .connectable
        restartedAdvertising = false
        if setsPowerApart, let power = wanted.transmitPower { return follow(session.perform(.setTransmitPower(power))) }
        return setData()
    }

    private mutating func setData() -> [ModuleStep] {
        guard let assignment else { return [] }
        let data = IBeacon.advertisingData(assignment.beacon, measuredPower: assignment.measuredPower)
        return follow(session.perform(.setAdvertisingData(data)))
    }

    /// Handles an accepted start when all other steps are complete.
    private mutating func started(isUnchanged: Bool) -> [ModuleStep] {
        guard advertisingType == .connectable else { return provisioned(isUnchanged: isUnchanged) }
        guard central == nil else { return sendAway() }
        phase = .awaitingCentrals(isUnchanged: isUnchanged)
        return follow(session.rest(Self.timeForCentrals))
    }

    private mutating func provisioned(isUnchanged: Bool) -> [ModuleStep] {
        guard let address, let configuration = assignment else { return beginAnew(session.findModule()) }
        restarts = 0
        centralsSentAway = 0
        session.forgive()
        phase = .watching
        checkAt = now + pace.checkInterval
        listening.provisioned(at: now)
        var actions: [ModuleStep] = []
        if isUnchanged {
            if advertisingType == .connectable { actions.append(.report(.onlyConnectable)) }
            actions.append(.report(.sentAgain(advertisingType, configuration.interval)))
        } else {
            actions.append(.report(.advertising(advertisingType, configuration.interval)))
        }
        actions.append(
            .provisioned(
                ProvisionedModule(
                    address: address, firmware: session.firmware, configuration: configuration,
                    advertisingType: advertisingType, isUnchanged: isUnchanged)))
        return actions + rest()
    }

    // MARK: Answers

    private mutating func answered(
        _ command: RS9116Command, _ answer: RS9116Session.Answer
    ) -> [ModuleStep] {
        if case .listening(let step) = phase { return answered(step, answer) }
        return switch answer {
        case .ok(let text): accepted(command, text)
        case .error(let code): refused(command, code)
        case .none: unanswered(command)
        }
    }

    private mutating func accepted(_ command: RS9116Command, _ text: String) -> [ModuleStep] {
        switch command {
        case .operatingMode:
            if isBluetoothLoaded { return [.report(.bluetoothLoaded)] + follow(session.perform(.localAddress)) }
            phase = .awaitingBluetooth
            let patience: Duration = profile.assumes(.bluetoothAnnounced) ? .seconds(10) : .seconds(2)
            return follow(session.rest(patience))
        case .localAddress: return told(text)
        case .localName:
            let mark = ConfigurationMark(in: text)
            if let mark { advertisingType = text.contains("\(mark)c") ? .connectable : .nonConnectable }
            known = mark.map { .marked($0) } ?? .unknown
            return mark == nil ? identified(known) : follow(session.perform(.deviceState))
        case .deviceState:
            // Bit 0: advertising. Some firmware gives a wrong number, so the bit is only reported and never relied on.
            if let mark = known.mark, let state = Int(text, radix: 16), state & 1 == 0 { known = .stopped(mark) }
            if let state = Int(text, radix: 16) {
                saysItScans = state & 2 != 0
                if state & 2 != 0 { listening.mayScan = true }
            }
            return identified(known)
        case .setTransmitPower: return setData()
        case .setAdvertisingData(let data):
            guard let assignment else { return [] }
            if case .proving(let proof) = phase { return proceed(proof, isOK: true) }
            return [.report(.advertisingDataSet(data))]
                + follow(session.perform(.advertise(advertisingType, assignment.interval)))
        case .advertise: return advertises()
        case .stopAdvertising(let type, let interval):
            if case .proving(let proof) = phase { return proceed(proof, isOK: true) }
            return follow(session.perform(.advertise(type, interval)))
        case .setLocalName: return conclude()
        case .disconnect: return awaitDisconnect()
        case .firmwareVersion, .scan, .reset, .other: return []
        }
    }

    /// Handles the module's address, which may arrive in any phase.
    private mutating func told(_ text: String) -> [ModuleStep] {
        guard let address = BluetoothAddress(text) else {
            badAnswers += 1
            guard badAnswers <= Self.mostBadAnswers else { return restart(because: .unintelligibleAddress(text)) }
            return follow(session.pause(before: .localAddress))
        }
        badAnswers = 0
        let isAnother = self.address != nil && self.address != address
        self.address = address
        // The assignment belongs to the previous module.
        if isAnother { assignment = nil }
        switch phase {
        case .checking where isAnother, .identifying where isAnother: return lose(.reset)
        case .checking: return askWhetherAdvertising()
        case .identifying: return flicker()
        // The answer belongs to an earlier query.
        case .awaitingDisconnect: return []
        default: break
        }
        var actions: [ModuleStep] = [.report(.address(address))]
        // The configuration made since the last reset is known.
        actions += bootedWith == nil ? follow(session.perform(.localName)) : identified(.none)
        return actions
    }

    /// Handles an accepted start.
    private mutating func advertises() -> [ModuleStep] {
        guard let assignment else { return [] }
        if case .proving(let proof) = phase { return proceed(proof, isOK: true) }
        if phase == .awaitingDisconnect { return started(isUnchanged: false) }
        guard profile.assumes(.nameReadable) else { return conclude() }
        let mark = ConfigurationMark(assignment).localName(advertisingType)
        return follow(session.perform(.setLocalName(mark)))
    }

    /// Handles the end of the configuration, with an accepted start.
    private mutating func conclude() -> [ModuleStep] {
        guard advertisingType == .connectable, profile.assumes(.stopTakesAllParameters) else {
            return started(isUnchanged: false)
        }
        return prove(.started(.stopping))
    }

    // MARK: Proving that it advertises

    private mutating func prove(_ proof: Proof) -> [ModuleStep] {
        guard let assignment else { return [] }
        phase = .proving(proof)
        switch proof {
        case .found(.asking, _), .started(.asking), .watched(.asking), .found(.starting, _), .started(.starting),
            .watched(.starting):
            return follow(session.perform(.advertise(advertisingType, assignment.interval)))
        case .found(.stopping, _), .started(.stopping), .watched(.stopping):
            return follow(session.perform(.stopAdvertising(advertisingType, assignment.interval)))
        case .found(.settingData, _), .started(.settingData), .watched(.settingData): return setData()
        }
    }

    /// Continues a proof.
    ///
    /// - Parameter isOK: whether the module accepted the command of this step. It may refuse to stop after a central
    ///   has stopped it.
    private mutating func proceed(_ proof: Proof, isOK: Bool) -> [ModuleStep] {
        switch (proof, isOK) {
        case (.found(.asking, _), _):
            // A module that accepts every start gives no information.
            return prove(.found(.stopping, wasStopped: isOK && profile[.doubleStartRefused] != false))
        case (.found(.stopping, let wasStopped), _): return prove(.found(.settingData, wasStopped: wasStopped))
        case (.found(.settingData, let wasStopped), true): return prove(.found(.starting, wasStopped: wasStopped))
        case (.found(.starting, let wasStopped), true): return started(isUnchanged: !wasStopped)
        case (.found(.settingData, _), false), (.found(.starting, _), false):
            return beginAnew(session.reset())
        case (.started(.starting), true): return started(isUnchanged: false)
        case (.watched(.asking), true) where profile[.doubleStartRefused] != false:
            return [.lost(.advertisingStopped)] + started(isUnchanged: false)
        case (.watched(.asking), _):
            return profile.assumes(.stopTakesAllParameters) ? prove(.watched(.stopping)) : watch()
        case (.watched(.starting), true): return watch()
        case (.started(.starting), false): return sendAway()
        case (.watched(.starting), false): return [.lost(.central)] + sendAway()
        case (.started, _): return prove(.started(.starting))
        case (.watched, _): return prove(.watched(.starting))
        }
    }

    /// Disconnects the central: a stopped module that refuses to start has one connected.
    private mutating func sendAway() -> [ModuleStep] {
        guard let central else {
            let start = RS9116Command.advertise(advertisingType, assignment?.interval ?? .appleIBeacon)
            return restart(
                because: .refused(command: start.text, purpose: start.purpose, code: .commandDisallowed),
                resetting: true)
        }
        return disconnect(central)
    }

    /// Disconnects a central and waits until it has left.
    ///
    /// - Parameter central: `nil` when the module did not give its address. The dialogue then only waits.
    private mutating func disconnect(_ central: BluetoothAddress?) -> [ModuleStep] {
        centralsSentAway += 1
        lastSentAway = central
        guard centralsSentAway <= Self.mostCentrals else {
            centralsSentAway = 0
            phase = .ended
            return follow(session.fail(.keepsBeingConnected(by: central)))
        }
        phase = .awaitingDisconnect
        isDisconnecting = true
        return central.map { follow(session.perform(.disconnect($0))) } ?? awaitDisconnect()
    }

    private mutating func refused(_ command: RS9116Command, _ code: RS9116ErrorCode) -> [ModuleStep] {
        let failure = ProvisioningError.refused(command: command.text, purpose: command.purpose, code: code)
        switch command {
        case .advertise, .stopAdvertising, .setAdvertisingData:
            guard case .proving(let proof) = phase else { break }
            return proceed(proof, isOK: false)
        default: break
        }
        switch command {
        case .localAddress where phase == .checking, .localAddress where isIdentifying: return lose(.reset)
        case .localAddress where bootedWith == nil:
            // The module runs, but Bluetooth is off.
            return switchBluetoothOn()
        case .localName:
            known = .unknown
            return identified(known)
        case .operatingMode(.some) where code.cure == .none && !setsPowerApart:
            setsPowerApart = true
            return restart(because: failure, resetting: true)
        case .setTransmitPower(let index):
            return [.report(.transmitPowerRefused(index, code))] + setData()
        case .setLocalName:
            return [.report(.markRefused(code))] + conclude()
        case .disconnect: return awaitDisconnect()
        case .deviceState: return identified(known)
        case .advertise where code == .commandDisallowed && phase == .awaitingDisconnect:
            // The central has not left; a reset disconnects it.
            return restart(because: .keepsBeingConnected(by: lastSentAway), resetting: true)
        case .advertise(let type, let interval) where code == .commandDisallowed && !restartedAdvertising:
            restartedAdvertising = true
            guard profile.assumes(.stopTakesAllParameters) else { return restart(because: failure, resetting: true) }
            return follow(session.perform(.stopAdvertising(type, interval)))
        case .stopAdvertising(let type, let interval):
            // There was nothing to stop.
            return follow(session.perform(.advertise(type, interval)))
        case .advertise(.nonConnectable, let interval) where code.cure == .none:
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
        case (.checking, _), (.proving(.watched), _), (.identifying, _): return lose(.reset)
        case (.awaitingDisconnect, .disconnect): return awaitDisconnect()
        case (_, .localName):
            known = .unknown
            return identified(known)
        case (_, .deviceState): return identified(known)
        default: return restart(because: .timedOut(command: command.text, purpose: command.purpose))
        }
    }

    // MARK: Watching

    private mutating func watch() -> [ModuleStep] {
        checkAt = now + pace.checkInterval
        return rest()
    }

    /// Waits until the next check or listening step is due.
    package mutating func rest() -> [ModuleStep] {
        if isLeaving { return listening.mayScan ? take(.stop) : [.finished] }
        phase = .watching
        let due = listening.dueAt.map { min($0, checkAt) } ?? checkAt
        return follow(session.rest(max(.zero, due - now)))
    }

    package mutating func check() -> [ModuleStep] {
        phase = .checking
        return follow(session.perform(.localAddress))
    }

    /// Checks a connectable module, which may have stopped without a report being received.
    private mutating func askWhetherAdvertising() -> [ModuleStep] {
        advertisingType == .connectable ? prove(.watched(.asking)) : watch()
    }

    private mutating func rested() -> [ModuleStep] {
        switch phase {
        case .watching:
            if let dueAt = listening.dueAt, dueAt <= now, now < checkAt { return listenNext() }
            return check()
        case .hearing: return endTurn()
        case .awaitingCentrals(let isUnchanged): return provisioned(isUnchanged: isUnchanged)
        case .awaitingBluetooth:
            phase = .attaching
            return [.report(.bluetoothUnconfirmed)] + follow(session.perform(.localAddress))
        case .awaitingDisconnect: return resumeAdvertising()
        case .identifying: return flicker()
        case .attaching, .awaitingAssignment, .applying, .proving, .checking, .listening, .ended: return []
        }
    }

    private mutating func happened(_ event: String) -> [ModuleStep] {
        let name = event.uppercased()
        let hasLeft = name.hasPrefix("AT+RSIBT_LE_DISCONNECTED")
        let hasCome = name.hasPrefix("AT+RSIBT_LE_DEVICE") && name.contains("CONNECTED")
        if hasLeft { central = nil }
        if hasCome { central = event.split { $0 == "," || $0 == "=" }.lazy.compactMap { BluetoothAddress($0) }.first }
        // Before and during a proof, the proof itself detects connections.
        guard assignment != nil,
            isWatching || phase == .awaitingDisconnect || isAwaitingCentrals
        else { return [] }
        if hasLeft {
            // No other command can be sent before the answer to `disconnect`.
            if isDisconnecting {
                isDisconnecting = false
                return []
            }
            return (isWatching ? [.lost(.central)] : []) + resumeAdvertising()
        }
        guard hasCome, phase != .awaitingDisconnect else { return [] }
        let loss: [ModuleStep] = isWatching ? [.lost(.central)] : []
        return loss + disconnect(central)
    }

    /// Whether the module last worked correctly.
    private var isWatching: Bool {
        switch phase {
        case .watching, .checking, .listening, .hearing, .identifying: true
        default: false
        }
    }

    private var isAwaitingCentrals: Bool {
        if case .awaitingCentrals = phase { true } else { false }
    }

    /// Waits until a central has disconnected. One that stays connected prevents advertising; a reset disconnects it.
    private mutating func awaitDisconnect() -> [ModuleStep] {
        phase = .awaitingDisconnect
        guard isDisconnecting else { return resumeAdvertising() }
        isDisconnecting = false
        return follow(session.rest(.seconds(2)))
    }

    private mutating func resumeAdvertising() -> [ModuleStep] {
        guard let assignment else { return [] }
        phase = .awaitingDisconnect
        restartedAdvertising = true
        // If a central is still connected, the module refuses the start.
        central = nil
        return follow(session.perform(.advertise(advertisingType, assignment.interval)))
    }

    private var isIdentifying: Bool {
        if case .identifying = phase { true } else { false }
    }

    /// Sends bursts of harmless queries with pauses between them, so that the lights of the serial adapter flicker.
    private mutating func flicker() -> [ModuleStep] {
        guard case .identifying(let rounds, let questions) = phase else { return [] }
        if questions > 0 {
            phase = .identifying(roundsLeft: rounds, questionsLeft: questions - 1)
            return follow(session.perform(.localAddress))
        }
        guard rounds > 0 else { return watch() }
        phase = .identifying(roundsLeft: rounds - 1, questionsLeft: 8)
        return follow(session.rest(.milliseconds(500)))
    }

    // MARK: Restarting

    package mutating func lose(_ loss: ModuleLoss) -> [ModuleStep] {
        [.lost(loss)] + beginAnew(session.findModule())
    }

    package mutating func beginAnew(_ outputs: [RS9116Session.Output]) -> [ModuleStep] {
        phase = .attaching
        bootedWith = nil
        known = .unknown
        return follow(outputs)
    }

    /// Restarts the dialogue, at most twice; after that it fails with `failure`.
    ///
    /// - Parameter resetting: `false` when the module may have reset itself, so that it must be found again.
    package mutating func restart(because failure: ProvisioningError, resetting: Bool = false) -> [ModuleStep] {
        restarts += 1
        guard restarts <= Self.mostRestarts else {
            phase = .ended
            return follow(session.fail(failure))
        }
        return [.report(.retrying(failure.what))]
            + beginAnew(resetting ? session.reset() : session.findModule())
    }
}

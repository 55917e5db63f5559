import Advertisement
import BeaconModel

/// The dialogue that makes an RS9116 advertise an iBeacon, from whatever state the module is in, and keeps it so.
package struct RS9116Dialogue: ModuleDialogue {
    package enum Phase: Equatable {
        /// Finding the module, and asking who it is.
        case attaching
        case awaitingBluetooth
        case awaitingAssignment
        case applying
        case proving(Proof)
        /// A connectable module advertises; whether a central comes at once and stops it is waited for.
        case awaitingCentrals(isUnchanged: Bool)
        case watching
        case checking
        /// A command of its listening waits for its answer.
        case listening(RS9116Listening.Step)
        /// It listens, and doesn't advertise meanwhile.
        case hearing
        /// A central was told to leave.
        case awaitingDisconnect
        case identifying(roundsLeft: Int, questionsLeft: Int)
        case ended
    }

    /// Whether the module advertises what it shall is known once it was stopped and took a start: a start is refused
    /// both by a module that advertises, whatever that is, and by one to which a central is connected.
    package enum Proof: Equatable {
        /// It was found with the mark of what it shall advertise. Somebody may have set other advertising data since.
        case found(Step, wasStopped: Bool)
        /// It was started just now. A central may have connected since.
        case started(Step)
        case watched(Step)

        package enum Step: Equatable {
            /// It is started, which tells whether it had stopped.
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
    /// As the operating mode was told in this boot; `nil` while it isn't known.
    private var bootedWith: (transmitPower: Int?, isUsed: Bool)?
    private var isBluetoothLoaded = false
    private var address: BluetoothAddress?
    package private(set) var advertisingType = AdvertisingType.nonConnectable
    private var restartedAdvertising = false
    private var restarts = 0
    private var badAnswers = 0
    /// A central was told to leave, and neither the answer nor its leaving has come.
    private var isDisconnecting = false
    /// The central that connected last and hasn't left, as far as the module has told.
    private var central: BluetoothAddress?
    /// Centrals that were told to leave since the module was well last.
    private var centralsSentAway = 0
    private var lastSentAway: BluetoothAddress?
    package var listening = RS9116Listening()
    /// The time, as it was last told.
    package private(set) var now: Duration = .zero
    /// When it is looked next whether the module does what it should.
    private(set) var checkAt: Duration = .zero
    /// The port is about to be given back.
    package var isLeaving = false
    /// The transmit power isn't set by the operating mode.
    private var setsPowerApart: Bool

    private static let mostRestarts = 2
    private static let mostBadAnswers = 2
    private static let mostCentrals = 5
    /// A phone that connects to whatever it hears does so within some advertising intervals.
    private static let timeForCentrals: Duration = .milliseconds(500)

    /// - Parameters:
    ///   - expected: what the module will probably be assigned; saves a reset when that has a transmit power.
    ///   - profile: what is known of the module.
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

    package mutating func handle(_ input: DialogueInput, now: Duration) -> [DialogueAction] {
        self.now = now
        return handle(input)
    }

    package mutating func handle(_ input: DialogueInput) -> [DialogueAction] {
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

    private mutating func take(_ input: DialogueInput) -> [DialogueAction] {
        switch input {
        case .opened:
            switch phase {
            // The port went away under a module that was well.
            case .watching, .checking, .proving(.watched), .listening, .hearing, .identifying, .awaitingDisconnect:
                return [.lost(.reset)] + beginAnew(session.open())
            default: return follow(session.open())
            }
        case .bytes(let bytes): return follow(session.receive(bytes))
        case .deadline: return follow(session.deadline())
        case .assigned(let configuration): return assigned(configuration)
        case .listen(let isWanted): return listen(isWanted)
        case .check:
            if phase == .hearing { return endTurn() }
            return phase == .watching ? missed() : []
        case .leave: return leave()
        case .provisionAgain:
            guard assignment != nil, phase != .ended, phase != .applying, phase != .attaching else { return [] }
            return beginAnew(session.reset())
        case .identify:
            guard phase == .watching else { return [] }
            phase = .identifying(roundsLeft: 10, questionsLeft: 0)
            return flicker()
        }
    }

    package mutating func follow(_ outputs: [RS9116Session.Output]) -> [DialogueAction] {
        var actions: [DialogueAction] = []
        for output in outputs {
            switch output {
            case .action(let action):
                if case .failed = action { phase = .ended }
                actions.append(action)
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

    // MARK: Who it is

    private mutating func ready(isFresh: Bool) -> [DialogueAction] {
        bootedWith = nil
        isBluetoothLoaded = false
        saysItScans = nil
        badAnswers = 0
        central = nil
        return isFresh ? switchBluetoothOn() : follow(session.perform(.localAddress))
    }

    private mutating func switchBluetoothOn() -> [DialogueAction] {
        let power = setsPowerApart ? nil : assignment.map(\.transmitPower) ?? expectedTransmitPower
        bootedWith = (power, isUsed: false)
        return follow(session.perform(.operatingMode(transmitPower: power)))
    }

    private mutating func bluetoothLoaded() -> [DialogueAction] {
        isBluetoothLoaded = true
        guard phase == .awaitingBluetooth else { return [] }
        phase = .attaching
        return [.report(.bluetoothLoaded)] + follow(session.perform(.localAddress))
    }

    private mutating func identified(_ applied: AppliedConfiguration) -> [DialogueAction] {
        guard let address else { return beginAnew(session.findModule()) }
        if let assignment { return apply(assignment, applied) }
        phase = .awaitingAssignment
        return [
            .identified(
                ModuleIdentity(
                    address: address, firmware: session.firmware, applied: applied, isListening: saysItScans))
        ]
    }

    private mutating func assigned(_ configuration: BeaconConfiguration?) -> [DialogueAction] {
        guard phase != .ended else { return [] }
        guard let configuration else {
            // What was started only to be asked is left as it was found.
            var farewell: [DialogueAction] =
                phase == .awaitingAssignment && bootedWith?.isUsed == false
                ? [.send(RS9116Command.reset.bytes)] : []
            // Nobody would read its reports.
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

    /// What a module that was found running says of its scanning.
    private var saysItScans: Bool?
    /// What is known of a module that was found running.
    private var known = AppliedConfiguration.unknown

    // MARK: What it shall do

    private mutating func apply(_ wanted: BeaconConfiguration, _ applied: AppliedConfiguration) -> [DialogueAction] {
        // The mark says what it was told last by a driver, not what it advertises now.
        if applied.mark == ConfigurationMark(wanted), profile.assumes(.stopTakesAllParameters) {
            return prove(.found(.asking, wasStopped: false))
        }
        // What runs already may advertise, with a transmit power that can't be changed.
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

    private mutating func setData() -> [DialogueAction] {
        guard let assignment else { return [] }
        let data = IBeacon.advertisingData(assignment.beacon, measuredPower: assignment.measuredPower)
        return follow(session.perform(.setAdvertisingData(data)))
    }

    /// A start was accepted, and everything else was done.
    private mutating func started(isUnchanged: Bool) -> [DialogueAction] {
        guard advertisingType == .connectable else { return provisioned(isUnchanged: isUnchanged) }
        guard central == nil else { return sendAway() }
        phase = .awaitingCentrals(isUnchanged: isUnchanged)
        return follow(session.rest(Self.timeForCentrals))
    }

    private mutating func provisioned(isUnchanged: Bool) -> [DialogueAction] {
        guard let address, let configuration = assignment else { return beginAnew(session.findModule()) }
        restarts = 0
        centralsSentAway = 0
        session.forgive()
        phase = .watching
        checkAt = now + pace.checkInterval
        listening.provisioned(at: now)
        var actions: [DialogueAction] = []
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
    ) -> [DialogueAction] {
        if case .listening(let step) = phase { return answered(step, answer) }
        return switch answer {
        case .ok(let text): accepted(command, text)
        case .error(let code): refused(command, code)
        case .none: unanswered(command)
        }
    }

    private mutating func accepted(_ command: RS9116Command, _ text: String) -> [DialogueAction] {
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
            // Bit 0: advertising. Some firmware gives a wrong number, so that it is only told, and gone by nowhere.
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

    /// The module's address, at any time.
    private mutating func told(_ text: String) -> [DialogueAction] {
        guard let address = BluetoothAddress(text) else {
            badAnswers += 1
            guard badAnswers <= Self.mostBadAnswers else { return restart(because: .unintelligibleAddress(text)) }
            return follow(session.pause(before: .localAddress))
        }
        badAnswers = 0
        let isAnother = self.address != nil && self.address != address
        self.address = address
        // What the one before was assigned is not this one's.
        if isAnother { assignment = nil }
        switch phase {
        case .checking where isAnother, .identifying where isAnother: return lose(.reset)
        case .checking: return askWhetherAdvertising()
        case .identifying: return flicker()
        // An answer to an earlier question.
        case .awaitingDisconnect: return []
        default: break
        }
        var actions: [DialogueAction] = [.report(.address(address))]
        // What was configured in this boot is known.
        actions += bootedWith == nil ? follow(session.perform(.localName)) : identified(.none)
        return actions
    }

    /// A start was accepted.
    private mutating func advertises() -> [DialogueAction] {
        guard let assignment else { return [] }
        if case .proving(let proof) = phase { return proceed(proof, isOK: true) }
        if phase == .awaitingDisconnect { return started(isUnchanged: false) }
        guard profile.assumes(.nameReadable) else { return conclude() }
        let mark = ConfigurationMark(assignment).localName(advertisingType)
        return follow(session.perform(.setLocalName(mark)))
    }

    /// Everything was set, and a start was accepted.
    private mutating func conclude() -> [DialogueAction] {
        guard advertisingType == .connectable, profile.assumes(.stopTakesAllParameters) else {
            return started(isUnchanged: false)
        }
        return prove(.started(.stopping))
    }

    // MARK: Proving that it advertises

    private mutating func prove(_ proof: Proof) -> [DialogueAction] {
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

    /// - Parameter isOK: whether the module took the command of this step. It may refuse to be stopped when a central
    ///   has stopped it.
    private mutating func proceed(_ proof: Proof, isOK: Bool) -> [DialogueAction] {
        switch (proof, isOK) {
        case (.found(.asking, _), _):
            // A module that takes every start doesn't tell.
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

    /// A module that is stopped and takes no start has a central connected.
    private mutating func sendAway() -> [DialogueAction] {
        guard let central else {
            let start = RS9116Command.advertise(advertisingType, assignment?.interval ?? .appleIBeacon)
            return restart(
                because: .refused(command: start.text, purpose: start.purpose, code: .commandDisallowed),
                resetting: true)
        }
        return disconnect(central)
    }

    /// - Parameter central: `nil` when the module didn't say who it is; then it is only waited for.
    private mutating func disconnect(_ central: BluetoothAddress?) -> [DialogueAction] {
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

    private mutating func refused(_ command: RS9116Command, _ code: RS9116ErrorCode) -> [DialogueAction] {
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
            // It runs, but Bluetooth isn't on.
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
            // It hasn't left; a reset ends that.
            return restart(because: .keepsBeingConnected(by: lastSentAway), resetting: true)
        case .advertise(let type, let interval) where code == .commandDisallowed && !restartedAdvertising:
            restartedAdvertising = true
            guard profile.assumes(.stopTakesAllParameters) else { return restart(because: failure, resetting: true) }
            return follow(session.perform(.stopAdvertising(type, interval)))
        case .stopAdvertising(let type, let interval):
            // Nothing to stop.
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

    private mutating func unanswered(_ command: RS9116Command) -> [DialogueAction] {
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

    private mutating func watch() -> [DialogueAction] {
        checkAt = now + pace.checkInterval
        return rest()
    }

    /// Waits for what is due next.
    package mutating func rest() -> [DialogueAction] {
        if isLeaving { return listening.mayScan ? take(.stop) : [.finished] }
        phase = .watching
        let due = listening.dueAt.map { min($0, checkAt) } ?? checkAt
        return follow(session.rest(max(.zero, due - now)))
    }

    package mutating func check() -> [DialogueAction] {
        phase = .checking
        return follow(session.perform(.localAddress))
    }

    /// A connectable module may have stopped without a word that was heard.
    private mutating func askWhetherAdvertising() -> [DialogueAction] {
        advertisingType == .connectable ? prove(.watched(.asking)) : watch()
    }

    private mutating func rested() -> [DialogueAction] {
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

    private mutating func happened(_ event: String) -> [DialogueAction] {
        let name = event.uppercased()
        let hasLeft = name.hasPrefix("AT+RSIBT_LE_DISCONNECTED")
        let hasCome = name.hasPrefix("AT+RSIBT_LE_DEVICE") && name.contains("CONNECTED")
        if hasLeft { central = nil }
        if hasCome { central = event.split { $0 == "," || $0 == "=" }.lazy.compactMap { BluetoothAddress($0) }.first }
        // Before and during a proof it is that which notices.
        guard assignment != nil,
            isWatching || phase == .awaitingDisconnect || isAwaitingCentrals
        else { return [] }
        if hasLeft {
            // Before the answer to `disconnect` nothing else can be sent.
            if isDisconnecting {
                isDisconnecting = false
                return []
            }
            return (isWatching ? [.lost(.central)] : []) + resumeAdvertising()
        }
        guard hasCome, phase != .awaitingDisconnect else { return [] }
        let loss: [DialogueAction] = isWatching ? [.lost(.central)] : []
        return loss + disconnect(central)
    }

    /// Whether the module was well, as far as is known.
    private var isWatching: Bool {
        switch phase {
        case .watching, .checking, .listening, .hearing, .identifying: true
        default: false
        }
    }

    private var isAwaitingCentrals: Bool {
        if case .awaitingCentrals = phase { true } else { false }
    }

    /// A central that doesn't leave when it is told to keeps the module from advertising; a reset ends it.
    private mutating func awaitDisconnect() -> [DialogueAction] {
        phase = .awaitingDisconnect
        guard isDisconnecting else { return resumeAdvertising() }
        isDisconnecting = false
        return follow(session.rest(.seconds(2)))
    }

    private mutating func resumeAdvertising() -> [DialogueAction] {
        guard let assignment else { return [] }
        phase = .awaitingDisconnect
        restartedAdvertising = true
        // Who is still connected makes the module refuse the start.
        central = nil
        return follow(session.perform(.advertise(advertisingType, assignment.interval)))
    }

    private var isIdentifying: Bool {
        if case .identifying = phase { true } else { false }
    }

    /// Bursts of questions, which do no harm, with pauses between them: the lights of the serial adapter flicker.
    private mutating func flicker() -> [DialogueAction] {
        guard case .identifying(let rounds, let questions) = phase else { return [] }
        if questions > 0 {
            phase = .identifying(roundsLeft: rounds, questionsLeft: questions - 1)
            return follow(session.perform(.localAddress))
        }
        guard rounds > 0 else { return watch() }
        phase = .identifying(roundsLeft: rounds - 1, questionsLeft: 8)
        return follow(session.rest(.milliseconds(500)))
    }

    // MARK: Beginning anew

    package mutating func lose(_ loss: ModuleLoss) -> [DialogueAction] {
        [.lost(loss)] + beginAnew(session.findModule())
    }

    package mutating func beginAnew(_ outputs: [RS9116Session.Output]) -> [DialogueAction] {
        phase = .attaching
        bootedWith = nil
        known = .unknown
        return follow(outputs)
    }

    /// Begins from the start, at most twice; then `failure` stands.
    ///
    /// - Parameter resetting: `false` when the module may have reset itself, so that it has to be found again.
    package mutating func restart(because failure: ProvisioningError, resetting: Bool = false) -> [DialogueAction] {
        restarts += 1
        guard restarts <= Self.mostRestarts else {
            phase = .ended
            return follow(session.fail(failure))
        }
        return [.report(.retrying(failure.what))]
            + beginAnew(resetting ? session.reset() : session.findModule())
    }
}

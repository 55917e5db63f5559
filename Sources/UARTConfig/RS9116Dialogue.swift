import Advertisement
import BeaconModel

/// The dialogue that makes an RS9116 advertise an iBeacon, from whatever state the module is in, and keeps it so.
struct RS9116Dialogue: ModuleDialogue {
    private enum Phase: Equatable {
        /// Finding the module, and asking who it is.
        case attaching
        case awaitingBluetooth
        case awaitingAssignment
        case applying
        /// It has what it shall have; whether it is on the air is found by starting it.
        case confirming
        case watching
        case checking
        /// A central was told to leave.
        case awaitingDisconnect
        case identifying(roundsLeft: Int, questionsLeft: Int)
        case ended
    }

    private let profile: RS9116Profile
    private let pace: ModuleKind.Pace
    private let expectedTransmitPower: Int?
    private var session: RS9116Session
    private var phase = Phase.attaching
    private var assignment: BeaconConfiguration?
    /// As the operating mode was told in this boot; `nil` while it isn't known.
    private var bootedWith: (transmitPower: Int?, isUsed: Bool)?
    private var isBluetoothLoaded = false
    private var address: BluetoothAddress?
    private var advertisingType = AdvertisingType.nonConnectable
    private var restartedAdvertising = false
    private var restarts = 0
    private var badAnswers = 0
    /// A central was told to leave, and neither the answer nor its leaving has come.
    private var isDisconnecting = false
    /// The transmit power isn't set by the operating mode.
    private var setsPowerApart: Bool

    private static let mostRestarts = 2
    private static let mostBadAnswers = 2

    /// - Parameters:
    ///   - expected: what the module will probably be assigned; saves a reset when that has a transmit power.
    ///   - profile: what is known of the module.
    init(
        expected: BeaconConfiguration? = nil, profile: RS9116Profile = RS9116Profile(), pace: ModuleKind.Pace = .init()
    ) {
        self.profile = profile
        self.pace = pace
        expectedTransmitPower = expected?.transmitPower
        session = RS9116Session(profile: profile)
        setsPowerApart = !profile.assumes(.powerInOperatingMode)
    }

    mutating func handle(_ input: DialogueInput) -> [DialogueAction] {
        switch input {
        case .opened:
            switch phase {
            // The port went away under a module that was well.
            case .watching, .checking, .identifying, .awaitingDisconnect:
                return [.lost(.reset)] + beginAnew(session.open())
            default: return follow(session.open())
            }
        case .bytes(let bytes): return follow(session.receive(bytes))
        case .deadline: return follow(session.deadline())
        case .assigned(let configuration): return assigned(configuration)
        case .check: return phase == .watching ? check() : []
        case .provisionAgain:
            guard assignment != nil, phase != .ended, phase != .applying, phase != .attaching else { return [] }
            return beginAnew(session.reset())
        case .identify:
            guard phase == .watching else { return [] }
            phase = .identifying(roundsLeft: 10, questionsLeft: 0)
            return flicker()
        }
    }

    private mutating func follow(_ outputs: [RS9116Session.Output]) -> [DialogueAction] {
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
        badAnswers = 0
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
        return [.identified(ModuleIdentity(address: address, firmware: session.firmware, applied: applied))]
    }

    private mutating func assigned(_ configuration: BeaconConfiguration?) -> [DialogueAction] {
        guard phase != .ended else { return [] }
        guard let configuration else {
            // What was started only to be asked is left as it was found.
            let farewell: [DialogueAction] =
                phase == .awaitingAssignment && bootedWith?.isUsed == false
                ? [.send(RS9116Command.reset.bytes)] : []
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
        case .applying, .confirming, .watching, .checking, .awaitingDisconnect, .identifying:
            return before == configuration ? [] : beginAnew(session.reset())
        }
    }

    /// What is known of a module that was found running.
    private var known = AppliedConfiguration.unknown

    // MARK: What it shall do

    private mutating func apply(_ wanted: BeaconConfiguration, _ applied: AppliedConfiguration) -> [DialogueAction] {
        if applied.mark == ConfigurationMark(wanted) {
            // The mark says what it was told, not that it still advertises: somebody may have stopped it.
            phase = .confirming
            return follow(session.perform(.advertise(advertisingType, wanted.interval)))
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

    private mutating func provisioned(_ configuration: BeaconConfiguration, isUnchanged: Bool) -> [DialogueAction] {
        guard let address else { return beginAnew(session.findModule()) }
        restarts = 0
        session.forgive()
        phase = .watching
        var actions: [DialogueAction] = [
            isUnchanged ? .report(.unchanged) : .report(.advertising(advertisingType, configuration.interval))
        ]
        actions.append(
            .provisioned(
                ProvisionedModule(
                    address: address, firmware: session.firmware, configuration: configuration,
                    advertisingType: advertisingType, isUnchanged: isUnchanged)))
        return actions + follow(session.rest(pace.checkInterval))
    }

    // MARK: Answers

    private mutating func answered(
        _ command: RS9116Command, _ answer: RS9116Session.Answer
    ) -> [DialogueAction] {
        switch answer {
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
            return identified(known)
        case .setTransmitPower: return setData()
        case .setAdvertisingData(let data):
            guard let assignment else { return [] }
            return [.report(.advertisingDataSet(data))]
                + follow(session.perform(.advertise(advertisingType, assignment.interval)))
        case .advertise: return advertises(wasStopped: true)
        case .stopAdvertising(let type, let interval): return follow(session.perform(.advertise(type, interval)))
        case .setLocalName: return assignment.map { provisioned($0, isUnchanged: false) } ?? []
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

    private mutating func advertises(wasStopped: Bool) -> [DialogueAction] {
        guard let assignment else { return [] }
        if phase == .checking {
            return wasStopped && profile[.doubleStartRefused] != false
                ? [.lost(.advertisingStopped)] + provisioned(assignment, isUnchanged: false)
                : watch()
        }
        if phase == .confirming {
            return provisioned(assignment, isUnchanged: !wasStopped || profile[.doubleStartRefused] == false)
        }
        if phase == .awaitingDisconnect { return provisioned(assignment, isUnchanged: false) }
        guard profile.assumes(.nameReadable) else { return provisioned(assignment, isUnchanged: false) }
        let mark = ConfigurationMark(assignment).localName(advertisingType)
        return follow(session.perform(.setLocalName(mark)))
    }

    private mutating func refused(_ command: RS9116Command, _ code: RS9116ErrorCode) -> [DialogueAction] {
        let failure = ProvisioningError.refused(command: command.text, purpose: command.purpose, code: code)
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
            return [.report(.markRefused(code))] + (assignment.map { provisioned($0, isUnchanged: false) } ?? [])
        case .disconnect: return awaitDisconnect()
        case .advertise where (phase == .checking || phase == .confirming) && code == .commandDisallowed:
            return advertises(wasStopped: false)
        case .advertise where phase == .confirming: return beginAnew(session.reset())
        case .deviceState: return identified(known)
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
        case (.checking, _), (.identifying, _): return lose(.reset)
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
        phase = .watching
        return follow(session.rest(pace.checkInterval))
    }

    private mutating func check() -> [DialogueAction] {
        phase = .checking
        return follow(session.perform(.localAddress))
    }

    /// Whoever can be connected to may have stopped without a word that was heard.
    private mutating func askWhetherAdvertising() -> [DialogueAction] {
        guard advertisingType == .connectable, let assignment else { return watch() }
        return follow(session.perform(.advertise(advertisingType, assignment.interval)))
    }

    private mutating func rested() -> [DialogueAction] {
        switch phase {
        case .watching: return check()
        case .awaitingBluetooth:
            phase = .attaching
            return [.report(.bluetoothUnconfirmed)] + follow(session.perform(.localAddress))
        case .awaitingDisconnect: return resumeAdvertising()
        case .identifying: return flicker()
        case .attaching, .awaitingAssignment, .applying, .confirming, .checking, .ended: return []
        }
    }

    private mutating func happened(_ event: String) -> [DialogueAction] {
        guard assignment != nil,
            phase == .watching || phase == .checking || phase == .awaitingDisconnect || isIdentifying
        else { return [] }
        let name = event.uppercased()
        if name.hasPrefix("AT+RSIBT_LE_DISCONNECTED") {
            // Before the answer to `disconnect` nothing else can be sent.
            if isDisconnecting {
                isDisconnecting = false
                return []
            }
            return (phase == .awaitingDisconnect ? [] : [.lost(.central)]) + resumeAdvertising()
        }
        guard name.hasPrefix("AT+RSIBT_LE_DEVICE"), name.contains("CONNECTED"), phase != .awaitingDisconnect else {
            return []
        }
        phase = .awaitingDisconnect
        isDisconnecting = true
        let central = event.split { $0 == "," || $0 == "=" }.lazy.compactMap { BluetoothAddress($0) }.first
        return [.lost(.central)] + (central.map { follow(session.perform(.disconnect($0))) } ?? awaitDisconnect())
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

    private mutating func lose(_ loss: ModuleLoss) -> [DialogueAction] {
        [.lost(loss)] + beginAnew(session.findModule())
    }

    private mutating func beginAnew(_ outputs: [RS9116Session.Output]) -> [DialogueAction] {
        phase = .attaching
        bootedWith = nil
        known = .unknown
        return follow(outputs)
    }

    /// Begins from the start, at most twice; then `failure` stands.
    ///
    /// - Parameter resetting: `false` when the module may have reset itself, so that it has to be found again.
    private mutating func restart(because failure: ProvisioningError, resetting: Bool = false) -> [DialogueAction] {
        restarts += 1
        guard restarts <= Self.mostRestarts else {
            phase = .ended
            return follow(session.fail(failure))
        }
        return [.report(.retrying(failure.what))]
            + beginAnew(resetting ? session.reset() : session.findModule())
    }
}

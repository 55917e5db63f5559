import Advertisement
import BeaconModel

/// The dialogue that makes an RS9116 advertise an iBeacon, from whatever state the module is in.
///
/// Pure: bytes and expired deadlines in, bytes and deadlines out. It ends with `.finished` or `.failed`.
public struct RS9116Provisioning: Sendable {
    public enum Input: Equatable, Sendable {
        /// The port is open.
        case opened
        case bytes([UInt8])
        /// The time of the last `.wait` is over.
        case deadline
    }

    public enum Action: Equatable, Sendable {
        case send([UInt8])
        /// Give `.deadline` after this time, instead of at any earlier asked-for time.
        case wait(Duration)
        case report(ProvisioningStep)
        case finished(ProvisionedModule)
        case failed(ProvisioningError)
    }

    private enum State: Equatable {
        case idle
        /// Dropping what was in the line before.
        case settling
        /// Sending handshake bytes until the boot loader answers with `U`.
        case knocking(Knock)
        /// Asking whether firmware is running already.
        case probing(Knock)
        /// Told to reset; waiting for the boot loader to come up.
        case resetting
        /// Sent `U`, waiting for the end of the menu.
        case awaitingMenu
        case atMenu
        case loading
        case awaitingReply(RS9116Command)
        /// Waiting a little before the same command is sent again.
        case pausing(RS9116Command)
        case awaitingBluetooth
        case ended
    }

    /// Where we are in the tries to get an answer.
    private struct Knock: Equatable {
        var round = 0
        var index = 0

        enum Attempt: Equatable {
            case handshake(UInt8)
            case probe
        }

        /// The manufacturer's byte, the question whether firmware runs, and the byte of older boot loaders.
        static let attempts: [Attempt] =
            Array(repeating: .handshake(0x7C), count: 5) + [.probe] + Array(repeating: .handshake(0x1C), count: 5)
        static let rounds = 4

        /// `nil` after the last round.
        var attempt: Attempt? { round < Self.rounds ? Self.attempts[index] : nil }

        var next: Knock {
            index + 1 < Self.attempts.count ? Knock(round: round, index: index + 1) : Knock(round: round + 1)
        }
    }

    private let configuration: BeaconConfiguration
    private var state = State.idle
    private var parser = ModuleReplyParser()
    /// What the boot loader said since it was last looked at; bounded.
    private var bootText: [UInt8] = []
    private var knockedWith: UInt8 = 0
    private var isFirmwareLoaded = true
    private var isAnswerDue = false
    private var bytesHeard = 0
    private var understoodAnything = false
    private var restarts = 0
    private var repeats = 0
    private var menuFailures = 0
    private var resets = 0
    private var advertisingType = AdvertisingType.nonConnectable
    private var restartedAdvertising = false
    private var firmware = ""
    private var address: BluetoothAddress?

    private static let longestBootText = 8192
    private static let mostRestarts = 2
    private static let mostRepeats = 2

    public init(configuration: BeaconConfiguration) { self.configuration = configuration }

    private var advertisingData: [UInt8] {
        IBeacon.advertisingData(configuration.beacon, measuredPower: configuration.measuredPower)
    }

    public mutating func handle(_ input: Input) -> [Action] {
        switch input {
        case .opened:
            state = .settling
            return [.wait(.milliseconds(100))]
        case .deadline: return deadlinePassed()
        case .bytes(let bytes): return received(bytes)
        }
    }

    // MARK: Deadlines

    private mutating func deadlinePassed() -> [Action] {
        switch state {
        case .idle, .ended: return []
        case .settling, .resetting: return knock(Knock())
        case .knocking(let knock), .probing(let knock): return self.knock(knock.next)
        case .awaitingMenu:
            // Some revisions word the end of the menu differently.
            if saw("Load Default") { return chooseFirmware() }
            menuFailures += 1
            guard menuFailures <= Self.mostRestarts else { return fail(.noMenu) }
            return [.report(.retrying("no boot menu"))] + knock(Knock())
        case .atMenu:
            state = .loading
            return [.send([UInt8(ascii: "1")]), .wait(.seconds(10))]
        case .loading:
            guard saw("Loading") else { return fail(.firmwareNotLoaded) }
            // Only the words may have been lost. To a boot loader the question is noise.
            isFirmwareLoaded = false
            return send(.firmwareVersion)
        case .awaitingReply(let command):
            if command.isRepeatable, repeats < Self.mostRepeats {
                repeats += 1
                return [.report(.retrying("no answer to \(command.text)"))] + transmit(command)
            }
            if !isFirmwareLoaded { return fail(.firmwareNotLoaded) }
            return restart(or: .timedOut(command: command.text, purpose: command.purpose), knockFirst: true)
        case .pausing(let command): return transmit(command)
        case .awaitingBluetooth: return [.report(.bluetoothUnconfirmed)] + send(.localAddress)
        }
    }

    /// One try to get an answer, or the end of all tries.
    private mutating func knock(_ knock: Knock) -> [Action] {
        switch knock.attempt {
        case .handshake(let byte):
            state = .knocking(knock)
            knockedWith = byte
            return [.send([byte]), .wait(.milliseconds(200))]
        case .probe:
            state = .probing(knock)
            parser = ModuleReplyParser()
            return [.send(RS9116Command.firmwareVersion.bytes), .wait(.seconds(1))]
        case nil:
            if understoodAnything { return fail(.noMenu) }
            return fail(bytesHeard > 0 ? .unintelligible(bytes: bytesHeard) : .silent)
        }
    }

    // MARK: Bytes

    private mutating func received(_ bytes: [UInt8]) -> [Action] {
        switch state {
        case .idle, .settling, .resetting, .ended: return []
        case .knocking, .awaitingMenu, .atMenu, .loading:
            bytesHeard += bytes.count
            bootText += bytes
            if bootText.count > Self.longestBootText { bootText.removeFirst(bootText.count - Self.longestBootText) }
            return readBootText()
        case .probing, .awaitingReply, .pausing, .awaitingBluetooth:
            bytesHeard += bytes.count
            var actions: [Action] = []
            for reply in parser.receive(bytes) { actions += received(reply) }
            return actions
        }
    }

    private mutating func readBootText() -> [Action] {
        switch state {
        case .knocking:
            if saw("Correct Option") || saw("JTAG Selection") {
                // Somebody has shaken hands before us: the menu is open.
                understoodAnything = true
                return [.report(.handshake(knockedWith))] + chooseFirmware()
            }
            guard bootText.contains(0x55) else { return [] }
            understoodAnything = true
            bootText.removeAll()
            state = .awaitingMenu
            return [.report(.handshake(knockedWith)), .send([0x55]), .wait(.seconds(2))]
        case .awaitingMenu:
            return saw("JTAG Selection") ? chooseFirmware() : []
        case .loading:
            guard saw("Loading Done") else { return [] }
            bootText.removeAll()
            parser = ModuleReplyParser()
            isFirmwareLoaded = true
            return [.report(.firmwareLoaded)] + send(.firmwareVersion)
        default: return []
        }
    }

    private mutating func chooseFirmware() -> [Action] {
        let warnings = ["LAST CONFIGURATION NOT SAVED", "BOOTUP OPTIONS CHECKSUM FAILED"].filter(saw)
        bootText.removeAll()
        state = .atMenu
        return warnings.map { .report(.bootWarning($0)) } + [.wait(.milliseconds(50))]
    }

    private func saw(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard bootText.count >= wanted.count else { return false }
        return (0...(bootText.count - wanted.count)).contains { bootText[$0...].starts(with: wanted) }
    }

    // MARK: Replies

    private mutating func received(_ reply: ModuleReply) -> [Action] {
        switch (state, reply) {
        case (.probing, .ok), (.probing, .error):
            // The handshake bytes before the probe may have spoilt it; any answer says that firmware is running.
            understoodAnything = true
            resets += 1
            guard resets <= Self.mostRestarts + 1 else { return fail(.doesNotReset) }
            state = .resetting
            return [.report(.resetting), .send(RS9116Command.reset.bytes), .wait(.seconds(1))]
        case (.awaitingReply(let command), .ok(let text)): return accepted(command, text)
        case (.awaitingReply(.operatingMode), .bluetoothLoaded), (.awaitingBluetooth, .bluetoothLoaded):
            return [.report(.bluetoothLoaded)] + send(.localAddress)
        case (.awaitingReply(let command), .error(let code)): return refused(command, code)
        default: return []
        }
    }

    private mutating func accepted(_ command: RS9116Command, _ text: String) -> [Action] {
        // After a repetition the first answer may come late; it must not pass for the next command's.
        isAnswerDue = repeats > 0
        switch command {
        case .firmwareVersion:
            firmware = text
            isFirmwareLoaded = true
            return [.report(.firmwareVersion(text))] + send(.operatingMode)
        case .operatingMode:
            state = .awaitingBluetooth
            return [.wait(.seconds(10))]
        case .localAddress:
            // A damaged address is answered by the deadline, which asks again.
            guard let address = BluetoothAddress(text) else { return [] }
            self.address = address
            return [.report(.address(address))] + send(.setAdvertisingData(advertisingData))
        case .setAdvertisingData(let data):
            return [.report(.advertisingDataSet(data))] + send(.advertise(advertisingType, configuration.interval))
        case .advertise(let type, let interval):
            guard let address else { return restart(or: .noMenu, knockFirst: true) }
            state = .ended
            return [
                .report(.advertising(type, interval)),
                .finished(
                    ProvisionedModule(
                        address: address, firmware: firmware, advertisingType: type,
                        advertisingData: advertisingData)),
            ]
        case .stopAdvertising(let type, let interval): return send(.advertise(type, interval))
        case .reset: return []
        }
    }

    private mutating func refused(_ command: RS9116Command, _ code: RS9116ErrorCode) -> [Action] {
        let failure = ProvisioningError.refused(command: command.text, purpose: command.purpose, code: code)
        switch (command, code.cure) {
        case (.advertise(let type, let interval), _) where code == .commandDisallowed && !restartedAdvertising:
            restartedAdvertising = true
            return send(.stopAdvertising(type, interval))
        case (.stopAdvertising(let type, let interval), _):
            // Nothing to stop.
            return send(.advertise(type, interval))
        case (_, .repeat) where repeats < Self.mostRepeats:
            repeats += 1
            state = .pausing(command)
            return [.report(.retrying("ERROR \(code) to \(command.text)")), .wait(.milliseconds(200))]
        case (.advertise(.nonConnectable, let interval), .none):
            advertisingType = .connectable
            return [.report(.advertisingTypeRefused(.nonConnectable, code))] + send(.advertise(.connectable, interval))
        case (_, .reset): return restart(or: failure, knockFirst: false)
        default: return fail(failure)
        }
    }

    // MARK: Transitions

    private mutating func send(_ command: RS9116Command) -> [Action] {
        repeats = 0
        guard isAnswerDue else { return transmit(command) }
        isAnswerDue = false
        state = .pausing(command)
        return [.wait(.milliseconds(200))]
    }

    private mutating func transmit(_ command: RS9116Command) -> [Action] {
        state = .awaitingReply(command)
        return [.send(command.bytes), .wait(command.timeout)]
    }

    /// Begins from the start, at most twice; then `failure` stands.
    ///
    /// - Parameter knockFirst: whether the module may have reset itself, so that it has to be found again.
    private mutating func restart(or failure: ProvisioningError, knockFirst: Bool) -> [Action] {
        restarts += 1
        guard restarts <= Self.mostRestarts else { return fail(failure) }
        repeats = 0
        restartedAdvertising = false
        isAnswerDue = false
        let report = Action.report(.retrying(failure.what))
        if knockFirst { return [report] + knock(Knock()) }
        state = .resetting
        return [report, .send(RS9116Command.reset.bytes), .wait(.seconds(1))]
    }

    private mutating func fail(_ error: ProvisioningError) -> [Action] {
        state = .ended
        return [.failed(error)]
    }
}

public import BeaconModel

/// The dialogue that makes an RS9116 scan and passes on what it receives: a receiver for a place without a Bluetooth
/// adapter. A module does not hear itself.
public struct RS9116ReceiverDialogue: LineDialogue {
    /// A request to a module that only listens.
    public enum Request: TimedRequest {
        /// A request for `Output.stillListening`, because a module that receives nothing sends nothing.
        case check
        /// A request to end the scan, then the dialogue.
        case stop

        /// Meaning of the request for the time limit of the dialogue.
        public var progress: DialogueProgress {
            switch self {
            case .check: .none
            case .stop: .resultIsExpected
            }
        }
    }

    /// An event of a module that only listens.
    public enum Output: TimedOutput {
        /// A step for people who follow the progress.
        case report(ProvisioningStep)
        /// The address of the module itself.
        case address(BluetoothAddress)
        /// The module scans from now on.
        case listening
        /// The module still listens, although it may have received nothing.
        case stillListening
        /// An advertisement that the module received.
        case received(ModuleReception)
        /// The dialogue is complete.
        case finished
        /// The dialogue is over, without success.
        case failed(ProvisioningError)

        /// Meaning of the output for the time limit of the dialogue.
        public var progress: DialogueProgress {
            switch self {
            case .listening, .received: .result
            case .finished, .failed: .end
            case .report, .address, .stillListening: .none
            }
        }

        /// Returns the failure of a dialogue that exceeded its time limit.
        public static func tookTooLong(_ limit: Duration) -> Self { .failed(.tookTooLong(limit)) }
    }

    private enum Phase {
        case attaching, awaitingBluetooth, starting, listening, stopping, ended
    }

    private let profile: RS9116Profile
    private var session: RS9116Session
    private var phase = Phase.attaching
    private var restarts = 0

    private static let mostRestarts = 2
    private static let longestSilence: Duration = .seconds(3600)

    /// Creates a dialogue that follows a profile.
    public init(profile: RS9116Profile = RS9116Profile()) {
        self.profile = profile
        session = RS9116Session(profile: profile)
    }

    public mutating func handle(_ input: LineInput<Request>, now: Duration) -> [LineStep<Output>] {
        switch input {
        case .opened: return follow(session.open())
        case .bytes(let bytes): return follow(session.receive(bytes))
        case .deadline: return follow(session.deadline())
        case .request(.stop): return stop()
        case .request(.check): return [.output(.stillListening)]
        case .leave: return [.output(.finished)]
        }
    }

    private mutating func stop() -> [LineStep<Output>] {
        if phase == .stopping { return [] }
        guard phase == .listening else {
            phase = .ended
            return [.output(.finished)]
        }
        phase = .stopping
        return follow(session.perform(.scan(false)))
    }

    private mutating func follow(_ outputs: [RS9116Session.Output]) -> [LineStep<Output>] {
        guard phase != .ended else { return [] }
        var actions: [LineStep<Output>] = []
        for output in outputs {
            switch output {
            case .line(let action): actions.append(.line(action))
            case .step(let step): actions.append(.output(.report(step)))
            case .failed(let error): actions.append(.output(.failed(error)))
            case .menu: actions += follow(session.load())
            case .ready(let isFresh):
                phase = .attaching
                actions += follow(
                    session.perform(isFresh ? .operatingMode(transmitPower: nil) : .localAddress))
            case .answer(let command, let answer): actions += answered(command, answer)
            case .bluetoothLoaded:
                if phase == .awaitingBluetooth { actions += askAddress() }
            case .bootText: break
            case .event: break
            case .report(let reception):
                if phase == .listening, let reception { actions.append(.output(.received(reception))) }
            case .rested:
                if phase == .awaitingBluetooth { actions += askAddress() }
                if phase == .listening { actions += follow(session.rest(Self.longestSilence)) }
            }
        }
        return actions
    }

    private mutating func askAddress() -> [LineStep<Output>] {
        phase = .starting
        return follow(session.perform(.localAddress))
    }

    private mutating func startListening() -> [LineStep<Output>] {
        phase = .starting
        return follow(session.perform(.scan(true)))
    }

    private mutating func answered(
        _ command: RS9116Command, _ answer: RS9116Session.Answer
    ) -> [LineStep<Output>] {
        switch (command, answer) {
        case (.operatingMode, .ok):
            phase = .awaitingBluetooth
            return follow(session.rest(profile.assumes(.bluetoothAnnounced) ? .seconds(10) : .seconds(2)))
        case (.localAddress, .ok(let text)):
            let address = BluetoothAddress(text)
            return (address.map { [.output(.address($0))] } ?? []) + startListening()
        case (.localAddress, _) where phase == .attaching:
            return follow(session.perform(.operatingMode(transmitPower: nil)))
        // The module already scans.
        case (.scan(true), .ok), (.scan(true), .error(.commandDisallowed)):
            phase = .listening
            return [.output(.listening)] + follow(session.rest(Self.longestSilence))
        case (.scan(false), _):
            phase = .ended
            session.end()
            return [.output(.finished)]
        case (_, .error(let code)) where code.cure != .reset || restarts >= Self.mostRestarts:
            phase = .ended
            return [.output(.failed(.refused(command: command.text, purpose: command.purpose, code: code)))]
        case (_, .none) where restarts >= Self.mostRestarts:
            phase = .ended
            return [.output(.failed(.timedOut(command: command.text, purpose: command.purpose)))]
        default:
            restarts += 1
            return follow(session.reset())
        }
    }
}

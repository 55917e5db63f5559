import BeaconModel

/// The dialogue that makes an RS9116 scan and passes on what it receives: a receiver for a place without a Bluetooth
/// adapter. A module does not hear itself.
///
/// `.assigned(nil)` ends the dialogue.
public struct RS9116EarDialogue: ModuleDialogue {
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

    /// Handles an input and returns the resulting actions.
    public mutating func handle(_ input: DialogueInput) -> [DialogueAction] {
        switch input {
        case .opened: return follow(session.open())
        case .bytes(let bytes): return follow(session.receive(bytes))
        case .deadline: return follow(session.deadline())
        case .assigned:
            if phase == .stopping { return [] }
            guard phase == .listening else {
                phase = .ended
                return [.finished]
            }
            phase = .stopping
            return follow(session.perform(.scan(false)))
        case .check: return [.report(.stillListening)]
        case .listen, .provisionAgain, .identify: return []
        case .leave: return [.finished]
        }
    }

    private mutating func follow(_ outputs: [RS9116Session.Output]) -> [DialogueAction] {
        guard phase != .ended else { return [] }
        var actions: [DialogueAction] = []
        for output in outputs {
            switch output {
            case .action(let action): actions.append(action)
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
                if phase == .listening, let reception { actions.append(.received(reception)) }
            case .rested:
                if phase == .awaitingBluetooth { actions += askAddress() }
                if phase == .listening { actions += follow(session.rest(Self.longestSilence)) }
            }
        }
        return actions
    }

    private mutating func askAddress() -> [DialogueAction] {
        phase = .starting
        return follow(session.perform(.localAddress))
    }

    private mutating func startListening() -> [DialogueAction] {
        phase = .starting
        return follow(session.perform(.scan(true)))
    }

    private mutating func answered(
        _ command: RS9116Command, _ answer: RS9116Session.Answer
    ) -> [DialogueAction] {
        switch (command, answer) {
        case (.operatingMode, .ok):
            phase = .awaitingBluetooth
            return follow(session.rest(profile.assumes(.bluetoothAnnounced) ? .seconds(10) : .seconds(2)))
        case (.localAddress, .ok(let text)):
            let address = BluetoothAddress(text)
            return (address.map { [.report(.address($0))] } ?? []) + startListening()
        case (.localAddress, _) where phase == .attaching:
            return follow(session.perform(.operatingMode(transmitPower: nil)))
        // The module already scans.
        case (.scan(true), .ok), (.scan(true), .error(.commandDisallowed)):
            phase = .listening
            return [.report(.listening)] + follow(session.rest(Self.longestSilence))
        case (.scan(false), _):
            phase = .ended
            session.end()
            return [.finished]
        case (_, .error(let code)) where code.cure != .reset || restarts >= Self.mostRestarts:
            phase = .ended
            return [.failed(.refused(command: command.text, purpose: command.purpose, code: code))]
        case (_, .none) where restarts >= Self.mostRestarts:
            phase = .ended
            return [.failed(.timedOut(command: command.text, purpose: command.purpose))]
        default:
            restarts += 1
            return follow(session.reset())
        }
    }
}

import BeaconModel
import MQTTBridge
import OperatorText

/// Decides which signed commands are obeyed: those that somebody with the key said just now, to this gateway, each once. Pure.
///
/// A broker can keep a command back, or bring it again, also after the gateway was restarted. So a command is of the last two
/// minutes and of this run, and its correlation hasn't been used. A clock that is set back brings none of this run again.
struct CommandSignatures: Sendable {
    enum Finding: Equatable, Sendable {
        case first
        /// The same message came before.
        case again
        case refused(correlation: String, text: String)
    }

    /// Between the clocks of the two, and for the way.
    static let window: Duration = .seconds(120)
    /// So many are remembered. Of what was said before those that are forgotten nothing is obeyed any more.
    static let most = 256

    private struct Used: Sendable {
        var correlation: String
        var name: String
        var payload: [UInt8]
        var at: Timestamp
    }

    private var used: [Used] = []
    /// The latest of those that are forgotten.
    private var forgotten: Timestamp?

    /// - Parameters:
    ///   - now: since the gateway was started.
    ///   - wall: the time of day.
    mutating func check(
        _ message: MQTTMessage, named name: String, key: SigningKey, now: Duration, wall: Timestamp
    ) -> Finding {
        guard message.payload.count <= RemoteCommand.longest else {
            return .refused(
                correlation: "",
                text:
                    "the command has \(message.payload.count) bytes; at most \(RemoteCommand.longest) are allowed")
        }
        switch MessageTag.verdict(on: message.payload, keys: [key], for: .command(topic: message.topic)) {
        case .untagged:
            return .refused(
                correlation: "",
                text:
                    "the command isn't signed, and this gateway has a commands.key-file; `beacon-gateway sign-command` signs"
            )
        case .forged:
            return .refused(
                correlation: "",
                text:
                    "the command's tag is wrong: it is of another key, gateway or command, or the command was changed since"
            )
        case .genuine: break
        }
        // Nobody but its author made it, and it is refused each time that it comes.
        guard case .success(let request) = RemoteCommand.read(name: name, message.payload) else { return .first }
        let correlation = request.correlation
        guard !correlation.isEmpty else {
            return .refused(correlation: "", text: "a signed command needs a correlation of its own")
        }
        if let before = used.first(where: { $0.correlation == correlation }) {
            if before.name == name, before.payload == message.payload { return .again }
            return .refused(
                correlation: correlation, text: "the correlation was used already; each signed command needs its own")
        }
        guard let at = request.at.flatMap({ RFC3339Text.parse($0) }) else {
            return .refused(
                correlation: correlation, text: "a signed command needs at, \(RFC3339Text.form): when it was said")
        }
        if let problem = problem(at: at, now: now, wall: wall) {
            return .refused(correlation: correlation, text: problem)
        }
        use(Used(correlation: correlation, name: name, payload: message.payload, at: at))
        return .first
    }

    private func problem(at: Timestamp, now: Duration, wall: Timestamp) -> String? {
        let age = wall - at
        if age > Self.window || age < .zero - Self.window {
            return "the command is of \(at.rfc3339), and here it is \(wall.rfc3339): at most 120 s may lie between; "
                + "say it again, or set the clock that is wrong"
        }
        if age > now { return "the command was said before this gateway was started; say it again" }
        if let forgotten, at <= forgotten { return "later commands were carried out meanwhile; say it again" }
        return nil
    }

    private mutating func use(_ command: Used) {
        used.append(command)
        guard used.count > Self.most, let oldest = used.indices.min(by: { used[$0].at < used[$1].at }) else { return }
        forgotten = max(forgotten ?? .epoch, used.remove(at: oldest).at)
    }
}

package import BeaconModel
import OperatorText
package import RecordContract

/// Decides which signed commands are obeyed: those that somebody with the key said just now, to this gateway, each once. Pure.
///
/// A broker can keep a command back, or bring it again, also after the gateway was restarted. So a command is of the last two
/// minutes and of this run, and its correlation hasn't been used. A clock that is set back brings none of this run again. What
/// is ahead of the clock would be of the next run too, so that little is allowed, and the next run doesn't obey what may be of
/// the one before it.
package struct CommandSignatures: Sendable {
    package enum Finding: Equatable, Sendable {
        /// It is to be `used` when it is carried out; nothing for one that can't be read, which is refused each time that it comes.
        case first(Use?)
        /// The same message came before.
        case again
        case refused(correlation: String, text: String)
    }

    /// Between the clocks of the two, and for the way.
    package static let window: Duration = .seconds(120)
    /// By which the sender's clock may be ahead; a run obeys nothing that was said before it is so old.
    package static let ahead: Duration = .seconds(5)
    /// So many are remembered. Of what was said before those that are forgotten nothing is obeyed any more.
    package static let most = 256

    /// A command that nobody may bring again.
    package struct Use: Equatable, Sendable {
        package var correlation: String
        package var name: String
        package var payload: [UInt8]
        package var at: Timestamp
    }

    private var used: [Use] = []
    /// The latest of those that are forgotten.
    private var forgotten: Timestamp?
    /// What the clock said when the gateway was started.
    private let start: Timestamp

    package init(start: Timestamp = .epoch) { self.start = start }

    /// - Parameters:
    ///   - now: since the gateway was started.
    ///   - wall: the time of day.
    package func check(
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
        guard case .success(let request) = RemoteCommand.read(name: name, message.payload) else { return .first(nil) }
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
        return .first(Use(correlation: correlation, name: name, payload: message.payload, at: at))
    }

    private func problem(at: Timestamp, now: Duration, wall: Timestamp) -> String? {
        let age = wall - at
        if age > Self.window {
            return "the command is of \(at.rfc3339), and here it is \(wall.rfc3339): at most 120 s may lie between; "
                + "say it again, or set the clock that is wrong"
        }
        if age < .zero - Self.ahead {
            return "the command is of \(at.rfc3339), and here it is \(wall.rfc3339) only: it may be 5 s ahead at most; "
                + "set the clock that is wrong"
        }
        // By the clock of then and by that of now, of which one may have been wrong.
        let start = max(start, wall + (.zero - now))
        if at <= start + Self.ahead {
            return
                "the command is of \(at.rfc3339), and this gateway was started at \(start.rfc3339): a run obeys what was "
                + "said more than 5 s after its start, and here it is \(wall.rfc3339); what was said before this gateway "
                + "was started, or just then, is to be said again"
        }
        if let forgotten, at <= forgotten { return "later commands were carried out meanwhile; say it again" }
        return nil
    }

    /// It is carried out now. One that is refused for its rate, or because it was retained, may be brought again.
    package mutating func use(_ command: Use) {
        used.append(command)
        guard used.count > Self.most, let oldest = used.indices.min(by: { used[$0].at < used[$1].at }) else { return }
        forgotten = max(forgotten ?? .epoch, used.remove(at: oldest).at)
    }
}

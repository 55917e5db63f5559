package import BeaconModel
import OperatorText
package import RecordContract

/// Verification of signed commands: accepts those that a holder of the key has just signed for this gateway, each once.
/// Pure.
///
/// A broker can hold a command back or deliver it again, even after a restart of the gateway. So a command must be from
/// the last two minutes and from this run, and its correlation must be unused. Setting the clock back does not make
/// commands of this run acceptable again. A command from ahead of the clock would also count for the next run. So
/// little lead is allowed, and the next run does not obey commands that may belong to the run before it.
package struct CommandSignatures: Sendable {
    package enum Finding: Equatable, Sendable {
        /// The command is new. It must be passed to `use` when it is carried out; `nil` for one that cannot be parsed,
        /// which is refused each time it comes.
        case first(Use?)
        /// The same message came before.
        case again
        case refused(correlation: String, text: String)
    }

    /// Maximum age of a command. It allows for differences between the two clocks and for delivery.
    package static let window: Duration = .seconds(120)
    /// Maximum lead of the sender's clock. A run obeys only commands that are later than its start by more than this.
    package static let ahead: Duration = .seconds(5)
    /// Maximum number of remembered commands. Commands no later than the latest forgotten one are not obeyed.
    package static let most = 256

    /// A command that must not be accepted again.
    package struct Use: Equatable, Sendable {
        package var correlation: String
        package var name: String
        package var payload: [UInt8]
        package var at: Timestamp
    }

    private var used: [Use] = []
    /// Time of the latest forgotten command.
    private var forgotten: Timestamp?
    /// The time of day at which the gateway was started.
    private let start: Timestamp

    package init(start: Timestamp = .epoch) { self.start = start }

    /// - Parameters:
    ///   - now: time since the gateway was started.
    ///   - wall: the time of day.
    package func check(
        _ message: MQTTMessage, named name: String, key: SigningKey, now: Duration, wall: Timestamp
    ) -> Finding {
        let longest = RemoteCommand.longest(name)
        guard message.payload.count <= longest else {
            return .refused(
                correlation: "",
                text: "the command has \(message.payload.count) bytes; at most \(longest) are allowed")
        }
        switch MessageTag.verdict(on: message.payload, keys: [key], for: .command(topic: message.topic)) {
        case .untagged:
            return .refused(
                correlation: "",
                text:
                    "the command is not signed, and this gateway has a commands.key-file; sign it with "
                    + "`beacon-gateway sign-command`"
            )
        case .forged:
            return .refused(
                correlation: "",
                text:
                    "the command's tag is invalid: it belongs to another key, gateway or command, or the command was "
                    + "altered"
            )
        case .genuine: break
        }
        guard case .success(let request) = RemoteCommand.read(name: name, message.payload) else { return .first(nil) }
        let correlation = request.correlation
        guard !correlation.isEmpty else {
            return .refused(correlation: "", text: "a signed command requires a unique correlation")
        }
        if let before = used.first(where: { $0.correlation == correlation }) {
            if before.name == name, before.payload == RemoteCommand.fingerprint(message.payload) { return .again }
            return .refused(
                correlation: correlation,
                text: "the correlation was already used; each signed command requires a new one")
        }
        guard let at = request.at.flatMap({ RFC3339Text.parse($0) }) else {
            return .refused(
                correlation: correlation,
                text: "a signed command requires at, the time when it was signed: \(RFC3339Text.form)")
        }
        if let problem = problem(at: at, now: now, wall: wall) {
            return .refused(correlation: correlation, text: problem)
        }
        return .first(
            Use(correlation: correlation, name: name, payload: RemoteCommand.fingerprint(message.payload), at: at))
    }

    private func problem(at: Timestamp, now: Duration, wall: Timestamp) -> String? {
        let age = wall - at
        if age > Self.window {
            return "the command is from \(at.rfc3339), and here it is \(wall.rfc3339): at most 120 s may have passed; "
                + "send it again, or correct the wrong clock"
        }
        if age < .zero - Self.ahead {
            return
                "the command is from \(at.rfc3339), and here it is only \(wall.rfc3339): it may be at most 5 s ahead; "
                + "correct the wrong clock"
        }
        // The start by the clock of that time, or by the present clock, whichever is later: one of them may have been
        // wrong.
        let start = max(start, wall + (.zero - now))
        if at <= start + Self.ahead {
            return
                "the command is from \(at.rfc3339), and this gateway was started at \(start.rfc3339): it accepts only "
                + "commands from more than 5 s after its start, and here it is \(wall.rfc3339); send the command again"
        }
        if let forgotten, at <= forgotten { return "later commands have been executed since; send it again" }
        return nil
    }

    /// Marks the command as used because it is carried out now. A command refused for its rate, or because it was
    /// retained, can be sent again.
    package mutating func use(_ command: Use) {
        used.append(command)
        guard used.count > Self.most, let oldest = used.indices.min(by: { used[$0].at < used[$1].at }) else { return }
        forgotten = max(forgotten ?? .epoch, used.remove(at: oldest).at)
    }
}

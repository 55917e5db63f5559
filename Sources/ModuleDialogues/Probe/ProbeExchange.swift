/// One command of a probe, and the matching of its answer.
///
/// The module answers in order, once per command. The command is followed by the query for the firmware's version,
/// whose answer looks like no other: once it has arrived, no older answer can follow. An exchange begins when no answer
/// is outstanding.
package struct ProbeExchange: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        case pending
        /// The version query is due.
        case separate
        /// The answer to this command; `.none` when the command or its answer was lost.
        case answered(RS9116Session.Answer)
        /// There were more answers than commands, or answers that are impossible.
        case mixedUp
        /// The module no longer answers.
        case dead
    }

    package let command: RS9116Command
    /// The module's version; empty while unknown.
    package let version: String
    package private(set) var answer: RS9116Session.Answer?
    /// Number of version queries sent after the command.
    private var separators = 0

    /// Number of version queries after which the module counts as dead.
    private static let mostSeparators = 2
    /// Minimum length of a version. Other answers are empty or shorter, or are not requested while the version is
    /// unknown.
    private static let shortestVersion = 6

    package init(_ command: RS9116Command, version: String) {
        self.command = command
        self.version = version
    }

    /// Whether a version query follows the command. After a reset nothing would answer it, and an operating mode takes
    /// time.
    private var isSeparated: Bool {
        switch command {
        case .firmwareVersion, .reset, .operatingMode: false
        default: true
        }
    }

    /// Number of version queries still to be answered once one was; `nil` for a command without them.
    var owedSeparators: Int? { isSeparated ? max(0, separators - 1) : nil }

    package func isVersion(_ text: String) -> Bool { Self.isVersion(text, of: version) }

    /// Returns whether `text` is the version of a module.
    ///
    /// - Parameter version: the module's version; empty while unknown.
    static func isVersion(_ text: String, of version: String) -> Bool {
        version.isEmpty ? text.utf8.count >= shortestVersion : text == version
    }

    package mutating func received(_ reply: ModuleReply) -> Outcome {
        switch reply {
        case .ok(let text):
            if isVersion(text) {
                if command == .firmwareVersion { return .answered(.ok(text)) }
                return separators > 0 ? .answered(answer ?? .none) : .mixedUp
            }
            return command == .firmwareVersion ? .mixedUp : came(.ok(text))
        case .error(let code): return command == .firmwareVersion ? .mixedUp : came(.error(code))
        case .bluetoothLoaded, .report, .event, .text: return .pending
        }
    }

    private mutating func came(_ new: RS9116Session.Answer) -> Outcome {
        guard answer == nil else { return .mixedUp }
        answer = new
        if !isSeparated { return .answered(new) }
        // The answer is late; the query is already on its way.
        return separators > 0 ? .pending : .separate
    }

    /// Handles the end of the time for the answer.
    package mutating func deadline() -> Outcome {
        switch command {
        case .reset, .operatingMode: return .answered(.none)
        default: return separators < Self.mostSeparators ? .separate : .dead
        }
    }

    /// Records that the version query was sent.
    package mutating func separated() { separators += 1 }
}

extension ModuleReply {
    /// Whether the line answers a command.
    var isAnswer: Bool {
        switch self {
        case .ok, .error: true
        case .bluetoothLoaded, .report, .event, .text: false
        }
    }

    var okText: String? {
        if case .ok(let text) = self { text } else { nil }
    }
}

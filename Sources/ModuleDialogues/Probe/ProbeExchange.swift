/// One command of a probe and the answer that is its own.
///
/// The module answers in order, one answer to each command. Behind the command goes the question for the firmware's
/// version, whose answer looks like no other: once that has come, nothing older can come. It begins when no answer is
/// outstanding.
package struct ProbeExchange: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        case pending
        /// The question for the version is due.
        case separate
        /// It is this command's answer; `.none` when the command or its answer was lost.
        case answered(RS9116Session.Answer)
        /// There were more answers than commands, or other ones than there can be.
        case mixedUp
        /// The module doesn't answer any more.
        case dead
    }

    package let command: RS9116Command
    /// What the module says of its version; empty as long as that isn't known.
    package let version: String
    package private(set) var answer: RS9116Session.Answer?
    /// Questions that were sent behind the command.
    private var separators = 0

    /// How often the question is sent before the module counts as dead.
    private static let mostSeparators = 2
    /// Other answers are empty or shorter, or not asked for while the version is unknown.
    private static let shortestVersion = 6

    package init(_ command: RS9116Command, version: String) {
        self.command = command
        self.version = version
    }

    /// Whether the question follows. After a reset nobody answers it, and an operating mode takes its time.
    private var isSeparated: Bool {
        switch command {
        case .firmwareVersion, .reset, .operatingMode: false
        default: true
        }
    }

    /// How many questions for the version are still to be answered once one was; `nil` for a command without one.
    var owedSeparators: Int? { isSeparated ? max(0, separators - 1) : nil }

    package func isVersion(_ text: String) -> Bool {
        version.isEmpty ? text.utf8.count >= Self.shortestVersion : text == version
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
        // The answer is late; the question is on its way already.
        return separators > 0 ? .pending : .separate
    }

    /// The time for the answer is over.
    package mutating func deadline() -> Outcome {
        switch command {
        case .reset, .operatingMode: return .answered(.none)
        default: return separators < Self.mostSeparators ? .separate : .dead
        }
    }

    /// The question was sent.
    package mutating func separated() { separators += 1 }
}

/// A conversation with a module for programs that can send, wait for words and give up, and not much more: chat(8) and
/// Tera Term's macros.
struct DialogueScript: Equatable, Sendable {
    /// What it does, for a person; a line each.
    var purpose: [String]
    /// Of the serial line, in bit/s.
    var baudRate: Int
    var steps: [Step]
    /// What has been reached at the end.
    var success: String

    enum Step: Equatable, Sendable {
        /// What comes now, in a few words for a person.
        case tell(String)
        case exchange(Exchange)
        case pause(Duration)
        /// Shows what comes, for whole seconds.
        case listen(seconds: Int)
        /// From here on, whoever says this has refused, and all is over.
        case abort(on: String)
        case stopAborting(on: String)
    }

    /// Something is sent and an answer awaited, in one way after the other.
    struct Exchange: Equatable, Sendable {
        var attempts: [Attempt]
        /// How long each answer is waited for, in whole seconds: chat counts no others.
        var patience: Int
        /// Without any answer the conversation goes on.
        var isOptional = false
        /// Reads the line with the answer to its end, so that nothing is sent into it.
        var readsLine = false
    }

    struct Attempt: Equatable, Sendable {
        /// Before it is sent.
        var pause: Duration = .zero
        var sent: Transmission
        /// Any part of what the module says.
        var answer: String
        /// How often it is tried; at least once.
        var times = 1
    }

    enum Transmission: Equatable, Sendable {
        case nothing
        case byte(UInt8)
        /// Without a line end.
        case text(String)
        /// With CR and LF.
        case line(String)
    }
}

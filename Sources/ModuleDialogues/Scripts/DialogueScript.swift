/// A conversation with a module for programs that can send, wait for words and give up, and not much more: chat(8) and
/// Tera Term's macros.
package struct DialogueScript: Equatable, Sendable {
    /// What it does, for a person; a line each.
    package var purpose: [String]
    /// Of the serial line, in bit/s.
    package var baudRate: Int
    package var steps: [Step]
    /// What has been reached at the end.
    package var success: String

    package enum Step: Equatable, Sendable {
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
    package struct Exchange: Equatable, Sendable {
        package var attempts: [Attempt]
        /// How long each answer is waited for, in whole seconds: chat counts no others.
        package var patience: Int
        /// Without any answer the conversation goes on.
        var isOptional = false
        /// Reads the line with the answer to its end, so that nothing is sent into it.
        var readsLine = false
    }

    package struct Attempt: Equatable, Sendable {
        /// Before it is sent.
        package var pause: Duration = .zero
        package var sent: Transmission
        /// Any part of what the module says.
        package var answer: String
        /// How often it is tried; at least once.
        package var times = 1
    }

    package enum Transmission: Equatable, Sendable {
        case nothing
        case byte(UInt8)
        /// Without a line end.
        case text(String)
        /// With CR and LF.
        case line(String)
    }
}

/// A conversation with a module for programs that can do little more than send, wait for words and give up: chat(8) and
/// Tera Term's macros.
package struct DialogueScript: Equatable, Sendable {
    /// Description of the script for the user, as lines.
    package var purpose: [String]
    /// Speed of the serial line, in bit/s.
    package var baudRate: Int
    package var steps: [Step]
    /// Text shown when the script has succeeded.
    package var success: String

    package enum Step: Equatable, Sendable {
        /// Announces the next step in a few words.
        case tell(String)
        case exchange(Exchange)
        case pause(Duration)
        /// Shows what the module sends, for whole seconds.
        case listen(seconds: Int)
        /// From here on, ends the script as refused when the module sends this word.
        case abort(on: String)
        case stopAborting(on: String)
    }

    /// A number of attempts, each of which sends something and waits for an answer, until one succeeds.
    package struct Exchange: Equatable, Sendable {
        package var attempts: [Attempt]
        /// Time to wait for each answer, in whole seconds because chat supports no others.
        package var patience: Int
        /// Whether the conversation continues without an answer.
        var isOptional = false
        /// Whether to read the answer's line to its end, so that nothing is sent into it.
        var readsLine = false
    }

    package struct Attempt: Equatable, Sendable {
        /// Pause before sending.
        package var pause: Duration = .zero
        package var sent: Transmission
        /// Text that counts as the answer when it occurs anywhere in the module's output.
        package var answer: String
        /// Number of tries, at least one.
        package var times = 1
    }

    package enum Transmission: Equatable, Sendable {
        case nothing
        case byte(UInt8)
        /// A text without a line end.
        case text(String)
        /// A text with CR and LF.
        case line(String)
    }
}

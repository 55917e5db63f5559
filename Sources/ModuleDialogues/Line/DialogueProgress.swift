/// What a request or an output means for the time limit of its dialogue.
public enum DialogueProgress: Sendable {
    /// Nothing.
    case none
    /// A result is expected within the limit.
    case resultIsExpected
    /// The expected result; the dialogue may then take any time.
    case result
    /// The result no longer holds; a new one is expected within the limit from now on.
    case resultWasLost
    /// The dialogue is over.
    case end
}

/// A request with a meaning for the time limit of its dialogue.
public protocol TimedRequest: Equatable, Sendable {
    /// Meaning of the request for the time limit of the dialogue.
    var progress: DialogueProgress { get }
}

extension Never: TimedRequest {
    public var progress: DialogueProgress {
        switch self {}
    }
}

/// An output with a meaning for the time limit of its dialogue.
public protocol TimedOutput: Equatable, Sendable {
    /// Meaning of the output for the time limit of the dialogue.
    var progress: DialogueProgress { get }

    /// Returns the failure of a dialogue that exceeded its time limit.
    static func tookTooLong(_ limit: Duration) -> Self
}

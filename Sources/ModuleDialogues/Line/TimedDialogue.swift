/// A dialogue with its deadlines: the next one, and the one by which it must have succeeded.
///
/// The caller supplies the time, so the same code runs on a serial line and in a simulated year.
public struct TimedDialogue<Request: TimedRequest, Output: TimedOutput>: Sendable {
    private var dialogue: any LineDialogue<Request, Output>
    private let limit: Duration
    /// Time at which the current wait ends.
    private var deadline: Duration?
    /// Time by which the dialogue must have a result; `nil` while none is expected.
    private var end: Duration?
    /// Whether the dialogue has ended.
    public private(set) var isOver = false

    /// Default time limit, longer than every sequence of attempts that can still succeed.
    public static var defaultLimit: Duration { .seconds(120) }

    /// Creates a timed dialogue.
    ///
    /// - Parameter limit: the time from the opening of the port, or from the detection of a fault, until the module is
    ///   identified or does what it should.
    public init<Dialogue: LineDialogue>(
        _ dialogue: Dialogue, limit: Duration = Self.defaultLimit
    ) where Dialogue.Request == Request, Dialogue.Output == Output {
        self.dialogue = dialogue
        self.limit = limit
    }

    /// Time at which `advance` must be called, on the same clock as `now`.
    public var nextDeadline: Duration? {
        guard let deadline else { return end }
        return end.map { min($0, deadline) } ?? deadline
    }

    /// Passes an input other than the time to the dialogue.
    public mutating func handle(_ input: LineInput<Request>, now: Duration) -> [LineStep<Output>] {
        guard !isOver else { return [] }
        switch input {
        case .opened: note(.resultIsExpected, now: now)
        case .request(let request): note(request.progress, now: now)
        case .bytes, .deadline, .leave: break
        }
        return take(dialogue.handle(input, now: now), now: now)
    }

    /// Advances the dialogue to the given time.
    public mutating func advance(to now: Duration) -> [LineStep<Output>] {
        guard !isOver else { return [] }
        if let end, now >= end {
            isOver = true
            return [.output(.tookTooLong(limit))]
        }
        guard let due = deadline, now >= due else { return [] }
        deadline = nil
        return take(dialogue.handle(.deadline, now: now), now: now)
    }

    private mutating func take(_ steps: [LineStep<Output>], now: Duration) -> [LineStep<Output>] {
        for step in steps {
            switch step {
            case .line(.wait(let duration)): deadline = now + duration
            case .line: break
            case .output(let output): note(output.progress, now: now)
            }
        }
        return steps
    }

    private mutating func note(_ progress: DialogueProgress, now: Duration) {
        switch progress {
        case .none: break
        case .resultIsExpected: end = end ?? now + limit
        case .result: end = nil
        case .resultWasLost: end = now + limit
        case .end: isOver = true
        }
    }
}

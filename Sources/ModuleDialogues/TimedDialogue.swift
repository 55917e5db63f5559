/// A dialogue with its deadlines: the next one, and the one by which it must have succeeded.
///
/// The caller supplies the time, so the same code runs on a serial line and in a simulated year.
public struct TimedDialogue: Sendable {
    private var dialogue: any ModuleDialogue
    private let limit: Duration
    /// Time at which the current wait ends.
    private var deadline: Duration?
    /// Time by which the dialogue must have a result; `nil` while none is expected.
    private var end: Duration?
    /// Whether the dialogue has ended.
    public private(set) var isOver = false

    /// Default time limit, longer than every sequence of attempts that can still succeed.
    public static let defaultLimit: Duration = .seconds(120)

    /// Creates a timed dialogue.
    ///
    /// - Parameter limit: the time from the opening of the port, or from the detection of a fault, until the module is
    ///   identified or does what it should.
    public init(_ dialogue: any ModuleDialogue, limit: Duration = Self.defaultLimit) {
        self.dialogue = dialogue
        self.limit = limit
    }

    /// Time at which `advance` must be called, on the same clock as `now`.
    public var nextDeadline: Duration? {
        guard let deadline else { return end }
        return end.map { min($0, deadline) } ?? deadline
    }

    /// Passes an input other than the time to the dialogue.
    public mutating func handle(_ input: DialogueInput, now: Duration) -> [DialogueAction] {
        guard !isOver else { return [] }
        switch input {
        case .opened, .assigned, .provisionAgain: end = end ?? now + limit
        case .bytes, .deadline, .listen, .check, .identify, .leave: break
        }
        return take(dialogue.handle(input, now: now), now: now)
    }

    /// Advances the dialogue to the given time.
    public mutating func advance(to now: Duration) -> [DialogueAction] {
        guard !isOver else { return [] }
        if let end, now >= end {
            isOver = true
            return [.failed(.tookTooLong(limit))]
        }
        guard let due = deadline, now >= due else { return [] }
        deadline = nil
        return take(dialogue.handle(.deadline, now: now), now: now)
    }

    private mutating func take(_ actions: [DialogueAction], now: Duration) -> [DialogueAction] {
        for action in actions {
            switch action {
            case .wait(let duration): deadline = now + duration
            case .identified, .provisioned, .received, .report(.listening): end = nil
            case .lost: end = now + limit
            case .finished, .failed: isOver = true
            case .send, .setBaudRate, .pulseControlLines, .report, .listening, .probe: break
            }
        }
        return actions
    }
}

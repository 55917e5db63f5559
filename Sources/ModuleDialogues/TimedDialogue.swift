/// A dialogue with its times kept: when its next deadline is, and when it has taken too long.
///
/// Whoever runs one says what time it is, so that the same code runs on a wire and in a simulated year.
public struct TimedDialogue: Sendable {
    private var dialogue: any ModuleDialogue
    private let limit: Duration
    /// When the current wait is over.
    private var deadline: Duration?
    /// When the dialogue has to have come to something; `nil` while there is nothing to come to.
    private var end: Duration?
    public private(set) var isOver = false

    /// Longer than every sequence of tries that may still succeed.
    public static let defaultLimit: Duration = .seconds(120)

    /// - Parameter limit: from the opening, or from the moment when something was found to be wrong, until the module
    ///   is known, or does what it should.
    public init(_ dialogue: any ModuleDialogue, limit: Duration = Self.defaultLimit) {
        self.dialogue = dialogue
        self.limit = limit
    }

    /// When `advance` has to be called; the same clock as `now`.
    public var nextDeadline: Duration? {
        guard let deadline else { return end }
        return end.map { min($0, deadline) } ?? deadline
    }

    /// Tells the dialogue something other than the time.
    public mutating func handle(_ input: DialogueInput, now: Duration) -> [DialogueAction] {
        guard !isOver else { return [] }
        switch input {
        case .opened, .assigned, .provisionAgain: end = end ?? now + limit
        case .bytes, .deadline, .listen, .check, .identify, .leave: break
        }
        return take(dialogue.handle(input, now: now), now: now)
    }

    /// Tells the dialogue what time it is.
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

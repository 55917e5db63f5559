/// Tells a broker that no longer answers from one that is slow, or at the end of a slow line. Pure: it counts looks, which
/// are taken at a steady interval, so that a process that was suspended takes only one for all that time.
struct AnswerWatch: Sendable {
    /// The state of a connection at one look.
    struct Sight: Equatable, Sendable {
        /// Messages and subscriptions without an answer.
        var awaited: Int
        /// Answers so far.
        var answered: UInt64
        /// Answers so far to what had waited longest. A single lost answer stops this count, and no other.
        var answeredInOrder: UInt64
        /// Messages so far that came ahead of an answer, as they may to a consumer whose session held many.
        var received: UInt64 = 0
        /// Bytes so far that the other end of the line has confirmed.
        var delivered: UInt64
        /// Whether bytes are under way that it hasn't.
        var isSending: Bool
    }

    /// The connection is given up at this look without progress.
    static let looks = 8

    private var last: Sight?
    private var fruitless = 0

    /// - Returns: whether the connection is to be given up: what waits longest for its answer has made no progress for
    ///   `looks` looks.
    mutating func isMute(_ sight: Sight) -> Bool {
        defer { last = sight }
        guard let last, last.awaited > 0, sight.awaited > 0, !isProgress(from: last, to: sight) else {
            fruitless = 0
            return false
        }
        fruitless += 1
        return fruitless >= Self.looks
    }

    private func isProgress(from last: Sight, to sight: Sight) -> Bool {
        if sight.answeredInOrder != last.answeredInOrder || sight.received != last.received { return true }
        // What wasn't delivered can't be answered. What was answered out of its turn had been sent later.
        return sight.isSending && sight.delivered != last.delivered && sight.answered == last.answered
    }
}

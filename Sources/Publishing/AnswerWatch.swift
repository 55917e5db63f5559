/// Tells a broker that no longer answers from one that is slow, or at the end of a slow line. Pure: it counts looks, which
/// are taken at a steady interval, so that a process that was suspended takes only one for all that time.
package struct AnswerWatch: Sendable {
    /// The state of a connection at one look.
    package struct Sight: Equatable, Sendable {
        /// Messages and subscriptions without an answer.
        package var awaited: Int
        /// Answers so far.
        package var answered: UInt64
        /// Answers so far to what had waited longest. A single lost answer stops this count, and no other.
        package var answeredInOrder: UInt64
        /// Messages so far that came ahead of an answer, as they may to a consumer whose session held many.
        package var received: UInt64 = 0
        /// Bytes so far that the other end of the line has confirmed.
        package var delivered: UInt64
        /// Whether bytes are under way that it hasn't.
        package var isSending: Bool

        package init(
            awaited: Int, answered: UInt64, answeredInOrder: UInt64, received: UInt64 = 0, delivered: UInt64,
            isSending: Bool
        ) {
            self.awaited = awaited
            self.answered = answered
            self.answeredInOrder = answeredInOrder
            self.received = received
            self.delivered = delivered
            self.isSending = isSending
        }
    }

    /// The connection is given up at this look without progress.
    package static let looks = 8

    private var last: Sight?
    private var fruitless = 0

    package init(last: Sight? = nil) {
        self.last = last
    }

    /// - Returns: whether the connection is to be given up: what waits longest for its answer has made no progress for
    ///   `looks` looks.
    package mutating func isMute(_ sight: Sight) -> Bool {
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

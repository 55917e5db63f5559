/// A watch that distinguishes a broker that no longer answers from a broker or a connection that is slow. Pure. It
/// counts looks, which are taken at a steady interval; a process that was suspended takes only one look for all that
/// time.
package struct AnswerWatch: Sendable {
    /// The state of a connection at one look.
    package struct Sight: Equatable, Sendable {
        /// Messages and subscriptions without an answer.
        package var awaited: Int
        /// Number of answers so far.
        package var answered: UInt64
        /// Number of answers so far to the message that had waited longest. A single lost answer stops only this count.
        package var answeredInOrder: UInt64
        /// Number of messages received so far ahead of an answer. A consumer may receive them if its session held many.
        package var received: UInt64 = 0
        /// Number of bytes so far that the other end of the connection has confirmed.
        package var delivered: UInt64
        /// Whether bytes are in transit that the other end has not confirmed.
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

    /// Number of looks without progress after which the connection is given up.
    package static let looks = 8

    private var last: Sight?
    private var fruitless = 0

    package init(last: Sight? = nil) {
        self.last = last
    }

    /// Evaluates the next look at the connection.
    ///
    /// - Returns: whether to give up the connection: the message that has waited longest for its answer has made no
    ///   progress for `looks` looks.
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
        // An undelivered message cannot be answered. A message that was answered out of turn had been sent later.
        return sight.isSending && sight.delivered != last.delivered && sight.answered == last.answered
    }
}

import DequeModule

/// Numbers of messages and subscriptions that the broker has not answered, in the order in which they were sent.
package struct AwaitedAnswers: Sendable {
    private var numbers: Deque<Int32> = []
    /// Numbers answered on the network thread before the sender knew the number.
    private var early: Set<Int32> = []
    /// Number of answers so far.
    package private(set) var answered: UInt64 = 0
    /// Number of these answers that were for the message that had waited longest.
    package private(set) var answeredInOrder: UInt64 = 0

    package init(answered: UInt64 = 0, answeredInOrder: UInt64 = 0) {
        self.answered = answered
        self.answeredInOrder = answeredInOrder
    }

    package var count: Int { numbers.count }

    package mutating func sent(_ number: Int32) {
        if early.remove(number) == nil { numbers.append(number) }
    }

    package mutating func answered(_ number: Int32) {
        answered &+= 1
        guard let index = numbers.firstIndex(of: number) else {
            early.insert(number)
            return
        }
        numbers.remove(at: index)
        if index == 0 { answeredInOrder &+= 1 }
    }
}

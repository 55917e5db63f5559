import DequeModule

/// The waiting records of one topic, which are never offered in another order than they arrived.
package struct OutboxLane: Sendable {
    package let topic: String
    /// Number of records of this topic that the outbox holds, in any state.
    package var records = 0
    /// Number of records that can be sent at once. They exist only while no historical record waits.
    package var live = 0
    /// Number of waiting historical records in `backlog`.
    package private(set) var waiting = 0
    /// Identifiers in ascending order, including some that do not wait any more.
    private var backlog: Deque<Int64> = []
    /// Whether present records wait behind this topic's past, which then precedes the past of other topics.
    package var isUrgent = false
    /// The topic's records that the broker has rejected; `nil` if there are none.
    package var refusal: OutboxRefusal?

    init(topic: String) { self.topic = topic }

    /// Inserts records, given in ascending order of identifiers.
    package mutating func wait(_ ids: [Int64]) {
        guard let first = ids.first, let last = ids.last else { return }
        waiting += ids.count
        if backlog.last.map({ $0 < first }) ?? true {
            backlog.append(contentsOf: ids)
        } else if backlog.first.map({ last < $0 }) ?? true {
            backlog.prepend(contentsOf: ids)
        } else {
            backlog = merged(backlog, ids)
        }
    }

    /// Removes and returns the oldest waiting record.
    ///
    /// - Parameter isWaiting: whether the record with this identifier still waits.
    package mutating func next(_ isWaiting: (Int64) -> Bool) -> Int64? {
        while let id = backlog.popFirst() {
            if isWaiting(id) {
                waiting -= 1
                return id
            }
        }
        return nil
    }

    /// Removes and returns all waiting records in their order.
    mutating func takeAll(_ isWaiting: (Int64) -> Bool) -> [Int64] {
        defer { (backlog, waiting) = ([], 0) }
        var last: Int64?
        return backlog.filter { id in
            defer { last = id }
            return id != last && isWaiting(id)
        }
    }

    /// Counts one waiting record less.
    mutating func forgetOne(_ isWaiting: (Int64) -> Bool) {
        waiting -= 1
        if waiting == 0 {
            backlog = []
        } else if backlog.count > 2 * waiting + 16 {
            backlog.removeAll { !isWaiting($0) }
        }
    }

    private func merged(_ one: Deque<Int64>, _ other: [Int64]) -> Deque<Int64> {
        var result: Deque<Int64> = []
        result.reserveCapacity(one.count + other.count)
        var (left, right) = (0, 0)
        while left < one.count || right < other.count {
            if right == other.count || (left < one.count && one[left] < other[right]) {
                result.append(one[left])
                left += 1
            } else {
                result.append(other[right])
                right += 1
            }
        }
        return result
    }
}

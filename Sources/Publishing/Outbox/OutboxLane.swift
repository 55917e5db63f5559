import DequeModule

/// What waits of one topic: never offered in another order than it came.
package struct OutboxLane: Sendable {
    package let topic: String
    /// All of this topic that the outbox holds, in whichever state.
    package var records = 0
    /// That wait and needn't wait for others: only while nothing historical waits.
    package var live = 0
    /// That wait, historical, and how many there are of them in `backlog`.
    package private(set) var waiting = 0
    /// Identifiers, growing; among them such that don't wait any more.
    private var backlog: Deque<Int64> = []
    /// Somebody's present waits behind it: it goes before other topics' past.
    package var isUrgent = false
    /// The topic's records that the broker has refused; `nil` when there are none.
    package var refusal: OutboxRefusal?

    init(topic: String) { self.topic = topic }

    /// Puts records, by growing identifiers, into their places.
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

    /// Takes the oldest that waits.
    ///
    /// - Parameter isWaiting: whether a record of that identifier still waits.
    package mutating func next(_ isWaiting: (Int64) -> Bool) -> Int64? {
        while let id = backlog.popFirst() {
            if isWaiting(id) {
                waiting -= 1
                return id
            }
        }
        return nil
    }

    /// Takes all that wait, in their order.
    mutating func takeAll(_ isWaiting: (Int64) -> Bool) -> [Int64] {
        defer { (backlog, waiting) = ([], 0) }
        var last: Int64?
        return backlog.filter { id in
            defer { last = id }
            return id != last && isWaiting(id)
        }
    }

    /// One that waited is gone.
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

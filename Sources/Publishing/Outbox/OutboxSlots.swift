import DequeModule

/// Values by identifiers that mostly arrive in ascending order and nearly without gaps, so each is found by its place.
package struct OutboxSlots<Value: Sendable>: Sendable {
    /// Slots in ascending order of identifiers, including those that are gone until the next tidying.
    private var slots: Deque<(id: Int64, value: Value?)> = []
    package private(set) var count = 0

    package init(count: Int = 0) {
        self.count = count
    }

    package var isEmpty: Bool { count == 0 }

    package subscript(id: Int64) -> Value? { slots.index(of: id, identifier: \.id).flatMap { slots[$0].value } }

    /// Values in the order of identifiers.
    package var values: some Sequence<Value> { slots.lazy.compactMap(\.value) }

    /// Inserts or replaces a value.
    ///
    /// - Returns: the previous value.
    @discardableResult
    package mutating func insert(_ id: Int64, _ value: Value) -> Value? {
        if slots.last.map({ $0.id < id }) ?? true {
            slots.append((id, value))
        } else if let index = slots.index(of: id, identifier: \.id) {
            let old = slots[index].value
            slots[index].value = value
            if old == nil { count += 1 }
            return old
        } else {
            slots.insert((id, value), at: slots.firstIndex { $0.id > id } ?? slots.endIndex)
        }
        count += 1
        return nil
    }

    @discardableResult
    package mutating func remove(_ id: Int64) -> Value? {
        guard let index = slots.index(of: id, identifier: \.id) else { return nil }
        // The value is swapped out in place; a copy would have to be retained.
        var value: Value?
        swap(&value, &slots[index].value)
        if value == nil { return nil }
        count -= 1
        tidy()
        return value
    }

    /// Removes and returns the value with the smallest identifier.
    package mutating func popFirst() -> (id: Int64, value: Value)? {
        while let slot = slots.popFirst() {
            guard let value = slot.value else { continue }
            count -= 1
            return (slot.id, value)
        }
        return nil
    }

    private mutating func tidy() {
        while let first = slots.first, first.value == nil { slots.removeFirst() }
        if slots.count > 2 * count + 64 { slots.removeAll { $0.value == nil } }
    }
}

extension Deque {
    /// Returns the index of an identifier, among elements with ascending identifiers.
    @inline(__always)
    package func index(of id: Int64, identifier: (Element) -> Int64) -> Int? {
        guard let first, id >= identifier(first) else { return nil }
        // Without gaps the number gives the place; with gaps the element is never after that place.
        var upper = Int(Swift.min(id - identifier(first), Int64(count - 1)))
        if identifier(self[upper]) == id { return upper }
        var lower = 0
        while lower < upper {
            let middle = (lower + upper) / 2
            if identifier(self[middle]) < id { lower = middle + 1 } else { upper = middle }
        }
        return identifier(self[upper]) == id ? upper : nil
    }
}

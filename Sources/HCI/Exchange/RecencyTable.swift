/// A bounded table that evicts the least recently used entry when it is full. All operations take constant time.
package struct RecencyTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Slot: Sendable {
        var key: Key
        var value: Value
        /// Slot used just before this one; -1 if there is none.
        var older: Int
        /// Slot used just after this one; -1 if there is none.
        var newer: Int
    }

    package let capacity: Int
    private var slots: [Slot] = []
    private var places: [Key: Int] = [:]
    private var oldest = -1
    private var newest = -1

    /// - Parameter capacity: at least 1.
    package init(capacity: Int) {
        self.capacity = max(1, capacity)
        places.reserveCapacity(self.capacity)
    }

    package var count: Int { slots.count }
    /// All entries, in no particular order.
    package var entries: some Sequence<(key: Key, value: Value)> { slots.lazy.map { (key: $0.key, value: $0.value) } }

    /// Returns the value of a key. Does not count as use.
    package func value(of key: Key) -> Value? { places[key].map { slots[$0].value } }

    /// Changes the entry if it exists. Does not count as use.
    package mutating func change(_ key: Key, _ body: (inout Value) -> Void) {
        if let place = places[key] { body(&slots[place].value) }
    }

    /// Uses the entry: inserts it if necessary, then changes it.
    package mutating func use(_ key: Key, initially value: @autoclosure () -> Value, _ body: (inout Value) -> Void) {
        let place: Int
        if let known = places[key] {
            place = known
            if place != newest {
                unlink(place)
                linkAsNewest(place)
            }
        } else if slots.count < capacity {
            place = slots.count
            slots.append(Slot(key: key, value: value(), older: -1, newer: -1))
            places[key] = place
            linkAsNewest(place)
        } else {
            place = oldest
            unlink(place)
            places[slots[place].key] = nil
            places[key] = place
            slots[place].key = key
            slots[place].value = value()
            linkAsNewest(place)
        }
        body(&slots[place].value)
    }

    package mutating func remove(_ key: Key) {
        guard let place = places.removeValue(forKey: key) else { return }
        unlink(place)
        let last = slots.removeLast()
        guard place < slots.count else { return }
        // The last slot moves into the gap.
        slots[place] = last
        places[last.key] = place
        if last.older >= 0 { slots[last.older].newer = place } else { oldest = place }
        if last.newer >= 0 { slots[last.newer].older = place } else { newest = place }
    }

    private mutating func unlink(_ place: Int) {
        let (older, newer) = (slots[place].older, slots[place].newer)
        if older >= 0 { slots[older].newer = newer } else { oldest = newer }
        if newer >= 0 { slots[newer].older = older } else { newest = older }
    }

    private mutating func linkAsNewest(_ place: Int) {
        slots[place].older = newest
        slots[place].newer = -1
        if newest >= 0 { slots[newest].newer = place } else { oldest = place }
        newest = place
    }
}

/// A cache of recently used values in bounded memory: when a generation is full, the one before it is dropped.
package struct GenerationalCache<Key: Hashable, Value> {
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private let capacity: Int

    /// Creates a cache.
    ///
    /// - Parameter capacity: capacity of a generation; there are two.
    package init(capacity: Int) { self.capacity = capacity }

    /// Returns a value, and keeps it in the young generation.
    package mutating func value(for key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old[key] else { return nil }
        insert(value, for: key)
        return value
    }

    package mutating func insert(_ value: Value, for key: Key) {
        if young.count >= capacity {
            old = young
            young = [:]
        }
        young[key] = value
    }
}

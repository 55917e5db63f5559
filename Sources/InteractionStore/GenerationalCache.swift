/// What was asked for lately, in bounded memory: when a generation is full, the one before it is forgotten.
struct GenerationalCache<Key: Hashable, Value> {
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private let capacity: Int

    /// - Parameter capacity: of a generation; there are two.
    init(capacity: Int) { self.capacity = capacity }

    /// What is asked for stays.
    mutating func value(for key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old[key] else { return nil }
        insert(value, for: key)
        return value
    }

    mutating func insert(_ value: Value, for key: Key) {
        if young.count >= capacity {
            old = young
            young = [:]
        }
        young[key] = value
    }
}

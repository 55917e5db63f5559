/// Token buckets of one size, one for each key. Memory is bounded.
///
/// Keys are kept in two generations. When the younger one has reached the capacity, it becomes the older one, and what
/// was the older one is forgotten: keys that have not been used since. A forgotten key has a full bucket again.
package struct KeyedTokenBuckets<Key: Hashable & Sendable>: Sendable {
    /// A full bucket.
    private let standard: TokenBucket
    private let capacity: Int
    /// Times at which the buckets will be full.
    private var younger: [Key: Duration] = [:]
    private var older: [Key: Duration] = [:]

    /// Creates full buckets.
    ///
    /// - Parameter capacity: minimum number of keys that are remembered, at least 1; at most twice as many are.
    package init(_ standard: TokenBucket, capacity: Int) {
        self.standard = standard
        self.capacity = max(1, capacity)
    }

    /// Number of keys that are remembered.
    package var count: Int { younger.count + older.count }

    /// Takes tokens from the bucket of a key; see `TokenBucket.take`.
    package mutating func take(
        _ count: Int = 1, of key: Key, at now: Duration, allowsDebt: Bool = false
    ) -> Duration? {
        var bucket = known(key) ?? standard
        let wait = bucket.take(count, at: now, allowsDebt: allowsDebt)
        remember(bucket, key)
        return wait
    }

    /// Gives back one token of a key. Does nothing if the key is forgotten.
    package mutating func giveBack(_ key: Key) {
        guard var bucket = known(key) else { return }
        bucket.giveBack()
        remember(bucket, key)
    }

    private func known(_ key: Key) -> TokenBucket? {
        guard let fullAt = younger[key] ?? older[key] else { return nil }
        var bucket = standard
        bucket.fullAt = fullAt
        return bucket
    }

    private mutating func remember(_ bucket: TokenBucket, _ key: Key) {
        if younger.count >= capacity, younger[key] == nil {
            older = younger
            younger = [:]
        }
        younger[key] = bucket.fullAt
    }
}

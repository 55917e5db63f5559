/// One advertising event of a badge.
struct Transmission: Sendable {
    /// Since the building opened.
    var microseconds: Int64
    var person: Int
}

/// When badges send: each in its own interval, with the random delay of 0 to 10 ms that the specification adds to each
/// event (Bluetooth Core Specification 5.4, Vol 6, Part B, 4.4.2.2.1).
struct Sending: Sendable {
    /// Microseconds.
    private let interval: Int64
    private var next: [Int64]
    private var random: SplitMix

    /// - Parameter interval: seconds.
    init(people: Int, interval: Double, seed: UInt64) {
        self.interval = Int64(interval * 1e6)
        random = SplitMix(seed: seed, .sending)
        next = []
        for _ in 0..<people { next.append(Int64(random.unit() * interval * 1e6)) }
    }

    /// Everything that is sent in the next seconds by those who are in the building, in the order of time.
    mutating func events(until second: Int, _ walks: Walks) -> [Transmission] {
        var events: [Transmission] = []
        for person in next.indices {
            while next[person] < Int64(second) * 1_000_000 {
                if walks[person, Int(next[person] / 1_000_000)].isInside {
                    events.append(Transmission(microseconds: next[person], person: person))
                }
                next[person] += interval + Int64(random.unit() * 10_000)
            }
        }
        return events.sorted { ($0.microseconds, $0.person) < ($1.microseconds, $1.person) }
    }
}

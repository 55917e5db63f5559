import InteractionStore

/// Who was heard by one gateway at the same time, whatever the distances: what is left of contact tracing without them.
struct CoLocation: Sendable {
    struct Times: Equatable, Sendable {
        /// Seconds in which one gateway heard both.
        var together: Int64 = 0
        /// The least time between the two at one gateway, in seconds; `nil`: never.
        var apart: Int64?
    }

    struct Stay: Equatable, Sendable {
        var person: Int
        var gateway: Int
        /// Seconds since 1970.
        var start: Int64
        var end: Int64
        /// Median, in dBm.
        var rssi: Int64
    }

    private let people: Int
    private var times: [Times]

    init(_ stays: [Stay], people: Int) {
        self.people = people
        times = Array(repeating: Times(), count: people * people)
        var shared: [Int: [(start: Int64, end: Int64)]] = [:]
        for stays in Dictionary(grouping: stays, by: \.gateway).values {
            let ordered = stays.sorted { ($0.start, $0.person) < ($1.start, $1.person) }
            for (index, one) in ordered.enumerated() {
                for other in ordered[(index + 1)...] {
                    // Farther apart than any question asks.
                    if other.start - one.end > 3600 { continue }
                    guard one.person != other.person else { continue }
                    let pair = min(one.person, other.person) * people + max(one.person, other.person)
                    times[pair].apart = min(times[pair].apart ?? .max, max(0, other.start - one.end))
                    let end = min(one.end, other.end)
                    if end > other.start { shared[pair, default: []].append((other.start, end)) }
                }
            }
        }
        for (pair, parts) in shared {
            var until = Int64.min
            for part in parts.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) where part.end > until {
                times[pair].together += part.end - max(part.start, until)
                until = part.end
            }
        }
    }

    /// At which gateway each person was heard best, without overlap: what is left of stays when everybody is at one place at
    /// a time.
    static func nearest(_ stays: [Stay]) -> [Stay] {
        var nearest: [Stay] = []
        for (_, stays) in Dictionary(grouping: stays, by: \.person).sorted(by: { $0.key < $1.key }) {
            let ordered = stays.sorted { ($0.start, $0.gateway) < ($1.start, $1.gateway) }
            let boundaries = Set(ordered.flatMap { [$0.start, $0.end] }).sorted()
            var active: [Stay] = []
            var next = ordered.startIndex
            for (start, end) in zip(boundaries, boundaries.dropFirst()) {
                active.removeAll { $0.end <= start }
                while next < ordered.endIndex, ordered[next].start <= start {
                    if ordered[next].end > start { active.append(ordered[next]) }
                    next += 1
                }
                guard var best = active.max(by: { ($0.rssi, $1.gateway) < ($1.rssi, $0.gateway) }) else { continue }
                (best.start, best.end) = (start, end)
                if let last = nearest.last, last.person == best.person, last.gateway == best.gateway, last.end == start
                {
                    nearest[nearest.count - 1].end = end
                } else {
                    nearest.append(best)
                }
            }
        }
        return nearest
    }

    subscript(one: Int, other: Int) -> Times { times[min(one, other) * people + max(one, other)] }
}

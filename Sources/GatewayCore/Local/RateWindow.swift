/// Rates of counts over the last ten seconds. Pure.
package struct RateWindow: Equatable, Sendable {
    private struct Sample: Equatable, Sendable {
        var counts: [UInt64]
        var at: Duration
    }

    package static let length: Duration = .seconds(10)
    /// Time between two samples.
    package static let interval: Duration = .seconds(2)

    private var samples: [Sample] = []

    package init() {}

    /// Adds counts. A sample that comes too early, or with another number of counts, begins nothing new or anew.
    package mutating func add(_ counts: [UInt64], at time: Duration) {
        if samples.last?.counts.count != counts.count { samples = [] }
        if let last = samples.last, time - last.at < Self.interval / 2 { return }
        samples.append(Sample(counts: counts, at: time))
        // The oldest is needed as long as the second is younger than the window.
        while samples.count > 2, time - samples[1].at >= Self.length { samples.removeFirst() }
    }

    /// Rates per second; empty while there are less than two samples.
    package var rates: [Double] {
        guard let first = samples.first, let last = samples.last, last.at > first.at else { return [] }
        let seconds = (last.at - first.at) / .seconds(1)
        return zip(first.counts, last.counts).map { Double($1 > $0 ? $1 - $0 : 0) / seconds }
    }
}

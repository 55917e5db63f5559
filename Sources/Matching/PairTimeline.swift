import HeapModule

/// Time shared by two subjects, with no moment counted twice. Both can be received at several places at once, and a
/// long stay comes in parts.
struct PairTimeline {
    /// An encounter that the policy admits, with the weight of a minute.
    struct Candidate {
        var encounter: Encounter
        var range: ClosedRange<Int64>
        /// Probability that the two were within the policy's radius.
        var probability: Double
        var weight: Double
    }

    /// A part of the time, with the encounter that counts most in it.
    struct Segment: Equatable {
        var start: Int64
        var end: Int64
        var candidate: Int
    }

    /// Disjoint segments, ascending. A segment of length 0 means that one subject arrived after the other had departed.
    private(set) var segments: [Segment] = []

    /// Computes the segments.
    ///
    /// - Parameters:
    ///   - candidates: admitted encounters in any order.
    ///   - window: maximum time from the departure of one subject to the arrival of the other, in seconds. Such a
    ///     succession counts only if the two shared no time within the window before or after it.
    init(_ candidates: [Candidate], window: Int64) {
        // The common case.
        if candidates.count == 1 {
            segments = [Segment(start: candidates[0].encounter.start, end: candidates[0].encounter.end, candidate: 0)]
            return
        }
        let order = candidates.indices.sorted {
            (candidates[$0].encounter.start, $0) < (candidates[$1].encounter.start, $1)
        }
        addShared(candidates, order.filter { candidates[$0].encounter.overlap > 0 })
        let apart = order.filter { candidates[$0].encounter.overlap == 0 }
        guard !apart.isEmpty else { return }
        let seams = PairSeams(candidates.lazy.map(\.encounter))
        addApart(candidates, apart.filter { !seams.hold(candidates[$0].encounter) }, window: window)
    }

    private mutating func addShared(_ candidates: [Candidate], _ order: [Int]) {
        let boundaries = Set(order.flatMap { [candidates[$0].encounter.start, candidates[$0].encounter.end] }).sorted()
        // Ordered by weight: a gateway can report thousands of encounters at one time.
        let byRank = order.sorted { Self.isBetter(candidates, $0, than: $1) }
        var ranks = [Int](repeating: 0, count: candidates.count)
        for (rank, index) in byRank.enumerated() { ranks[index] = rank }
        var active = Heap<Int>()
        var next = order.startIndex
        for (start, end) in zip(boundaries, boundaries.dropFirst()) {
            while next < order.endIndex, candidates[order[next]].encounter.start <= start {
                active.insert(ranks[order[next]])
                next += 1
            }
            while let first = active.min, candidates[byRank[first]].encounter.end <= start { active.removeMin() }
            guard let best = active.min.map({ byRank[$0] }) else { continue }
            if let last = segments.last, last.candidate == best, last.end == start {
                segments[segments.count - 1].end = end
            } else {
                segments.append(Segment(start: start, end: end, candidate: best))
            }
        }
    }

    /// Whether one candidate counts more than another. Among equals the more probable one wins, then the first.
    private static func isBetter(_ candidates: [Candidate], _ one: Int, than other: Int) -> Bool {
        let (left, right) = (candidates[one], candidates[other])
        if left.weight != right.weight { return left.weight > right.weight }
        if left.probability != right.probability { return left.probability > right.probability }
        return one < other
    }

    private mutating func addApart(_ candidates: [Candidate], _ order: [Int], window: Int64) {
        let shared = segments
        var sharedIndex = 0
        var kept: [Segment] = []
        for index in order {
            let moment = candidates[index].encounter.start
            // A segment that ended long before this moment also ended long before all later ones.
            while sharedIndex < shared.count, shared[sharedIndex].end < moment - window { sharedIndex += 1 }
            if sharedIndex < shared.count, shared[sharedIndex].start <= moment + window { continue }
            let segment = Segment(start: moment, end: moment, candidate: index)
            if let last = kept.last, moment - last.start <= window {
                // One of them is enough: the one with the shortest time apart.
                if candidates[index].encounter.apart < candidates[last.candidate].encounter.apart {
                    kept[kept.count - 1] = segment
                }
            } else {
                kept.append(segment)
            }
        }
        guard !kept.isEmpty else { return }
        segments = (segments + kept).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }
}

extension Encounter {
    /// Seconds from the departure of one to the arrival of the other; 0 when they shared time.
    var apart: Int64 { max(0, max(positive.start, other.start) - min(positive.end, other.end)) }
}

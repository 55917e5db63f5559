import BeaconModel

/// Uninterrupted presences of subjects at places, in however many parts they were recorded. A gateway closes a long
/// interaction and continues it, and several gateways can be at one place.
package struct Presences: Sendable {
    private var spans: [Key: [ClosedRange<Int64>]] = [:]

    private struct Key: Hashable {
        var subject: Int64
        var place: Int64
    }

    /// Joins stays to presences.
    ///
    /// - Parameter stays: stays in any order. Other stays are unknown: when a part of a presence is missing, the
    ///   presence ends before it and begins again after it.
    package init(_ stays: some Sequence<Stay>) {
        spans = Dictionary(grouping: stays) { Key(subject: $0.subject, place: $0.place) }.mapValues { stays in
            stays.map { $0.start...$0.end }.joined(over: 0)
        }
    }

    /// Returns the presence that a stay is part of; the stay's own time when nothing adjoins it.
    package func span(of stay: Stay) -> ClosedRange<Int64> {
        let known = spans[Key(subject: stay.subject, place: stay.place)] ?? []
        let index = known.partitioningIndex { $0.upperBound >= stay.start }
        guard index < known.endIndex, known[index].lowerBound <= stay.end else { return stay.start...stay.end }
        return min(known[index].lowerBound, stay.start)...max(known[index].upperBound, stay.end)
    }
}

extension [ClosedRange<Int64>] {
    /// Returns disjoint ranges in ascending order; ranges that are at most `gap` apart are merged.
    package func joined(over gap: Int64) -> Self {
        sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, next in
            guard let last = joined.last, next.lowerBound - last.upperBound <= gap else { return joined.append(next) }
            joined[joined.count - 1] = last.lowerBound...Swift.max(last.upperBound, next.upperBound)
        }
    }
}

import BeaconModel

/// Since when and until when subjects were at places without a break, in however many parts records told it: a gateway
/// closes a long interaction and continues it, and several gateways may be at one place.
package struct Presences: Sendable {
    private var spans: [Key: [ClosedRange<Int64>]] = [:]

    private struct Key: Hashable {
        var subject: Int64
        var place: Int64
    }

    /// - Parameter stays: in any order. What isn't among them isn't known: a presence of which a part is missing ends
    ///   before it and begins anew behind it.
    package init(_ stays: some Sequence<Stay>) {
        spans = Dictionary(grouping: stays) { Key(subject: $0.subject, place: $0.place) }.mapValues { stays in
            stays.map { $0.start...$0.end }.joined(over: 0)
        }
    }

    /// The presence of which a stay is a part; the stay's own time when nothing adjoins it.
    package func span(of stay: Stay) -> ClosedRange<Int64> {
        let known = spans[Key(subject: stay.subject, place: stay.place)] ?? []
        let index = known.partitioningIndex { $0.upperBound >= stay.start }
        guard index < known.endIndex, known[index].lowerBound <= stay.end else { return stay.start...stay.end }
        return min(known[index].lowerBound, stay.start)...max(known[index].upperBound, stay.end)
    }
}

extension [ClosedRange<Int64>] {
    /// Ranges apart from each other, ascending: those that are no further apart than a gap become one.
    package func joined(over gap: Int64) -> Self {
        sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, next in
            guard let last = joined.last, next.lowerBound - last.upperBound <= gap else { return joined.append(next) }
            joined[joined.count - 1] = last.lowerBound...Swift.max(last.upperBound, next.upperBound)
        }
    }
}

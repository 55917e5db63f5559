/// Check of how many stays of one subject a gateway reports at one place and time. A receiver tracks each subject once:
/// more than a few simultaneous stays are fabricated, and multiply the comparisons with other stays.
package struct StayDepth: Sendable {
    /// Maximum number of simultaneous stays; clocks that are set back and repeated records produce fewer.
    package static let most = 16

    private struct Key: Hashable {
        var subject: Int64
        var place: Int64
        var source: Int64
    }

    /// Maximum number of stays of the positive subjects that one gateway reports in a fortnight: five a minute.
    package static let mostStays = 100_000

    /// Gateways that report more than `most` simultaneous stays of a subject at one place.
    package private(set) var crowding: Set<Int64> = []

    /// Finds the crowding gateways.
    ///
    /// - Parameter stays: stays in any order, each with the number of the gateway that reported it.
    package init(_ stays: some Sequence<(stay: Stay, source: Int64)>) {
        let groups = Dictionary(grouping: stays) {
            Key(subject: $0.stay.subject, place: $0.stay.place, source: $0.source)
        }
        for (key, stays) in groups where stays.count > Self.most && !crowding.contains(key.source) {
            // A stay that begins when another ends is not simultaneous with it.
            let changes = stays.flatMap { [($0.stay.start, 1), (max($0.stay.start + 1, $0.stay.end), -1)] }
            var depth = 0
            for (_, change) in changes.sorted(by: { $0 < $1 }) {
                depth += change
                if depth > Self.most {
                    crowding.insert(key.source)
                    break
                }
            }
        }
    }
}

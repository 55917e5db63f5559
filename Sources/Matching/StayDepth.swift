/// How many stays of one subject there are at one place and one time. A receiver hears everybody once: more than a few
/// are somebody's invention, and multiply whatever is compared with them.
public struct StayDepth: Sendable {
    /// More than clocks that are set back and records that are repeated make.
    public static let most = 16

    private struct Key: Hashable {
        var subject: Int64
        var place: Int64
    }

    /// The places at which some subject is more than `most` times at once.
    public private(set) var crowdedPlaces: Set<Int64> = []

    /// - Parameter stays: in any order.
    public init(_ stays: some Sequence<Stay>) {
        for (key, stays) in Dictionary(grouping: stays, by: { Key(subject: $0.subject, place: $0.place) })
        where stays.count > Self.most && !crowdedPlaces.contains(key.place) {
            // One that begins when another ends isn't there with it.
            let changes = stays.flatMap { [($0.start, 1), (max($0.start + 1, $0.end), -1)] }.sorted { $0 < $1 }
            var depth = 0
            for (_, change) in changes {
                depth += change
                if depth > Self.most {
                    crowdedPlaces.insert(key.place)
                    break
                }
            }
        }
    }
}

/// How many stays of one subject one gateway tells of at one place and one time. A receiver hears everybody once: more than
/// a few are invented, and multiply whatever is compared with them.
package struct StayDepth: Sendable {
    /// More than clocks that are set back and records that are repeated make.
    package static let most = 16

    private struct Key: Hashable {
        var subject: Int64
        var place: Int64
        var teller: Int64
    }

    /// The most stays of the positives of which one gateway tells in a fortnight: five a minute.
    package static let mostStays = 100_000

    /// Those who tell that some subject is more than `most` times at one place at once.
    package private(set) var crowding: Set<Int64> = []

    /// - Parameter stays: in any order, each with the number of who told of it.
    package init(_ stays: some Sequence<(stay: Stay, teller: Int64)>) {
        let groups = Dictionary(grouping: stays) {
            Key(subject: $0.stay.subject, place: $0.stay.place, teller: $0.teller)
        }
        for (key, stays) in groups where stays.count > Self.most && !crowding.contains(key.teller) {
            // One that begins when another ends isn't there with it.
            let changes = stays.flatMap { [($0.stay.start, 1), (max($0.stay.start + 1, $0.stay.end), -1)] }
            var depth = 0
            for (_, change) in changes.sorted(by: { $0 < $1 }) {
                depth += change
                if depth > Self.most {
                    crowding.insert(key.teller)
                    break
                }
            }
        }
    }
}

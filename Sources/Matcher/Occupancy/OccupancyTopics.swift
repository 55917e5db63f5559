/// On which topics it was said how full rooms and floors are, so that those of what is gone are emptied. Pure.
struct OccupancyTopics: Equatable, Sendable {
    private var said: Set<String> = []

    /// - Parameter topics: those of all rooms and floors that there are now.
    /// - Returns: those on which something was said before and that there are no more, in order.
    mutating func replace(with topics: [String]) -> [String] {
        let present = Set(topics)
        let gone = said.subtracting(present).sorted()
        said = present
        return gone
    }
}

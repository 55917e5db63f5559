/// Topics with a published occupancy, so that those of vanished rooms and floors are emptied. Pure.
package struct OccupancyTopics: Equatable, Sendable {
    private var said: Set<String> = []

    package init() {
    }

    /// Replaces the topics.
    ///
    /// - Parameter topics: topics of all present rooms and floors.
    /// - Returns: previous topics that are no longer present, in order.
    package mutating func replace(with topics: [String]) -> [String] {
        let present = Set(topics)
        let gone = said.subtracting(present).sorted()
        said = present
        return gone
    }
}

/// Signals of one subject at all receivers in one minute; at most 16 are stored.
package struct MinuteVector: Equatable, Sendable {
    /// Hearings in the order of receiver numbers, one for each receiver.
    package private(set) var hearings: [Hearing]

    /// Maximum number of stored receivers. More add nothing: the weakest of 16 receives less than a tenth of the
    /// strongest.
    package static let mostReceivers = 16

    package init(_ hearings: [Hearing] = []) {
        self.hearings = []
        for hearing in hearings { add(hearing) }
    }

    /// Creates a vector from sorted hearings.
    ///
    /// - Parameter hearings: in the order of receiver numbers, one for each receiver.
    init(ascending hearings: [Hearing]) { self.hearings = hearings }

    package var isEmpty: Bool { hearings.isEmpty }

    /// Adds a hearing; of several hearings of one receiver the greatest code counts.
    mutating func add(_ hearing: Hearing) {
        if hearings.isEmpty { hearings.reserveCapacity(Self.mostReceivers / 2) }
        var index = hearings.endIndex
        while index > 0, hearings[index - 1].receiver >= hearing.receiver { index -= 1 }
        if index < hearings.endIndex, hearings[index].receiver == hearing.receiver {
            hearings[index].code = max(hearings[index].code, hearing.code)
        } else {
            hearings.insert(hearing, at: index)
        }
    }

    /// Removes all receivers but the given ones.
    mutating func keep(_ receivers: Set<Int64>) { hearings.removeAll { !receivers.contains($0.receiver) } }
}

/// What all receivers heard of one subject in one minute: 16 of them are kept at most.
package struct MinuteVector: Equatable, Sendable {
    /// Hearings in the order of their receivers' numbers, one for each.
    package private(set) var hearings: [Hearing]

    /// More receivers add nothing: what the weakest of 16 hears is less than a tenth of what the strongest does.
    package static let mostReceivers = 16

    package init(_ hearings: [Hearing] = []) {
        self.hearings = []
        for hearing in hearings { add(hearing) }
    }

    /// - Parameter hearings: in the order of their receivers' numbers, one for each.
    init(ascending hearings: [Hearing]) { self.hearings = hearings }

    package var isEmpty: Bool { hearings.isEmpty }

    /// Takes in what a receiver heard; of several things that are said of one receiver the greatest code counts.
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

    /// Leaves others than some receivers out.
    mutating func keep(_ receivers: Set<Int64>) { hearings.removeAll { !receivers.contains($0.receiver) } }
}

/// Which receivers listened in a minute, and where they are.
package struct ListeningFloors: Equatable, Sendable {
    /// Where a receiver is, and who speaks for it.
    package struct Place: Hashable, Sendable {
        /// Any number that the receivers of one floor have in common.
        package var floor: Int64
        /// Any number that a gateway and its ears have in common.
        package var gateway: Int64

        package init(floor: Int64, gateway: Int64) {
            self.floor = floor
            self.gateway = gateway
        }
    }

    private struct Floor: Equatable {
        var receivers = 0
        var gateways: Set<Int64> = []
    }

    private var places: [Int64: Place] = [:]
    private var floors: [Int64: Floor] = [:]

    /// A receiver that listened for less is taken for deaf in that minute, in seconds. A module that takes turns with its own
    /// advertising listens for 5.
    package static let leastListened: Int64 = 3

    /// - Parameter places: of the receivers that listened, by the receiver's number.
    package init(_ places: [Int64: Place]) {
        self.places = places
        for place in places.values {
            floors[place.floor, default: Floor()].receivers += 1
            floors[place.floor]?.gateways.insert(place.gateway)
        }
    }

    /// Where a receiver is; `nil` for one that was deaf.
    package func place(of receiver: Int64) -> Place? { places[receiver] }

    /// How many receivers of a floor listened.
    package func receivers(on floor: Int64) -> Int { floors[floor]?.receivers ?? 0 }

    /// Of how many gateways they were.
    package func gateways(on floor: Int64) -> Int { floors[floor]?.gateways.count ?? 0 }
}

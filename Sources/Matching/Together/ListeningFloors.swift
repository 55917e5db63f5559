/// Receivers that listened in a minute, with their places.
package struct ListeningFloors: Equatable, Sendable {
    /// Floor of a receiver, and the gateway that reports for it.
    package struct Place: Hashable, Sendable {
        /// Number that the receivers of one floor have in common.
        package var floor: Int64
        /// Number that a gateway and its remote receivers have in common.
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

    /// Minimum listening time in a minute, in seconds. A receiver that listened for less counts as deaf in that minute.
    /// A module that alternates between scanning and its own advertising listens for 5 s.
    package static let leastListened: Int64 = 3

    /// Creates the floors.
    ///
    /// - Parameter places: places of the receivers that listened, by receiver number.
    package init(_ places: [Int64: Place]) {
        self.places = places
        for place in places.values {
            floors[place.floor, default: Floor()].receivers += 1
            floors[place.floor]?.gateways.insert(place.gateway)
        }
    }

    /// Returns the place of a receiver; `nil` for one that did not listen.
    package func place(of receiver: Int64) -> Place? { places[receiver] }

    /// Returns the number of receivers of a floor that listened.
    package func receivers(on floor: Int64) -> Int { floors[floor]?.receivers ?? 0 }

    /// Returns the number of gateways of a floor with receivers that listened.
    package func gateways(on floor: Int64) -> Int { floors[floor]?.gateways.count ?? 0 }
}

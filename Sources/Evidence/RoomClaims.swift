/// Decides on which floor a room is that only records name. Pure.
///
/// The floor whose gateway named the room first has it: a gateway can lie about its own floor, and no further. Rooms of
/// the same name on other floors are shown, but not used.
package struct RoomClaims: Equatable, Sendable {
    /// A receiver's claim to be in the room.
    package struct Naming: Equatable {
        /// Number of the place.
        package var place: Int64
        /// The floor as `site/building/floor`.
        package var floor: String
        /// `site/building/floor/gateway`, followed by the remote receiver if it is one.
        package var receiver: String
        /// Whether an operator revoked its gateway, whose claims decide nothing while others name the room.
        package var isRevoked = false

        package init(place: Int64, floor: String, receiver: String, isRevoked: Bool = false) {
            self.place = place
            self.floor = floor
            self.receiver = receiver
            self.isRevoked = isRevoked
        }
    }

    package let room: String
    /// The room's floor as `site/building/floor`; `nil` when no record names the room.
    package let floor: String?
    /// Places in the room, by number.
    package let places: Set<Int64>
    /// Receivers on other floors that name the room.
    package let refused: [String]

    /// Decides the floor of a room.
    ///
    /// - Parameter namings: in the order in which the room was named.
    package init(room: String, _ namings: [Naming]) {
        let floor = (namings.first { !$0.isRevoked } ?? namings.first)?.floor
        self.room = room
        self.floor = floor
        places = Set(namings.filter { $0.floor == floor }.map(\.place))
        refused = Set(namings.filter { $0.floor != floor }.map(\.receiver)).sorted()
    }
}

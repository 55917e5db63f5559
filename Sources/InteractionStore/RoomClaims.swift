/// Decides on which floor a room is that only records name. Pure.
///
/// The floor whose gateway named it first has it: a gateway may lie about its own floor, and no further. What receivers of other
/// floors call by the same name is shown, and not followed.
package struct RoomClaims: Equatable, Sendable {
    /// A receiver says that it is in the room.
    struct Naming: Equatable {
        /// By its number.
        var place: Int64
        /// `site/building/floor`.
        var floor: String
        /// `site/building/floor/gateway`, with an ear after it for one that the gateway looks after.
        var receiver: String
        /// Whether an operator revoked its gateway: what it says decides nothing while others name the room.
        var isRevoked = false
    }

    package let room: String
    /// `site/building/floor`; `nil` when no record names the room.
    package let floor: String?
    /// Places in the room, by number.
    package let places: Set<Int64>
    /// Receivers of other floors that name the room.
    package let refused: [String]

    /// - Parameter namings: in the order in which the room was named.
    init(room: String, _ namings: [Naming]) {
        let floor = (namings.first { !$0.isRevoked } ?? namings.first)?.floor
        self.room = room
        self.floor = floor
        places = Set(namings.filter { $0.floor == floor }.map(\.place))
        refused = Set(namings.filter { $0.floor != floor }.map(\.receiver)).sorted()
    }
}

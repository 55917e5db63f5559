import Attendance
package import Evidence
package import InteractionStore
package import MatcherCore
import SystemIO

/// Beacons of places, decisions about them, and claims that are not believed: what the command line and the page list.
package struct PlaceList: Sendable {
    package var places: [InteractionStore.PlaceBeacon]
    /// Decisions of operators that hold.
    package var decisions: [InteractionStore.DecidedPlace]
    /// Claims to beacons that are not believed.
    package var refused: [InteractionStore.RefusedClaim]
    /// Beacons of these claims that a person may carry, as far as they were looked for: only the page needs them.
    var carried: Set<String> = []
    /// Rooms that receivers of several floors name.
    package var rooms: [RoomClaims]

    package init(
        places: [InteractionStore.PlaceBeacon] = [], decisions: [InteractionStore.DecidedPlace] = [],
        refused: [InteractionStore.RefusedClaim] = [], rooms: [RoomClaims] = []
    ) {
        self.places = places
        self.decisions = decisions
        self.refused = refused
        self.rooms = rooms
    }

    /// Reads the list.
    ///
    /// - Parameter rooms: rooms of the configuration.
    /// - Throws: `StoreError`.
    package init(_ store: InteractionStore, rooms: [Room]) throws {
        self.init(
            places: try store.placeBeacons(), decisions: try store.placeDecisions(),
            refused: try store.refusedClaims(),
            rooms: try OccupancySearch(rooms: rooms, kinds: []).contestedRooms(store))
    }

    /// Reads the list for the page, with the beacons that a person may carry.
    ///
    /// - Parameters:
    ///   - rooms: rooms of the configuration.
    ///   - roster: badges in the roster of the configuration; `nil` if it cannot be read.
    ///   - now: seconds since 1970.
    /// - Throws: `StoreError`.
    init(_ store: InteractionStore, rooms: [Room], roster: Set<String>?, now: Int64) throws {
        let places = try store.placeBeacons()
        let decisions = try store.placeDecisions()
        let claims = try store.shownClaims(roster: roster, now: now)
        self.init(
            places: places, decisions: decisions, refused: claims.refused,
            rooms: try OccupancySearch(rooms: rooms, kinds: []).contestedRooms(store))
        carried = claims.carried
    }

    /// Returns the badges in the roster of the configuration as `uuid/major/minor`; none without a roster, `nil` if it
    /// cannot be read.
    static func badges(inRoster path: String?) -> Set<String>? {
        guard let path else { return [] }
        guard let bytes = try? FileContents.read(path, limit: RosterFile.longest) else { return nil }
        return BadgesInText.names(in: bytes)
    }

    /// Beacons that an operator declared as carried.
    package var denied: [String] { decisions.filter { $0.decision == .denied }.map(\.beacon) }
}

import Evidence
import InteractionStore
import Matching
import SystemIO
import Testing

@testable import BeaconModel
@testable import EvidenceTests

@Suite("Rooms that records of several floors name", .timeLimit(.minutes(10))) struct RoomClaimTests {
    private let now = morning + 4 * 3600
    private let owner = "campus/main/4/east"
    private let thief = "campus/main/3/thief"

    /// A record of a gateway that has no beacon.
    private func named(_ room: String?, by gateway: String, _ sequence: UInt64) throws -> ReceivedRecord {
        let levels = gateway.split(separator: "/").map(String.init)
        guard case .interaction(var record) = record(sequence, "ann", 0...10) else {
            throw SystemError("make a record", errorNumber: 0)
        }
        record.gateway = gateway
        record.origin = gateway + "/1"
        record.place = PlaceName(
            key: gateway, site: levels[0], building: levels[1], floor: levels[2], gateway: gateway, room: room)
        return .interaction(record)
    }

    // Both orders: what decides is when a place named the room, and not when the place was heard of first.
    @Test(arguments: Backend.installed, ["elsewhere", nil] as [String?])
    func `A gateway takes over no room of another floor by naming it later`(
        backend: Backend, before: String?
    ) async throws {
        try await backend.withStore { store in
            for (sequence, room, gateway) in [
                (1, before, thief), (1, "HB 4.01", owner), (2, "HB 4.01", thief), (2, "HB 4.01", owner),
            ] as [(UInt64, String?, String)] {
                _ = try store.store([named(room, by: gateway, sequence)], now: now)
            }
            #expect(try store.placeNumbers(named: [], room: "HB 4.01") == store.placeNumbers(named: [owner]))
            let claims = try store.roomClaims(["HB 4.01"])
            #expect(claims.map(\.floor) == ["campus/main/4"] && claims.map(\.refused) == [[thief]])
            // By its name the place is found, whatever room it names.
            #expect(try store.placeNumbers(named: [thief]).count == 1)
            #expect(try store.placesWithRooms().count == 2)
        }
    }

    @Test(arguments: Backend.installed)
    func `A room goes to the floor that names it when the gateway that named it first is revoked`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            _ = try store.store([named("HB 4.01", by: thief, 1)], now: now)
            _ = try store.store([named("HB 4.01", by: owner, 1)], now: now)
            #expect(try store.roomClaims(["HB 4.01"]).map(\.floor) == ["campus/main/3"])
            try store.revoke(thief, reason: "stolen", now: now)
            #expect(try store.roomClaims(["HB 4.01"]).map(\.floor) == ["campus/main/4"])
            #expect(try store.placeNumbers(named: [], room: "HB 4.01") == store.placeNumbers(named: [owner]))
        }
    }
}

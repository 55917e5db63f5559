import Testing

@testable import Evidence

@Suite("On which floor a room is that records name") struct RoomClaimsTests {
    private func naming(_ place: Int64, _ receiver: String, isRevoked: Bool = false) -> RoomClaims.Naming {
        .init(place: place, floor: PlaceClaimRule.floor(receiver), receiver: receiver, isRevoked: isRevoked)
    }

    @Test func `The floor that named a room first has it, with all its receivers`() {
        let claims = RoomClaims(
            room: "HB 4.01",
            [
                naming(7, "campus/hb/4/a"), naming(3, "campus/hb/3/thief"), naming(8, "campus/hb/4/b/ear"),
                naming(9, "campus/other/4/c"),
            ])
        #expect(claims.floor == "campus/hb/4")
        #expect(claims.places == [7, 8])
        #expect(claims.refused == ["campus/hb/3/thief", "campus/other/4/c"])
    }

    @Test func `A gateway that was revoked gives the room back`() {
        let claims = RoomClaims(
            room: "HB 4.01", [naming(3, "campus/hb/3/thief", isRevoked: true), naming(7, "campus/hb/4/a")])
        #expect(claims.floor == "campus/hb/4" && claims.places == [7])
        let alone = RoomClaims(room: "HB 3.01", [naming(3, "campus/hb/3/a", isRevoked: true)])
        #expect(alone.places == [3] && alone.refused.isEmpty)
    }

    @Test func `A room that nobody names has no places`() {
        let claims = RoomClaims(room: "HB 4.01", [])
        #expect(claims.floor == nil && claims.places.isEmpty && claims.refused.isEmpty)
    }
}

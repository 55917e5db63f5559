import Evidence
import OperatorText
import Pages
import Testing

@testable import InteractionStore
@testable import MatcherDaemon

@Suite("What the page says of places of beacons") struct PlaceWordsTests {
    private static let beacon = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/7"
    private static let east = "campus/main/1/east"
    private static let west = "campus/main/2/west"
    // 2026-11-02T08:00:00Z.
    private static let morning: Int64 = 1_793_606_400
    private let words = PlaceWords(days: .utc)

    private func rows(_ list: PlaceList) -> [PlacesPage.Row] { PlaceWords.beacons(list).map { words.row($0) } }

    private func place(
        _ receiver: String? = east, basis: InteractionStore.PlaceBeacon.Basis = .claimed, isClaimed: Bool = true
    ) -> InteractionStore.PlaceBeacon {
        InteractionStore.PlaceBeacon(
            beacon: Self.beacon, receiver: receiver, room: "101", basis: basis, isClaimed: isClaimed)
    }

    private func decision(
        _ decision: InteractionStore.PlaceDecision, by name: String? = "Olga"
    ) -> InteractionStore.DecidedPlace {
        InteractionStore.DecidedPlace(beacon: Self.beacon, decision: decision, since: Self.morning, name: name)
    }

    @Test("A place that only its gateway states has no decision") func claimed() {
        let rows = self.rows(PlaceList(places: [place()]))
        #expect(
            rows == [
                PlacesPage.Row(
                    beacon: Self.beacon, receiver: Self.east, room: "101",
                    state: StateTag("stated by the gateway only", .plain), decided: "")
            ])
    }

    @Test("A configured beacon says that its receiver is stated by the gateway only") func configured() {
        let rows = self.rows(PlaceList(places: [place(basis: .configuration)]))
        #expect(
            rows.map(\.state.words) == [
                "given in the matcher's configuration, its receiver by the gateway only"
            ])
    }

    @Test("A decision that records have followed says when and by whom it was made") func accepted() {
        let list = PlaceList(
            places: [place(basis: .accepted, isClaimed: false)],
            decisions: [decision(.accepted(receiver: Self.east + "/ear"))])
        let rows = self.rows(list)
        #expect(rows.map(\.state) == [StateTag("confirmed by an operator", .good)])
        #expect(rows.map(\.decided) == ["Mon 2026-11-02 08:00 by Olga"])
    }

    @Test("A decision that no record has followed is shown where the beacon will hang") func waiting() {
        let moved = PlaceList(
            places: [place(basis: .accepted, isClaimed: false)],
            decisions: [decision(.accepted(receiver: Self.west), by: nil)])
        for list in [moved, PlaceList(decisions: moved.decisions)] {
            let rows = self.rows(list)
            #expect(rows.map(\.receiver) == [Self.west])
            #expect(rows.map(\.state.words) == ["confirmed by an operator, from its next record on"])
            #expect(rows.map(\.decided) == ["Mon 2026-11-02 08:00"])
        }
    }

    @Test("A beacon that a person carries, says somebody, is counted and not listed") func denied() {
        for list in [
            PlaceList(decisions: [decision(.denied)]),
            PlaceList(places: [place(basis: .configuration)], decisions: [decision(.denied)]),
        ] {
            #expect(rows(list).isEmpty)
            #expect(PlaceWords.hidden(list)?.hasPrefix("1 beacon is not shown, since a person may carry it.") == true)
        }
        #expect(PlaceWords.hidden(PlaceList(places: [place()])) == nil)
        #expect(words.sentence(decision(.denied)) == PlaceWords.notListed)
    }

    @Test("Claims to a beacon that a person may carry all look the same, and are not found by the beacon")
    func carried() {
        for reason in [PlaceClaimRefusal.Reason.ofPerson, .heardElsewhere] {
            let made: [(String, PlaceClaimRefusal.Reason)] = [(Self.west, reason), (Self.east, .another)]
            let refused = made.map { one in
                InteractionStore.RefusedClaim(
                    claim: PlaceClaimRefusal(beacon: Self.beacon, receiver: one.0, reason: one.1), since: Self.morning)
            }
            let list = PlaceList(places: [place()], refused: refused)
            let claims = PlaceWords.claims(list)
            let expected = [Self.east, Self.west].map { receiver in
                PlacesPage.Claim(
                    receiver: receiver, named: "a beacon that is not shown", beacon: nil, counts: "not shown",
                    reason: "a person may carry it", since: "Mon 2026-11-02 08:00",
                    advice: "Decided on the command line.")
            }
            #expect(claims.map { words.claim($0) } == expected)
            #expect(!claims.contains { PlaceSearch(Self.beacon).finds($0) })
            #expect(claims.filter { PlaceSearch("west").finds($0) }.count == 1)
            #expect(PlaceWords.hidden(list)?.hasPrefix("1 beacon is") == true)
        }
    }

    @Test("A claim to a beacon that a person may carry is hidden whatever its reason is, also in the question")
    func carriedOtherwise() {
        for reason in [PlaceClaimRefusal.Reason.ofAnother, .another, .tooMany] {
            let refusal = PlaceClaimRefusal(beacon: Self.beacon, receiver: Self.west, reason: reason)
            var list = PlaceList(places: [place()], refused: [.init(claim: refusal, since: Self.morning)])
            #expect(PlaceWords.claims(list).map(\.beacon) == [Self.beacon])
            list.carried = [Self.beacon]
            let claims = PlaceWords.claims(list)
            #expect(claims.map(\.beacon) == [nil] && claims.map(\.reason) == ["a person may carry it"])
            #expect(words.warnings(Self.beacon, at: Self.west, list, isKnown: true).isEmpty)
        }
    }

    // All beacons were searched for each claim: this took half a minute.
    @Test("Ten thousand claims and as many beacons are listed", .timeLimit(.minutes(1))) func many() {
        var list = PlaceList()
        for number in 0..<10_000 {
            let beacon = "b/\(number)"
            list.places.append(
                InteractionStore.PlaceBeacon(
                    beacon: beacon, receiver: Self.east, room: nil, basis: .claimed, isClaimed: true))
            list.refused.append(
                InteractionStore.RefusedClaim(
                    claim: PlaceClaimRefusal(beacon: beacon, receiver: Self.west, reason: .ofAnother),
                    since: Self.morning))
        }
        #expect(PlaceWords.claims(list).filter { $0.counts == Self.east }.count == 10_000)
    }

    @Test("Claims say who makes them, what counts instead, why and since when") func claims() {
        let refusal = PlaceClaimRefusal(beacon: Self.beacon, receiver: Self.west, reason: .ofAnother)
        let room = RoomClaims(
            room: "101",
            [
                .init(place: 1, floor: "campus/main/1", receiver: Self.east),
                .init(place: 2, floor: "campus/main/2", receiver: Self.west),
            ])
        let claims = PlaceWords.claims(
            PlaceList(places: [place()], refused: [.init(claim: refusal, since: Self.morning)], rooms: [room])
        ).map { words.claim($0) }
        #expect(
            claims == [
                PlacesPage.Claim(
                    receiver: Self.west, named: Self.beacon, beacon: Self.beacon, counts: Self.east,
                    reason: "it is mounted on another floor", since: "Mon 2026-11-02 08:00"),
                PlacesPage.Claim(
                    receiver: Self.west, named: "room 101", beacon: nil, counts: "campus/main/1",
                    reason: "another floor had named the room first", since: "not known",
                    advice: "List the places of the room in [[rooms]] of the configuration."),
            ])
    }

    @Test("Why a claim is not believed, and a gateway that nobody knows, are said before it is accepted")
    func warnings() {
        let refusal = PlaceClaimRefusal(beacon: Self.beacon, receiver: Self.west, reason: .ofAnother)
        let list = PlaceList(refused: [.init(claim: refusal, since: Self.morning)])
        let since = "is not believed since Mon 2026-11-02 08:00: it is mounted on another floor."
        let carried = "If a person carries the beacon, exposures of this person are not found any more."
        #expect(
            words.warnings(Self.beacon, at: Self.west, list, isKnown: false) == [
                "This claim \(since)", carried, "No gateway \(Self.west) is known: check its name.",
            ])
        // Also when somebody types another receiver.
        #expect(
            words.warnings(Self.beacon, at: Self.east, list, isKnown: true) == [
                "The claim of \(Self.west) to it \(since)", carried,
            ])
        #expect(words.warnings("another", at: Self.west, list, isKnown: true).isEmpty)
    }

    @Test("What is typed is read as on the command line, and mistakes are named") func form() {
        let right = PlaceForm(["beacon": " \(Self.beacon.uppercased()) ", "receiver": Self.east + "/ear"])
        #expect(right.beacon == Self.beacon && right.receiver == Self.east + "/ear")
        let wrong = PlaceForm(["beacon": "7/7", "receiver": "campus/main/1"]).shown
        #expect(wrong.beacon == "7/7" && wrong.beaconMistake != nil && wrong.receiverMistake != nil)
    }

    @Test("A search finds beacons, receivers and rooms, in capitals or not") func search() throws {
        let row = try #require(PlaceWords.beacons(PlaceList(places: [place()])).first)
        for text in ["", "MAIN/1", "101", "/1/7"] { #expect(PlaceSearch(text).finds(row), "\(text)") }
        #expect(!PlaceSearch("main/2").finds(row))
    }
}

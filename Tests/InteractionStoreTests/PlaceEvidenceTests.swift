import Testing

@testable import InteractionStore

@Suite struct PlaceEvidenceTests {
    private let start: Int64 = 1_000_000

    private func evidence(_ heard: [(String, Int64, Bool)]) -> PlaceEvidence {
        var evidence = PlaceEvidence(receiver: "s/b/3/gw/ear")
        for (path, since, isNear) in heard { evidence.heard(by: path, since: since, isNear: isNear) }
        return evidence
    }

    @Test func `What a gateway itself hears, and neighbours from the beginning on, refutes nothing`() {
        let neighbours = evidence([
            ("s/b/3/gw", start - 86_400, true), ("s/b/3/west", start, true), ("s/b/4/above", start - 60, false),
            ("", start - 86_400, true),
        ])
        #expect(!neighbours.refutesNew(claimedSince: start) && !neighbours.refutes)
        // Whoever has it keeps it when a second floor hears it through a ceiling, and nobody gets it then.
        let two = evidence([("s/b/4/above", start, false), ("s/b/2/below", start, false)])
        #expect(two.refutesNew(claimedSince: start) && !two.refutes)
    }

    @Test func `A badge that others heard more than an hour before is nobody's beacon`() {
        #expect(evidence([("s/b/3/west", start - 3601, false)]).refutesNew(claimedSince: start))
        #expect(!evidence([("s/b/3/west", start - 3600, false)]).refutesNew(claimedSince: start))
    }

    // Whoever claims says when the claim begins.
    @Test func `A claim that is dated back begins a day before what its gateway told last`() {
        var dated = evidence([("s/b/3/west", start, false)])
        #expect(!dated.refutesNew(claimedSince: start - 60))
        dated.latestTold = start + 86_400 + 3600
        #expect(!dated.refutesNew(claimedSince: start - 60))
        dated.latestTold = start + 86_400 + 3601
        #expect(dated.refutesNew(claimedSince: start - 60))
    }

    @Test func `What is configured may have been heard for long on its floor, and on no other`() {
        let neighbour = evidence([("s/b/3/west", start - 86_400, true), ("s/b/4/above", start, false)])
        #expect(!neighbour.refutesNew(claimedSince: start, isConfigured: true))
        for other in [("s/b/4/above", start - 3601, false), ("s/b/4/above", start, true)] {
            #expect(evidence([other]).refutesNew(claimedSince: start, isConfigured: true))
        }
    }

    // Whoever claims chooses the time of the claim.
    @Test
    func `What a gateway of another floor hears near it is nobody's new beacon, whenever it is said to hang there`() {
        let near = evidence([("s/b/4/above", start, true)])
        #expect(near.refutesNew(claimedSince: start - 14 * 86_400))
        // One gateway alone may lie, and takes no other's away.
        #expect(!near.refutes)
        #expect(!evidence([("s/b/4/above", start, true), ("s/b/4/above/ear", start, true)]).refutes)
        #expect(evidence([("s/b/4/above", start, true), ("s/b/5/top", start, true)]).refutes)
        #expect(!evidence([("s/b/4/above", start, true), ("s/b/3/west", start, true)]).refutes)
    }

    @Test func `What another building hears at all isn't here`() {
        #expect(evidence([("s/c/3/gw", start, false)]).refutesNew(claimedSince: start))
        #expect(!evidence([("s/c/3/gw", start, false)]).refutes)
        #expect(evidence([("s/c/3/gw", start, false), ("s/d/1/x", start, false)]).refutes)
    }

    @Test func `Near is 8 m, or -70 dBm where no distance is known`() {
        #expect(PlaceEvidence.isNear(centimetres: 800, rssi: -90) && !PlaceEvidence.isNear(centimetres: 801, rssi: -40))
        #expect(PlaceEvidence.isNear(centimetres: nil, rssi: -70) && !PlaceEvidence.isNear(centimetres: nil, rssi: -71))
        #expect(!PlaceEvidence.isNear(centimetres: nil, rssi: nil))
    }
}

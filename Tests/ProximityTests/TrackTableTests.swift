import BeaconModel
import TestValues
import Testing

@testable import Proximity

@Suite("TrackTable")
struct TrackTableTests {
    @Test("A track takes no more memory than the rules say")
    func memory() {
        #expect(MemoryLayout<Track>.stride <= 1024)
    }

    private func sighting(_ number: Int, at seconds: Double, by adapter: UInt16) -> Sighting {
        var sighting =
            number % 3 == 0
            ? Sightings.ofPhone(UInt128(number), at: seconds) : Sightings.ofBeacon(UInt16(number), at: seconds)
        sighting.adapter = Adapter(index: adapter)
        return sighting
    }

    @Test("It agrees with a plain dictionary, whoever comes, is heard, by whichever adapter, and leaves")
    func agreesWithDictionary() throws {
        var generator = SeededGenerator("track table")
        var prior = ReceptionPrior()
        for _ in 0..<20 {
            var table = TrackTable()
            var present: [Subject: Track] = [:]
            for step in 0..<500 {
                let heard = sighting(
                    Int.random(in: 0..<24, using: &generator), at: Double(step),
                    by: UInt16.random(in: 0..<2, using: &generator))
                let subject = try #require(heard.subject)
                var rules = InteractionRules()
                rules.silence = .fixed(.seconds(Int.random(in: 1...60, using: &generator)))
                func add(to track: inout Track) {
                    track.add(
                        Reading(heard), at: heard.time, offset: 0, deafness: .seconds(3), rules: rules, prior: &prior)
                    track.learnSilence(rules, prior: prior)
                }
                if Int.random(in: 0..<100, using: &generator) < 40 {
                    let order = Int.random(in: 0..<2, using: &generator)
                    let first = table.firstSlot(order).map { table.remove($0) }
                    let members = present.values.filter { TrackTable.order(of: $0.adapter) == order }
                    let earliest = members.map { $0.lastSeenAt + $0.silence }.min()
                    #expect(first.map { $0.lastSeenAt + $0.silence } == earliest, generator.comment)
                    if let first { present[first.subject] = nil }
                } else if let slot = table.slot(of: subject) {
                    #expect(present[subject] != nil, generator.comment)
                    add(to: &table[slot])
                    table.heard(slot)
                    present[subject] = table[slot]
                } else {
                    #expect(present[subject] == nil, generator.comment)
                    var track = Track(number: UInt64(step), subject: subject, at: heard.time, adapter: heard.adapter)
                    add(to: &track)
                    _ = table.insert(track)
                    present[subject] = track
                }
                if step % 200 == 199 {
                    table.removeAll()
                    present = [:]
                }
                #expect(Set(table.all.map(\.subject)) == Set(present.keys), generator.comment)
                #expect(table.count == present.count, generator.comment)
                #expect(table.beaconCount == present.keys.filter(\.isBeacon).count, generator.comment)
            }
        }
    }
}

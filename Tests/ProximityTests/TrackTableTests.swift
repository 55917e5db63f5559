import BeaconModel
import TestSupport
import Testing

@testable import Proximity

@Suite("TrackTable")
struct TrackTableTests {
    @Test("A track takes no more memory than the rules say")
    func memory() {
        #expect(MemoryLayout<Track>.stride <= 768)
    }

    /// Beacons and phones by number, and the order in which they were last heard.
    @Test("It agrees with a plain array, whoever comes, is heard and leaves")
    func agreesWithArray() {
        var generator = SeededGenerator("track table")
        for _ in 0..<20 {
            var table = TrackTable()
            var order: [Subject] = []
            for step in 0..<500 {
                let number = Int.random(in: 0..<24, using: &generator)
                let sighting =
                    number % 3 == 0
                    ? Sightings.ofPhone(UInt128(number), at: Double(step))
                    : Sightings.ofBeacon(UInt16(number), at: Double(step))
                let subject: Subject =
                    number % 3 == 0
                    ? .exposureNotification(RollingProximityIdentifier(bits: UInt128(number)))
                    : .beacon(Sightings.beacon(UInt16(number)))
                let track = Track(number: UInt64(step), subject: subject, sighting: sighting, at: sighting.time)
                if Int.random(in: 0..<100, using: &generator) < 40 {
                    let removed = table.removeFirst(0)?.subject
                    #expect(removed == (order.isEmpty ? nil : order.removeFirst()), generator.comment)
                } else if let slot = table.slot(of: track.subject) {
                    #expect(table[slot].subject == track.subject, generator.comment)
                    table.moveLast(slot)
                    order.removeAll { $0 == track.subject }
                    order.append(track.subject)
                } else {
                    #expect(!order.contains(track.subject), generator.comment)
                    table.insert(track)
                    order.append(track.subject)
                }
                if step % 200 == 199 {
                    table.removeAll()
                    order = []
                }
                #expect(table.all.map(\.subject) == order, generator.comment)
                #expect(table.count == order.count, generator.comment)
                #expect(table.beaconCount == order.filter(\.isBeacon).count, generator.comment)
                #expect((table.firstSlot(0) == nil) == order.isEmpty, generator.comment)
            }
        }
    }
}

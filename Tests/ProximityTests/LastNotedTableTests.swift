import BeaconModel
import TestValues
import Testing

@testable import Proximity

@Suite("LastNotedTable")
struct LastNotedTableTests {
    private var table = LastNotedTable(entries: 64)

    @Test("Who was noted is known with its age, and nobody else")
    mutating func age() {
        table.note(0xABCD_0000_0000_0001, at: Sightings.time(1))
        #expect(table.age(of: 0xABCD_0000_0000_0001, at: Sightings.time(3.5)) == .seconds(2.5))
        #expect(table.age(of: 0xABCE_0000_0000_0001, at: Sightings.time(3.5)) == nil)
        #expect(table.age(of: 0xABCD_0000_0000_0002, at: Sightings.time(3.5)) == nil)
    }

    @Test("Who is noted again has the later time and takes no second entry")
    mutating func again() {
        for number in 0..<7 { table.note(UInt64(number) << 32 | 0x8000_0000, at: Sightings.time(0)) }
        for second in 1...20 { table.note(0xFFFF_0000_0000_0000, at: Sightings.time(Double(second))) }
        #expect(table.age(of: 0xFFFF_0000_0000_0000, at: Sightings.time(20)) == .zero)
        #expect((1..<7).allSatisfy { table.age(of: UInt64($0) << 32, at: Sightings.time(20)) == .seconds(20) })
    }

    @Test("In a full set the oldest is overwritten")
    mutating func oldest() {
        for number in 1...9 { table.note(UInt64(number) << 32, at: Sightings.time(Double(number))) }
        #expect(table.age(of: 1 << 32, at: Sightings.time(9)) == nil)
        #expect((2...9).allSatisfy { table.age(of: UInt64($0) << 32, at: Sightings.time(9)) != nil })
    }

    @Test("Among random subjects the latest eight of a set are known, with their times")
    mutating func latestOfEachSet() {
        var generator = SeededGenerator("recency")
        var noted: [UInt64: [(fingerprint: UInt64, second: Int)]] = [:]
        for second in 0..<2000 {
            let fingerprint = UInt64.random(in: 1 << 32 ... .max, using: &generator)
            table.note(fingerprint, at: Sightings.time(Double(second)))
            noted[fingerprint & 7, default: []].append((fingerprint, second))
        }
        for entries in noted.values {
            for (fingerprint, second) in entries.suffix(8) {
                let age = table.age(of: fingerprint, at: Sightings.time(2000))
                #expect(age == .seconds(2000 - second), generator.comment)
            }
            for (fingerprint, _) in entries.dropLast(8) {
                #expect(table.age(of: fingerprint, at: Sightings.time(2000)) == nil, generator.comment)
            }
        }
    }

    @Test("Different subjects have different fingerprints, and each seed its own")
    func fingerprints() {
        var seen: Set<UInt64> = []
        for seed in [0, 1, UInt64.max] {
            for number in 0..<2000 {
                seen.insert(Subject.beacon(Sightings.beacon(UInt16(number))).fingerprint(seed: seed))
                let identifier = RollingProximityIdentifier(bits: UInt128(number) << 64)
                seen.insert(Subject.exposureNotification(identifier).fingerprint(seed: seed))
            }
        }
        #expect(seen.count == 12_000)
    }
}

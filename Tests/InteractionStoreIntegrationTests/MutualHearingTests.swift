import Evidence
import InteractionStore
import Localisation
import Matching
import RecordContract
import TestSupport
import Testing

@Suite("How loudly receivers hear each other's beacons", .timeLimit(.minutes(10))) struct MutualHearingTests {
    private static let start = SyntheticReadings.morning
    private var now: Int64 { Self.start + 86_400 }

    /// What the receiver of a number hears in a minute, in dBm by badge number; its own beacon has that number too.
    private func record(
        _ receiver: Int, _ minute: Int64, _ heard: [Int: Double], hasBeacon: Bool = true
    ) throws -> ReceivedRecord {
        let path = SyntheticReadings.path(0, receiver)
        let beacon = hasBeacon ? try #require(SyntheticReadings.badge(receiver)).id : nil
        let subjects = try heard.sorted { $0.key < $1.key }.map { number, rssi in
            ReadingsRecord.Subject(
                identity: try #require(SyntheticReadings.badge(number)), count: 50, rssi: rssi)
        }
        let time = Self.start + 60 * minute
        return .readings(
            ReadingsRecord(
                position: RecordPosition(boot: 1, sequence: UInt64(minute + 1)), gateway: path, receiver: path,
                place: PlaceName(
                    key: beacon ?? path, site: "s", building: "b", floor: "0", gateway: path, beacon: beacon),
                start: time, end: time + 60, listened: 60, clockIsSynchronized: true, subjects: subjects))
    }

    /// Three receivers that hear each other and a badge for some minutes; the third has no beacon of its own.
    private func fill(_ store: InteractionStore, minutes: Range<Int64>, louder: Double = 0) throws {
        for minute in minutes {
            let records = try [
                record(0, minute, [0: -30, 1: -70 + louder, 7: -60]), record(1, minute, [0: -72, 7: -66]),
                record(2, minute, [0: -80, 1: -64], hasBeacon: false),
            ]
            _ = try store.store(records, now: now)
        }
    }

    private func path(_ receiver: Int) -> String { SyntheticReadings.path(0, receiver) }

    private func hearing(_ beacon: Int, at receiver: Int, _ rssi: Double, _ minutes: Int)
        -> MutualLevel
    {
        MutualLevel(beacon: path(beacon), receiver: path(receiver), rssi: rssi, minutes: minutes)
    }

    @Test(arguments: Backend.installed)
    func `Means are of beacons that hang somewhere, settled or not, and not of badges`(backend: Backend) async throws {
        try await backend.withStore { store in
            let expected = [
                hearing(0, at: 1, -72, 20), hearing(0, at: 2, -80, 20), hearing(1, at: 0, -70, 20),
                hearing(1, at: 2, -64, 20),
            ]
            try fill(store, minutes: 0..<20)
            #expect(try store.mutualHearing(from: Self.start, to: now) == expected)
            _ = try store.settleAllReadings(before: now, now: now)
            #expect(try store.mutualHearing(from: Self.start, to: now) == expected)
            #expect(try store.mutualHearing(from: now - 60, to: now) == [])
        }
    }

    @Test(arguments: Backend.installed)
    func `Only the newest minutes of each beacon count`(backend: Backend) async throws {
        try await backend.withStore { store in
            try fill(store, minutes: 0..<30)
            try fill(store, minutes: 60..<75, louder: 8)
            _ = try store.settleAllReadings(before: now, now: now)
            let newest = try store.mutualHearing(from: Self.start, to: now, minutes: 15)
            #expect(newest.contains(hearing(1, at: 0, -62, 15)), "\(newest)")
            let all = try store.mutualHearing(from: Self.start, to: now)
            #expect(all.first { $0.beacon == path(1) && $0.receiver == path(0) }?.minutes == 45, "\(all)")
        }
    }

    @Test(arguments: Backend.installed)
    func `Revoked gateways neither hear nor are heard`(backend: Backend) async throws {
        try await backend.withStore { store in
            try fill(store, minutes: 0..<5)
            try store.revoke(path(0), reason: "stolen", now: now)
            #expect(try store.mutualHearing(from: Self.start, to: now) == [hearing(1, at: 2, -64, 5)])
        }
    }
}

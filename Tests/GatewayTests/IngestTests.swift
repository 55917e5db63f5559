import BeaconModel
import BlueZScanner
import MQTTBridge
import Proximity
import TestSupport
import Testing

@testable import Gateway

@Suite struct IngestTests {
    private func batch(_ capture: Capture) throws -> HCIPacketBatch {
        let directory = try TemporaryDirectory()
        var file = try BTSnoopFile(path: directory.write("capture", capture.bytes))
        return try file.next(limit: 1_000_000) ?? HCIPacketBatch()
    }

    private func ingest(listed: Set<ProximityUUID>?, phones: Bool) -> Ingest {
        Ingest(audience: Audience(listedUUIDs: listed, includesPhones: phones), rules: InteractionRules())
    }

    @Test("Listed beacons are followed; strangers' beacons and phones are only counted")
    func audience() throws {
        var capture = Capture()
        capture.addBeacon()
        capture.addBeacon(BeaconID(uuid: ProximityUUID(bits: 1), major: 1, minor: 1))
        capture.addPhone(0xAA, address: [1, 2, 3, 4, 5, 6])
        var ingest = ingest(listed: [Capture.badge.uuid], phones: false)
        let events = ingest.receive(try batch(capture))
        #expect(events.map(\.interaction.subject) == [.beacon(Capture.badge)])
        #expect(ingest.counts.reports == 3)
        #expect(ingest.counts.iBeacons == 2)
        #expect(ingest.counts.exposureNotifications == 1)
        #expect(ingest.counts.unlisted == 2)
    }

    @Test("With a key for pseudonyms phones are followed")
    func phones() throws {
        var capture = Capture()
        capture.addPhone(0xAA, address: [1, 2, 3, 4, 5, 6])
        var ingest = ingest(listed: [], phones: true)
        #expect(ingest.receive(try batch(capture)).count == 1)
    }

    @Test("Damage is counted by its kind and costs nothing else")
    func damage() throws {
        var capture = Capture()
        capture.addReport(data: [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C], rssi: -60)
        capture.add([0x04, 0x3E, 0x20, 0x02, 0x01])
        capture.addBeacon()
        var ingest = ingest(listed: nil, phones: false)
        #expect(ingest.receive(try batch(capture)).count == 1)
        #expect(ingest.counts.defects == ["truncated-structure": 1, "truncated-event": 1])
    }

    @Test("No address of a device and no phone's identifier is in what is published")
    func privacy() throws {
        var capture = Capture()
        let addresses: [[UInt8]] = [[0xDE, 0xAD, 0xBE, 0xEF, 0x00, 0x01], [0xFE, 0xED, 0xFA, 0xCE, 0x00, 0x02]]
        for _ in 0..<5 {
            capture.addBeacon(address: addresses[0], after: .seconds(1))
            capture.addPhone(0xAB, address: addresses[1])
        }
        var configuration = Configuration.anywhere
        configuration.pseudonymSecret = Array(repeating: 9, count: 16)
        var replayed: [String] = []
        let directory = try TemporaryDirectory()
        var replay = Replay(
            configuration: configuration, audience: Audience(listedUUIDs: nil, includesPhones: true))
        try replay.run(BTSnoopFile(path: directory.write("capture", capture.bytes))) { records in
            replayed += records.map { $0.topic + String(decoding: $0.encoded(historical: true), as: UTF8.self) }
        }
        let published = replayed.joined().lowercased()
        #expect(replayed.count >= 4)
        for needle in ["deadbeef", "de:ad:be:ef", "de-ad-be-ef", "feedface", "fe:ed:fa:ce", "abababab", "171717"] {
            #expect(!published.contains(needle), "\(needle) got out")
        }
    }
}

import Advertisement
import BeaconModel
import BlueZScanner
import HCI
import ModuleDialogues
import Proximity
import TestSupport
import Testing

@testable import Gateway
@testable import GatewayCore
@testable import GatewayCoreTests
@testable import RecordContract

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
        #expect(ingest.counts.kinds[.iBeacon] == 2)
        #expect(ingest.counts.kinds[.exposureNotification] == 1)
        #expect(ingest.counts.unlisted == 2)
    }

    @Test("Every kind of advertisement has a count of its own")
    func kindCounts() {
        var counts = KindCounts()
        for (index, kind) in AdvertisedIdentity.Kind.allCases.enumerated() { counts[kind] = UInt64(index) + 1 }
        #expect(counts.present.map(\.count) == (1...AdvertisedIdentity.Kind.allCases.count).map(UInt64.init))
        #expect(counts != KindCounts())
    }

    @Test("With a key for pseudonyms phones are followed")
    func phones() throws {
        var capture = Capture()
        capture.addPhone(0xAA, address: [1, 2, 3, 4, 5, 6])
        var ingest = ingest(listed: [], phones: true)
        #expect(ingest.receive(try batch(capture)).count == 1)
    }

    @Test("A phone with a contact-tracing app is followed like one with Exposure Notification")
    func contactApp() throws {
        // Herald's 16-bit service.
        let herald: [UInt8] = [0x02, 0x01, 0x1A, 0x03, 0x03, 0xF6, 0xFC]
        var capture = Capture()
        capture.addReport(data: herald, rssi: -60)
        var ingest = ingest(listed: [], phones: true)
        let address = BluetoothAddress(bits: 0xC011_2233_4401)
        #expect(try ingest.receive(batch(capture)).map(\.interaction.subject) == [.contactApp(.herald, address)])
        ingest = self.ingest(listed: nil, phones: false)
        #expect(try ingest.receive(batch(capture)).isEmpty)
        #expect(ingest.counts.unlisted == 1)
    }

    @Test("Whoever is recognised and not followed is counted by kind, and others by company")
    func kinds() throws {
        var capture = Capture()
        capture.addReport(data: [0x05, 0xFF, 0x4C, 0x00, 0x10, 0x00], rssi: -60)
        capture.addReport(data: [0x04, 0xFF, 0x06, 0x00, 0x01], rssi: -60)
        capture.addReport(data: [0x02, 0x01, 0x06], rssi: -60)
        var ingest = ingest(listed: nil, phones: true)
        let batch = try batch(capture)
        #expect(ingest.receive(batch).isEmpty)
        #expect(ingest.counts.byKind == ["apple-device": 1, "unknown-microsoft": 1, "unknown": 1])
        #expect(ingest.counts.unknown == 2)
        #expect(ingest.counts.unlisted == 0)
    }

    @Test("An iBeacon that came in two parts is one sighting")
    func fragments() throws {
        let data = IBeacon.advertisingData(Capture.badge, measuredPower: -59)
        var capture = Capture()
        for (type, part) in [(UInt8(0x20), data.prefix(12)), (0x00, data.dropFirst(12))] {
            let head: [UInt8] = [type, 0x00, 0x01] + Capture.badgeAddress.reversed()
            let rest: [UInt8] = [0x01, 0x01, 0x00, 0x7F, 0xC4, 0x00, 0x00, 0x00] + [UInt8](repeating: 0, count: 6)
            let report = head + rest + [UInt8(part.count)] + part
            capture.add([0x04, 0x3E, UInt8(report.count + 2), 0x0D, 0x01] + report)
        }
        var ingest = ingest(listed: nil, phones: false)
        #expect(try ingest.receive(batch(capture)).map(\.interaction.subject) == [.beacon(Capture.badge)])
        #expect(ingest.counts.reports == 1)
        #expect(ingest.counts.defects.isEmpty)
    }

    @Test("In a flood of invented beacons sightings are dropped, counted by reason; the inventory's begin at once")
    func flood() throws {
        var capture = Capture()
        for number in 0..<400 {
            capture.addBeacon(BeaconID(uuid: Capture.badge.uuid, major: 1, minor: UInt16(number)))
        }
        let expected = BeaconID(uuid: Capture.badge.uuid, major: 2, minor: 1)
        capture.addBeacon(expected)
        var ingest = ingest(listed: [Capture.badge.uuid], phones: false)
        var output = IngestOutput()
        ingest.listen(for: [expected: try #require(AdvertisingInterval(.milliseconds(100)))], into: &output)
        let events = ingest.receive(try batch(capture))
        let burst = InteractionRules().newcomerBurst
        #expect(events.count == burst + 1)
        #expect(events.last?.interaction.subject == .beacon(expected))
        #expect(ingest.counts.refusals.unconfirmed == UInt64(400 - burst))
        #expect(ingest.counts.refusals.total == ingest.counts.refusals.unconfirmed)
    }

    @Test("A module isn't heard where somebody anonymous sends what it shall advertise", arguments: [true, false])
    func anonymous(isAnonymous: Bool) throws {
        var ingest = ingest(listed: [Capture.badge.uuid], phones: false)
        var output = IngestOutput()
        ingest.listen(for: [Capture.badge: try #require(AdvertisingInterval(.milliseconds(100)))], into: &output)
        var capture = Capture()
        let data = IBeacon.advertisingData(Capture.badge, measuredPower: -59)
        let address: [UInt8] = [isAnonymous ? 0xFF : 0x00] + Capture.badgeAddress.reversed()
        let report = [0x03] + address + [UInt8(data.count)] + data + [UInt8(bitPattern: -60)]
        capture.add([0x04, 0x3E, UInt8(report.count + 2), 0x02, 0x01] + report)
        ingest.receive(try batch(capture), into: &output)
        let isHeard = output.ownBeacons.contains { if case .audible = $0 { true } else { false } }
        #expect(isHeard == !isAnonymous)
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

    /// 2, 3, 4 and 6 m away.
    private static let ownMetres = [2.0, 3, 4, 6]
    private static let own = (1...4).map { BeaconID(uuid: Capture.badge.uuid, major: 1, minor: $0) }

    /// From which captures have them heard.
    private static let ownAddress = BluetoothAddress(
        bits: Capture.badgeAddress.reduce(0) { $0 << 8 | UInt64($1) })

    /// With our own beacons at those distances.
    private func calibrating(knowsAddresses: Bool = false) -> Ingest {
        let positions = zip(Self.own, Self.ownMetres).map { ($0, Place.Position(x: $1, y: 0, z: 0)) }
        return Ingest(
            audience: Audience(listedUUIDs: nil, includesPhones: false), rules: InteractionRules(),
            ownBeacons: Dictionary(uniqueKeysWithValues: Self.own.map { ($0, .appleIBeacon) }),
            modules: Dictionary(
                uniqueKeysWithValues: Self.own.map {
                    ($0, OwnModule(measuredPower: -59, address: knowsAddresses ? Self.ownAddress : nil))
                }),
            calibration: AutomaticCalibration(
                gateway: Place.Position(x: 0, y: 0, z: 0), fixed: Dictionary(uniqueKeysWithValues: positions)))
    }

    /// Half an hour of every one in four, in which they are heard as expected with `offset` dB more, a badge is 3 m away, and
    /// something else is on the air.
    private func hear(
        _ ingest: inout Ingest, offset: Int8 = 0, beside: (inout Capture, Int) -> Void = { _, _ in }
    ) throws -> (before: DistanceEstimate?, after: DistanceEstimate?) {
        // -59 - 21 log10(d) dBm are expected.
        let expected: [Int8] = [-65, -69, -72, -75]
        var distances: (before: DistanceEstimate?, after: DistanceEstimate?)
        for hour in 0..<4 {
            var capture = Capture()
            capture.time = capture.time + .seconds(3600 * hour)
            for second in 0..<1800 {
                for (beacon, rssi) in zip(Self.own, expected) {
                    capture.addBeacon(beacon, rssi: rssi + offset + Int8(second % 3 - 1), after: .milliseconds(500))
                }
                beside(&capture, second)
                if second % 10 == 0 { capture.addBeacon(rssi: -69 + offset, after: .zero) }
            }
            for event in ingest.receive(try batch(capture)) where event.interaction.subject == .beacon(Capture.badge) {
                distances.before = distances.before ?? event.interaction.distance
                distances.after = event.interaction.distance
            }
        }
        return distances
    }

    @Test(
        "A receiver that reads 8 dB too much is found out by our own beacons, and distances of badges are right again")
    func automaticCalibration() throws {
        var ingest = calibrating()
        let (before, after) = try hear(&ingest, offset: 8)
        let status = try #require(ingest.counts.calibration)
        #expect(status.state == .applied)
        let offset = try #require(status.offsets[Adapter(index: 0)])
        // Some of it may be taken for the exponent.
        #expect(abs(offset - 8) < 3)
        #expect(status.suspects.isEmpty)
        let error = try #require(status.heldOutError)
        #expect(error.applied < error.configured - 4)
        // The badge is 3 m away.
        #expect(try #require(before).metres < 2)
        #expect(abs(try #require(after).metres - 3) < 0.6)
    }

    // One copy in nine packets had made 2.3 m 6.4 m, for everybody.
    @Test(arguments: [(-127, false), (-20, false), (-59, false), (-59, true)] as [(Int, Bool)], [true, false])
    func `Copies of our own beacons shift nobody's distance`(
        copy: (power: Int, hasOwnAddress: Bool), knowsAddresses: Bool
    ) throws {
        let (power, hasOwnAddress) = copy
        var ingest = calibrating(knowsAddresses: knowsAddresses)
        let (before, after) = try hear(&ingest) { capture, second in
            // From a module's own address every tenth packet is a copy; nothing tells it from the module's but how loud it is.
            if hasOwnAddress, second % 10 > 0 { return }
            for (index, beacon) in Self.own.enumerated() {
                capture.addBeacon(
                    beacon, rssi: -30, power: Int8(power),
                    address: hasOwnAddress ? Capture.badgeAddress : [UInt8(index), 0, 0xEE, 0xFF, 0xC0, 0],
                    after: .milliseconds(100))
            }
        }
        #expect(abs(try #require(before).metres - 3) < 0.8)
        #expect(abs(try #require(after).metres - 3) < 0.8, "\(String(describing: after))")
        let offset = ingest.counts.calibration?.offsets[Adapter(index: 0)] ?? 0
        #expect(abs(offset) < 2, "\(offset) dB")
    }

    @Test func `A receiver is found out beside copies where the modules' addresses are known`() throws {
        var ingest = calibrating(knowsAddresses: true)
        _ = try hear(&ingest, offset: 8) { capture, _ in
            for beacon in Self.own {
                capture.addBeacon(beacon, rssi: -90, address: [1, 2, 3, 4, 5, 6], after: .milliseconds(100))
            }
        }
        let offset = ingest.counts.calibration?.offsets[Adapter(index: 0)] ?? 0
        #expect(abs(offset - 8) < 3, "\(offset) dB")
    }

    @Test("What was measured of a receiver is taken off what it hears, by its address")
    func measuredReceiver() throws {
        let address = BluetoothAddress(bits: 0x001A_7DDA_7113)
        var rules = InteractionRules()
        rules.distance.calibration.receivers[address] = ReceiverCalibration(offset: 10)
        var ingest = Ingest(audience: Audience(listedUUIDs: nil, includesPhones: false), rules: rules)
        var state = RadioState(adapter: Adapter(index: 0), path: .raw)
        (state.mode, state.condition, state.address) = (.legacy, .hearing, address)
        var output = IngestOutput()
        ingest.follow(state, before: nil, at: .epoch, into: &output)
        var capture = Capture()
        capture.addBeacon(rssi: -60)
        let distance = try #require(ingest.receive(try batch(capture)).first?.interaction.distance)
        let filter = RSSIFilter(-70, at: capture.time)
        #expect(distance == DistanceModel.general.estimate(rssi: -70, variance: filter.variance, measuredPower: -59))
    }

    @Test("Badges side by side near the gateway are told of, modules of the inventory aren't badges")
    func socialDistance() throws {
        let fixed = BeaconID(uuid: Capture.badge.uuid, major: 1, minor: 1)
        let other = BeaconID(uuid: Capture.badge.uuid, major: 7, minor: 2604)
        var rules = SocialDistanceRules()
        rules.hold = .seconds(5)
        var ingest = Ingest(
            audience: Audience(listedUUIDs: nil, includesPhones: false), rules: InteractionRules(),
            socialDistance: rules, fixed: [fixed])
        var capture = Capture()
        for _ in 0..<60 {
            for beacon in [fixed, Capture.badge, other] {
                capture.addBeacon(beacon, rssi: -45, after: .milliseconds(300))
            }
        }
        var output = IngestOutput()
        ingest.receive(try batch(capture), into: &output)
        #expect(output.alerts.map(\.kind) == [.started])
        #expect(output.alerts.first.map { [$0.first, $0.second] } == [Capture.badge, other])
        output.removeAll()
        ingest.endAll(at: capture.time, reason: .shutdown, into: &output)
        #expect(output.alerts.map(\.reason) == [.shutdown])
    }
}

extension Ingest {
    /// Processes a batch and returns the events.
    fileprivate mutating func receive(_ batch: HCIPacketBatch) -> [InteractionEvent] {
        var output = IngestOutput()
        receive(batch, into: &output)
        return output.events
    }
}

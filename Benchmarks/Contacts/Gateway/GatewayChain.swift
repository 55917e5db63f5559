import Advertisement
import BeaconModel
import Gateway
import HCI
import InteractionStore
import Proximity
import RecordContract

/// One gateway from HCI packets to records as the matcher reads them, with the product's own parts in the order in which
/// the program `beacon-gateway` has them: reports, advertisements, listed UUIDs, interactions, records, JSON.
///
/// What isn't here is what the program adds for other purposes: modules, phones, alerts, calibration, outbox and broker.
struct GatewayChain: Sendable {
    private var reader = ReportReader()
    private var tracker: InteractionTracker
    private var factory: RecordFactory
    /// As topics name it.
    private let path: String
    /// Where its module is; `nil`: it hears by itself.
    private let ear: Place?
    private let hasInteractions: Bool
    private(set) var counts = Counts()

    struct Counts: Equatable, Sendable {
        /// Advertisements that were heard.
        var reports = 0
        var records = 0
        /// Packets that couldn't be read.
        var defects = 0

        static func + (left: Self, right: Self) -> Self {
            Counts(
                reports: left.reports + right.reports, records: left.records + right.records,
                defects: left.defects + right.defects)
        }
    }

    static let adapter = Adapter(index: 0)
    static let badges = ProximityUUID(bits: 0xB1E5_C0DE_0A4D_4F6E_9C3A_7D2F_18E6_5401)
    private static let fixedBeacons = ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0)

    /// - Parameters:
    ///   - receiver: its number names where it hangs, beside the beacon by which the place is known.
    ///   - rules: when its interactions begin and end, and how it makes distances of RSSI.
    ///   - hasInteractions: whether interactions are recorded beside readings.
    init(_ receiver: Building.Gateway, rules: InteractionRules, hasInteractions: Bool = true) {
        self.hasInteractions = hasInteractions
        let (floor, gateway) = ("\(receiver.floor)", receiver.earOf ?? receiver.number)
        let place = Place(
            site: "campus", building: "main", floor: floor, gateway: "room-\(gateway)",
            beacon: BeaconID(uuid: Self.fixedBeacons, major: 1, minor: UInt16(clamping: gateway)))
        ear = receiver.earOf.map { _ in
            Place(
                site: place.site, building: place.building, floor: floor, gateway: place.gateway,
                ear: "module-\(receiver.number)")
        }
        tracker = InteractionTracker(rules: rules)
        factory = RecordFactory(
            // Ears of one gateway share its numbering. Here each counts by itself, as if in a boot of its own.
            place: place, boot: UInt64(1 + receiver.number), topics: Topics(prefix: "beacon-gateway", place: place),
            pseudonymizer: nil)
        path = "campus/main/\(floor)/room-\(gateway)"
    }

    static func badge(_ person: Int) -> BeaconID {
        BeaconID(uuid: badges, major: UInt16(clamping: person >> 8), minor: UInt16(clamping: person & 0xFF))
    }

    /// An LE Advertising Report event with one report of a badge, but for the RSSI, which is its last byte
    /// (Bluetooth Core Specification 5.4, Vol 4, Part E, 7.7.65.2).
    static func packet(ofPerson person: Int, measuredPower: Int8) -> [UInt8] {
        let data = IBeacon.advertisingData(badge(person), measuredPower: measuredPower)
        let address = [UInt8(truncatingIfNeeded: person), UInt8(truncatingIfNeeded: person >> 8), 0, 0, 0, 0xC0]
        // ADV_NONCONN_IND from a random address.
        let report = [0x03, 0x01] + address + [UInt8(clamping: data.count)] + data + [0]
        return [0x04, 0x3E, UInt8(clamping: report.count + 2), 0x02, 0x01] + report
    }

    /// Takes in what was received.
    ///
    /// - Throws: `RecordReader.Defect` when the matcher doesn't take a record of the gateway.
    mutating func receive(_ batch: HCIPacketBatch) throws -> [ReceivedRecord] {
        var events: [InteractionEvent] = []
        var reader = reader
        let defects = reader.forEachAdvertisement(in: batch) { report, data in
            counts.reports += 1
            guard let identity = AdvertisingData.decode(data).identity,
                case .beacon(let beacon)? = Sighting(report: report, identity: identity).subject,
                beacon.uuid == Self.badges
            else {
                events += tracker.received(by: report.adapter, at: report.time)
                return
            }
            events += tracker.observe(Sighting(report: report, identity: identity))
        }
        self.reader = reader
        counts.defects += defects.values.reduce(0, +)
        return try records(of: events)
    }

    /// Says that there was nothing to hear until then.
    ///
    /// - Throws: `RecordReader.Defect`.
    mutating func heard(until time: Timestamp) throws -> [ReceivedRecord] {
        try records(of: tracker.heard(by: Self.adapter, until: time))
    }

    private mutating func records(of events: [InteractionEvent]) throws -> [ReceivedRecord] {
        var received: [ReceivedRecord] = []
        for event in events where hasInteractions {
            guard let record = factory.record(for: event, at: ear, clockIsSynchronized: true) else { continue }
            counts.records += 1
            received.append(try RecordReader.read(record.encoded(historical: false), gateway: path))
        }
        for readings in tracker.takeReadings() {
            for record in factory.records(for: readings, at: ear, clockIsSynchronized: true) {
                counts.records += 1
                received.append(try RecordReader.read(record.encoded(historical: false), gateway: path))
            }
        }
        return received
    }
}

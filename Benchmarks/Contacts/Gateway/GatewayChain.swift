import Advertisement
import BeaconModel
import Evidence
import GatewayCore
import HCI
import InteractionStore
import OperatorText
import Proximity
import RecordContract

/// One gateway from HCI packets to records as the matcher reads them: `Ingest` and `Publications` of `beacon-gateway
/// run`, and JSON.
///
/// Outbox and broker are left out.
struct GatewayChain: Sendable {
    private var ingest: Ingest
    private var publications: Publications
    /// Results of the current input.
    private var results = IngestOutput()
    /// As topics name it.
    private let path: String
    /// Where its module is; `nil`: it hears by itself.
    private let remotePlace: Place?
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
    init(_ receiver: Building.Gateway, rules: InteractionRules, hasInteractions: Bool = true) throws {
        self.hasInteractions = hasInteractions
        let (floor, gateway) = ("\(receiver.floor)", receiver.receiverOf ?? receiver.number)
        let place = Place(
            site: "campus", building: "main", floor: floor, gateway: "room-\(gateway)",
            beacon: BeaconID(uuid: Self.fixedBeacons, major: 1, minor: UInt16(clamping: gateway)))
        remotePlace = receiver.receiverOf.map { _ in
            Place(
                site: place.site, building: place.building, floor: floor, gateway: place.gateway,
                ear: "module-\(receiver.number)")
        }
        // Remote receivers of one gateway share its numbering. Here each counts by itself, as if in a boot of its own.
        let boot = UInt64(1 + receiver.number)
        let configuration = try Self.configuration(of: place, rules: rules)
        ingest = Ingest(configuration, audience: Audience(listedUUIDs: [Self.badges], includesPhones: false))
        publications = Publications(configuration, boot: boot)
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
        let (reports, defects) = (ingest.counts.reports, ingest.counts.defects.values.reduce(0, +))
        ingest.receive(batch, into: &results)
        counts.reports += Int(ingest.counts.reports - reports)
        counts.defects += Int(ingest.counts.defects.values.reduce(0, +) - defects)
        return try publish()
    }

    /// Says that there was nothing to hear until then.
    ///
    /// - Throws: `RecordReader.Defect`.
    mutating func heard(until time: Timestamp) throws -> [ReceivedRecord] {
        ingest.heard(by: Self.adapter, until: time, into: &results)
        return try publish()
    }

    private mutating func publish() throws -> [ReceivedRecord] {
        let published = publications.make(
            of: hasInteractions ? results.events : [], results.readings, at: remotePlace, clockIsSynchronized: true)
        results.removeAll()
        counts.records += published.records.count
        return try published.records.map { try RecordReader.read($0.encoded(historical: false), gateway: path) }
    }

    /// The configuration of a gateway at a place that publishes readings as well.
    private static func configuration(of place: Place, rules: InteractionRules) throws -> Configuration {
        var text = """
            [place]
            site = "\(place.site)"
            building = "\(place.building)"
            floor = "\(place.floor)"
            gateway = "\(place.gateway)"

            """
        if let beacon = place.beacon {
            text += """
                beacon = { uuid = "\(beacon.uuid)", major = \(beacon.major), minor = \(beacon.minor) }

                """
        }
        text += """
            [mqtt]
            prefix = "beacon-gateway"
            [beacons]
            uuids = ["\(badges)"]
            """
        var configuration = try Configuration.parse(
            text, path: "gateway.toml", secrets: SecretAccess(), readFile: { _ in [] }, locate: { $0 })
        configuration.rules = rules
        return configuration
    }
}

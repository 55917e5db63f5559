import BeaconModel
import MQTTBridge
import Matching
import OperatorText

/// Reads records of the contract. Everything in them is hostile: any bytes.
public enum RecordReader {
    /// Bytes of a record at most; those of gateways have less than 2000.
    public static let longestRecord = 65_536
    /// A gateway cuts an interaction after 30 minutes.
    static let longestInteraction: Int64 = 86_400
    /// Beyond it there is no Bluetooth, in metres.
    private static let farthest = 1000.0

    /// Why something isn't a record, for people.
    public struct Defect: Error, Equatable, Sendable {
        public var found: String

        init(_ found: String) { self.found = found }
    }

    /// - Parameter gateway: by the topic on which it came, `site/building/floor/gateway`; nobody may speak for others.
    public static func read(_ bytes: [UInt8], gateway: String? = nil) throws(Defect) -> ReceivedRecord {
        guard bytes.count <= longestRecord else { throw Defect("is longer than \(longestRecord) bytes") }
        let event: RecordFields
        do {
            event = try JSON.decode(RecordFields.self, from: bytes)
        } catch DecodingError.keyNotFound(let key, _) {
            throw Defect("has no \(key.stringValue.shown(upTo: 40))")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            throw Defect("has something else in \(path(context))")
        } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
            throw Defect("has something else in \(path(context))")
        } catch {
            throw Defect("is no JSON, or holds a number that can't be")
        }
        let place = event.data.place
        let levels = [place.site, place.building, place.floor, place.gateway]
        guard levels.allSatisfy(Topics.isLevel), levels.allSatisfy({ $0.utf8.count <= 64 }) else {
            throw Defect("names a place that no gateway can have")
        }
        let path = levels.joined(separator: "/")
        if let gateway, gateway != path { throw Defect("is of another gateway than its topic") }
        let position = RecordPosition(boot: event.data.boot, sequence: event.data.sequence)
        guard Int64(exactly: position.boot) != nil, Int64(exactly: position.sequence) != nil else {
            throw Defect("has a boot or sequence beyond 2^63")
        }
        guard event.type.hasPrefix("interaction.") else { return .other(gateway: path, position: position) }
        return .interaction(try interaction(event.data, gateway: path, position: position))
    }

    private static func path(_ context: DecodingError.Context) -> String {
        context.codingPath.map(\.stringValue).joined(separator: ".").shown(upTo: 60)
    }

    private static func interaction(
        _ data: RecordFields.Payload, gateway: String, position: RecordPosition
    ) throws(Defect) -> InteractionRecord {
        guard let interaction = data.interaction, let counterpart = data.counterpart, let beacon = data.beacon,
            let startedAt = data.startedAt, let lastSeenAt = data.lastSeenAt
        else { throw Defect("lacks one of interaction, counterpart, beacon, startedAt, lastSeenAt") }
        guard let (origin, number) = split(interaction), origin.hasPrefix(gateway + "/"), origin.utf8.count <= 400
        else { throw Defect("has an interaction that isn't of its gateway") }
        let start = try seconds(startedAt, "startedAt")
        let end = try seconds(lastSeenAt, "lastSeenAt")
        guard start <= end, end - start <= longestInteraction else {
            throw Defect("has a lastSeenAt before startedAt, or more than a day after it")
        }
        let ear = data.place.ear
        if let ear, !Topics.isLevel(ear) || ear.utf8.count > 64 { throw Defect("has an ear that no gateway can have") }
        let receiver = ear.map { "\(gateway)/\($0)" } ?? gateway
        let placeBeacon = try data.place.beacon.map { beacon throws(Defect) in try text(of: beacon) }
        let place = PlaceName(
            key: placeBeacon ?? receiver, site: data.place.site, building: data.place.building,
            floor: data.place.floor, gateway: receiver, room: data.place.room.map { $0.shown(upTo: 100) },
            beacon: placeBeacon)
        let identity =
            counterpart.kind == "gateway"
            ? SubjectIdentity(kind: SubjectIdentity.badge, id: try text(of: beacon))
            : SubjectIdentity(kind: counterpart.kind, id: counterpart.id)
        guard let subject = identity else { throw Defect("has a counterpart that is nobody") }
        return InteractionRecord(
            position: position, gateway: gateway, origin: origin, number: number, place: place, subject: subject,
            start: start, end: end, state: try state(data.endReason), samples: clamped(data.samples ?? 0),
            rssi: try data.rssi.map { rssi throws(Defect) in
                guard (-127...20).contains(rssi.median) else { throw Defect("has an rssi that can't be") }
                return Int64(rssi.median)
            },
            distance: try data.distance.map { value throws(Defect) in try distance(value) },
            within3m: try data.probabilityWithin.map { within throws(Defect) in try thousandths(within.threeMetres) },
            within6m: try data.probabilityWithin.map { within throws(Defect) in try thousandths(within.sixMetres) },
            seconds3m: try expectedSeconds(data.expectedMinutesWithin?.threeMetres, within: end - start),
            seconds6m: try expectedSeconds(data.expectedMinutesWithin?.sixMetres, within: end - start),
            clockIsSynchronized: data.clock != "unsynchronized")
    }

    /// `.../<boot>/i<number>`.
    private static func split(_ interaction: String) -> (origin: String, number: Int64)? {
        guard let slash = interaction.lastIndex(of: "/") else { return nil }
        let last = interaction[interaction.index(after: slash)...]
        guard last.first == "i", let number = Int64(last.dropFirst()), number >= 0 else { return nil }
        return (String(interaction[..<slash]), number)
    }

    private static func seconds(_ text: String, _ key: String) throws(Defect) -> Int64 {
        guard let time = RFC3339Text.parse(text) else { throw Defect("has no time in \(key)") }
        return time.microseconds / 1_000_000
    }

    private static func text(of beacon: RecordFields.Beacon) throws(Defect) -> String {
        guard let uuid = ProximityUUID(beacon.uuid) else { throw Defect("has a beacon whose uuid is none") }
        return BeaconID(uuid: uuid, major: beacon.major, minor: beacon.minor).description
    }

    private static func state(_ reason: String?) throws(Defect) -> InteractionRecord.State {
        switch reason {
        case nil: .open
        case "departed": .departed
        case "lost": .lost
        case "shutdown": .shutdown
        case "continued": .continued
        default: throw Defect("has an endReason that isn't known")
        }
    }

    private static func distance(_ distance: RecordFields.Distance) throws(Defect) -> Stay.Distance {
        guard 0 <= distance.lower, distance.lower <= distance.metres, distance.metres <= distance.upper,
            distance.upper.isFinite
        else { throw Defect("has a distance outside its bounds") }
        func centimetres(_ metres: Double) -> Int64 { Int64((min(metres, farthest) * 100).rounded()) }
        return Stay.Distance(
            centimetres: centimetres(distance.metres), lower: centimetres(distance.lower),
            upper: centimetres(distance.upper))
    }

    private static func thousandths(_ probability: Double) throws(Defect) -> Int64 {
        guard (0...1).contains(probability) else { throw Defect("has a probability that isn't from 0 to 1") }
        return Int64((probability * 1000).rounded())
    }

    /// No more than the interaction has.
    private static func expectedSeconds(_ minutes: Double?, within length: Int64) throws(Defect) -> Int64 {
        guard let minutes else { return 0 }
        guard minutes >= 0, minutes.isFinite else { throw Defect("has expectedMinutesWithin that can't be") }
        return min(Int64(min(minutes * 60, 1e9).rounded()), length)
    }

    private static func clamped(_ samples: UInt64) -> Int64 { Int64(clamping: samples) }
}

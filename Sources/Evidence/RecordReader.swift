import BeaconModel
import Matching
import OperatorText
import RecordContract

/// A reader for records of the contract. Its input is hostile: any bytes are possible.
package enum RecordReader {
    /// Maximum length of a record in bytes; gateways send less than 2000.
    package static let longestRecord = 65_536
    /// Maximum length of an interaction, in seconds; a gateway cuts an interaction after 30 minutes.
    package static let longestInteraction: Int64 = 86_400
    /// The end of the year 9999, in seconds since 1970: no record can express a later time.
    package static let latestTime: Int64 = 253_402_300_799
    /// The end of the year 2099: no gateway of this contract runs later, whatever its clock and the matcher's clock
    /// say.
    package static let latestStart: Int64 = 4_102_444_799
    /// Maximum distance in metres, beyond the range of Bluetooth.
    private static let farthest = 1000.0
    package static let farthestCentimetres: Int64 = 100_000

    /// The reason why bytes are not a valid record, for display.
    package struct Defect: Error, Equatable, Sendable {
        package var found: String
        /// The record's position among its gateway's records, if it could be read: the record has arrived, though
        /// nothing of it is stored. Otherwise the gateway would hold everything after it for ever.
        package var counted: ReceivedRecord?

        package init(_ found: String, counted: ReceivedRecord? = nil) {
            self.found = found
            self.counted = counted
        }
    }

    /// Reads a record.
    ///
    /// - Parameter gateway: `site/building/floor/gateway` from the topic on which the record arrived. A gateway must
    ///   not publish records of another.
    package static func read(_ bytes: [UInt8], gateway: String? = nil) throws(Defect) -> ReceivedRecord {
        guard bytes.count <= longestRecord else { throw Defect("is longer than \(longestRecord) bytes") }
        let event: RecordFields
        do {
            event = try JSON.decode(RecordFields.self, from: bytes)
        } catch {
            throw Defect(found(error), counted: counted(bytes, gateway: gateway))
        }
        let (path, position) = try place(event.data.place, event.data.boot, event.data.sequence, gateway: gateway)
        let other = ReceivedRecord.other(gateway: path, position: position)
        if event.type == readingsType {
            do throws(Defect) {
                return .readings(try readings(event.data, gateway: path, position: position))
            } catch {
                throw Defect(error.found, counted: other)
            }
        }
        guard event.type.hasPrefix("interaction.") else { return other }
        do throws(Defect) {
            guard let phase = InteractionPhase(rawValue: event.type) else {
                throw Defect("has a type other than interaction.started, interaction.updated and interaction.ended")
            }
            return .interaction(try interaction(event.data, phase, gateway: path, position: position))
        } catch {
            throw Defect(error.found, counted: other)
        }
    }

    static func found(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "has no \(key.stringValue.shown(upTo: 40))"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "has a value of the wrong type in \(path(context))"
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            "has a value of the wrong type in \(path(context))"
        default: "is not JSON, or has an impossible number"
        }
    }

    /// Returns the gateway and position of a defective record, if they can be read.
    private static func counted(_ bytes: [UInt8], gateway: String?) -> ReceivedRecord? {
        guard let data = (try? JSON.decode(RecordCount.self, from: bytes))?.data,
            let (path, position) = try? place(data.place, data.boot, data.sequence, gateway: gateway)
        else { return nil }
        return .other(gateway: path, position: position)
    }

    private static func place(
        _ place: some RecordPlace, _ boot: UInt64, _ sequence: UInt64, gateway: String?
    ) throws(Defect) -> (path: String, position: RecordPosition) {
        let path = try path(place)
        if let gateway, gateway != path { throw Defect("names another gateway than its topic") }
        guard RecordPosition(boot: boot, sequence: sequence).isPossible else {
            throw Defect("has a boot or sequence of 2^53 or more")
        }
        guard boot > 0, sequence > 0 else { throw Defect("has a boot or sequence of 0; both count from 1") }
        return (path, RecordPosition(boot: boot, sequence: sequence))
    }

    /// Returns the path of the gateway that a message names.
    static func path(_ place: some RecordPlace) throws(Defect) -> String {
        let levels = [place.site, place.building, place.floor, place.gateway]
        guard Topics.isPlace(levels) else { throw Defect("names an invalid place") }
        return levels.joined(separator: "/")
    }

    private static func path(_ context: DecodingError.Context) -> String {
        // Without list indices, which the sender chooses: each would count as another kind of defect.
        context.codingPath.filter { $0.intValue == nil }.map(\.stringValue).joined(separator: ".").shown(upTo: 60)
    }

    /// The phase of the interaction that a record reports.
    private enum InteractionPhase: String {
        case started = "interaction.started"
        case updated = "interaction.updated"
        case ended = "interaction.ended"
    }

    /// Counterpart kinds of phones in records; the kind `gateway` stands for the badge that the gateway heard.
    package static let phones: Set<String> = Set(
        ContactApp.allCases.map { AdvertisedIdentity.Kind($0).name } + [
            AdvertisedIdentity.Kind.exposureNotification.name
        ])

    private static func interaction(
        _ data: RecordFields.Payload, _ phase: InteractionPhase, gateway: String, position: RecordPosition
    ) throws(Defect) -> InteractionRecord {
        guard let interaction = data.interaction, let counterpart = data.counterpart, let beacon = data.beacon,
            let startedAt = data.startedAt, let lastSeenAt = data.lastSeenAt
        else { throw Defect("lacks one of interaction, counterpart, beacon, startedAt, lastSeenAt") }
        let start = try seconds(startedAt, "startedAt")
        let end = try seconds(lastSeenAt, "lastSeenAt")
        guard start <= end, end - start <= longestInteraction else {
            throw Defect("has a lastSeenAt before startedAt, or more than a day after it")
        }
        guard start <= latestStart else { throw Defect("has a startedAt after the year 2099") }
        let ending = try ending(data, phase, start: start, lastSeen: end)
        guard data.samples != 0 else { throw Defect("has no samples") }
        let (receiver, place) = try receiver(data.place, gateway: gateway)
        guard let (origin, number) = split(interaction), isOrigin(origin, of: receiver) else {
            throw Defect("has an interaction of another gateway")
        }
        guard counterpart.kind == "gateway" || phones.contains(counterpart.kind) else {
            throw Defect("has a counterpart of an unknown kind")
        }
        guard let subject = try subject(counterpart, beacon, receiver: receiver) else {
            throw Defect("has a counterpart without an identity")
        }
        return InteractionRecord(
            position: position, gateway: gateway, origin: origin, number: number, place: place, subject: subject,
            start: start, end: ending.end, state: ending.state, samples: clamped(data.samples ?? 0),
            rssi: try data.rssi.map { rssi throws(Defect) in
                guard (-127...20).contains(rssi.median) else { throw Defect("has an impossible rssi") }
                return Int64(rssi.median)
            },
            distance: try data.distance.map { value throws(Defect) in try distance(value) },
            within3m: try data.probabilityWithin.map { within throws(Defect) in try thousandths(within.threeMetres) },
            within6m: try data.probabilityWithin.map { within throws(Defect) in try thousandths(within.sixMetres) },
            seconds3m: try expectedSeconds(data.expectedMinutesWithin?.threeMetres, within: ending.end - start),
            seconds6m: try expectedSeconds(data.expectedMinutesWithin?.sixMetres, within: ending.end - start),
            clockIsSynchronized: try isSynchronized(data.clock),
            coordinates: data.place.position.flatMap { ReceiverCoordinates(x: $0.x, y: $0.y, z: $0.z) })
    }

    /// Returns the path and the place of the receiver.
    package static func receiver(
        _ place: RecordFields.Place, gateway: String
    ) throws(Defect) -> (path: String, place: PlaceName) {
        let name = place.ear
        if let name, !Topics.isLevel(name) || name.utf8.count > 64 {
            throw Defect("has an invalid receiver name (place.ear)")
        }
        let receiver = name.map { "\(gateway)/\($0)" } ?? gateway
        let beacon = try place.beacon.map { beacon throws(Defect) in try text(of: beacon) }
        return (
            receiver,
            PlaceName(
                key: beacon ?? receiver, site: place.site, building: place.building, floor: place.floor,
                gateway: receiver, room: place.room.map { $0.shown(upTo: 100) }, beacon: beacon)
        )
    }

    /// Returns the subject: the badge if the counterpart is the receiver itself, otherwise the phone by its pseudonym.
    private static func subject(
        _ counterpart: RecordFields.Counterpart, _ beacon: RecordFields.Beacon, receiver: String
    ) throws(Defect) -> SubjectIdentity? {
        guard counterpart.kind != "gateway" else {
            guard counterpart.id == receiver else { throw Defect("has a counterpart that is not its gateway") }
            return SubjectIdentity(kind: SubjectIdentity.badge, id: try text(of: beacon))
        }
        guard counterpart.id.utf8.count == 32, counterpart.id.utf8.allSatisfy(isHexDigit) else {
            throw Defect("has a counterpart whose id is not 32 lower-case hexadecimal digits")
        }
        return SubjectIdentity(kind: counterpart.kind, id: counterpart.id)
    }

    /// Whether the clock was synchronized; a record without this field is not trusted.
    package static func isSynchronized(_ clock: String?) throws(Defect) -> Bool {
        switch clock {
        case "synchronized": true
        case "unsynchronized", nil: false
        default: throw Defect("has a clock that is neither synchronized nor unsynchronized")
        }
    }

    /// Splits `.../<boot>/i<number>`.
    private static func split(_ interaction: String) -> (origin: String, number: Int64)? {
        guard let slash = interaction.lastIndex(of: "/") else { return nil }
        let last = interaction[interaction.index(after: slash)...]
        guard last.first == "i", last.dropFirst().utf8.allSatisfy(isDigit), let number = Int64(last.dropFirst())
        else { return nil }
        return (String(interaction[..<slash]), number)
    }

    /// Whether an origin is the receiver and a boot, and nothing else. It goes into the database unchanged.
    private static func isOrigin(_ origin: String, of receiver: String) -> Bool {
        guard origin.hasPrefix(receiver + "/") else { return false }
        let boot = origin.dropFirst(receiver.count + 1)
        return UInt64(boot).map { "\($0)" == boot } ?? false
    }

    package static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    package static func seconds(_ text: String, _ key: String) throws(Defect) -> Int64 {
        guard let time = RFC3339Text.parse(text) else { throw Defect("has no valid time in \(key)") }
        return time.microseconds / 1_000_000
    }

    package static func text(of beacon: RecordFields.Beacon) throws(Defect) -> String {
        guard let uuid = ProximityUUID(beacon.uuid) else { throw Defect("has a beacon with an invalid uuid") }
        return BeaconID(uuid: uuid, major: beacon.major, minor: beacon.minor).description
    }

    /// Returns the end of the stay, as far as the record tells. The stay ends when the subject was last heard, except
    /// for an interaction that is continued: the next one begins where it ended, so there is no gap between the two.
    private static func ending(
        _ data: RecordFields.Payload, _ phase: InteractionPhase, start: Int64, lastSeen: Int64
    ) throws(Defect) -> (end: Int64, state: InteractionRecord.State) {
        guard phase == .ended else {
            guard data.endedAt == nil, data.endReason == nil else {
                throw Defect("has an endedAt or endReason, but is not of the type interaction.ended")
            }
            return (lastSeen, .open)
        }
        guard let endedAt = data.endedAt, let reason = data.endReason else {
            throw Defect("is of the type interaction.ended, but lacks endedAt or endReason")
        }
        let end = try seconds(endedAt, "endedAt")
        guard end >= start else { throw Defect("has an endedAt before startedAt") }
        guard end >= lastSeen else { throw Defect("has an endedAt before lastSeenAt") }
        guard end - start <= longestInteraction else {
            throw Defect("has an endedAt more than a day after startedAt")
        }
        let state = try state(reason)
        return (state == .continued ? end : lastSeen, state)
    }

    private static func state(_ reason: String) throws(Defect) -> InteractionRecord.State {
        switch reason {
        case "departed": .departed
        case "lost": .lost
        case "shutdown": .shutdown
        case "continued": .continued
        default: throw Defect("has an unknown endReason")
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
        guard (0...1).contains(probability) else { throw Defect("has a probability that is not from 0 to 1") }
        return Int64((probability * 1000).rounded())
    }

    /// Returns the expected seconds, at most the length of the interaction.
    private static func expectedSeconds(_ minutes: Double?, within length: Int64) throws(Defect) -> Int64 {
        guard let minutes else { return 0 }
        guard minutes >= 0, minutes.isFinite else { throw Defect("has an impossible expectedMinutesWithin") }
        return min(Int64(min(minutes * 60, 1e9).rounded()), length)
    }

    private static func clamped(_ samples: UInt64) -> Int64 { Int64(clamping: samples) }
}

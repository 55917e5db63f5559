import BeaconModel
import OperatorText
import RecordContract

extension RecordReader {
    /// Maximum distance of a receiver from the origin of its floor's plan, in metres along each axis.
    private static let farthestPosition = 100_000.0

    /// Reads a message of signals. Its input is hostile: any bytes are possible.
    ///
    /// The signature is checked before, with `checkSignature` for `.signals`. Whether the second is a current one, and
    /// whether the number is greater than the last one, is for the caller to decide: a message can be repeated by a
    /// client that has recorded it.
    ///
    /// - Parameter gateway: `site/building/floor/gateway` from the topic on which the message arrived. A gateway must
    ///   not publish signals of another.
    package static func signals(_ bytes: [UInt8], gateway: String) throws(Defect) -> SignalsRecord {
        guard bytes.count <= longestRecord else { throw Defect("is longer than \(longestRecord) bytes") }
        let fields: SignalsFields
        do {
            fields = try JSON.decode(SignalsFields.self, from: bytes)
        } catch {
            throw Defect(found(error))
        }
        guard try path(fields.place) == gateway else { throw Defect("names another gateway than its topic") }
        guard fields.boot > 0, fields.number > 0 else {
            throw Defect("has a boot or number of 0; both count from 1")
        }
        guard RecordPosition(boot: fields.boot, sequence: fields.number).isPossible else {
            throw Defect("has a boot or number of 2^53 or more")
        }
        guard let time = RFC3339Text.parse(fields.time), time.microseconds.isMultiple(of: 1_000_000) else {
            throw Defect("has no valid time, or one that is not a whole second")
        }
        let second = time.microseconds / 1_000_000
        guard second <= latestStart else { throw Defect("has a time after the year 2099") }
        guard (0...1).contains(fields.listenedSeconds) else { throw Defect("has listenedSeconds outside 0 to 1") }
        let (receiver, place) = try receiver(fields.place, gateway: gateway)
        let subjects = try subjects(fields.subjects)
        guard subjects.isEmpty || fields.listenedSeconds > 0 else {
            throw Defect("has subjects, but listenedSeconds of 0")
        }
        return SignalsRecord(
            gateway: gateway, receiver: receiver, place: place,
            position: try fields.position.map { position throws(Defect) in try self.position(position) },
            boot: fields.boot, number: fields.number, second: second, listened: fields.listenedSeconds,
            clockIsSynchronized: try isSynchronized(fields.clock), subjects: subjects)
    }

    private static func position(_ position: SignalsFields.Position) throws(Defect) -> Place.Position {
        guard [position.x, position.y, position.z].allSatisfy({ abs($0) <= farthestPosition }) else {
            throw Defect("has a position more than 100 km from the origin of the plan")
        }
        return Place.Position(x: position.x, y: position.y, z: position.z)
    }
}

import BeaconModel
import Matching
import OperatorText
package import RecordContract

extension RecordReader {
    static let readingsType = "readings"
    /// Maximum number of subjects in one record; gateways put at most 500 into one.
    private static let mostSubjects = 2000
    /// Lengths of interval that the contract allows, in seconds.
    private static let intervals: ClosedRange<Int64> = 30...120
    private static let mostAdvertisements: Int64 = 9999

    package static func readings(
        _ data: RecordFields.Payload, gateway: String, position: RecordPosition
    ) throws(Defect) -> ReadingsRecord {
        guard let startedAt = data.startedAt, let endedAt = data.endedAt, let listened = data.listenedSeconds,
            let groups = data.subjects
        else { throw Defect("lacks one of startedAt, endedAt, listenedSeconds, subjects") }
        let (start, end) = (try seconds(startedAt, "startedAt"), try seconds(endedAt, "endedAt"))
        guard intervals.contains(end - start) else { throw Defect("does not last 30 to 120 seconds") }
        guard start <= latestStart else { throw Defect("has a startedAt after the year 2099") }
        guard listened >= 0, listened <= Double(end - start) + 1 else {
            throw Defect("has listenedSeconds below 0 or above its duration")
        }
        let (receiver, place) = try receiver(data.place, gateway: gateway)
        let subjects = try subjects(groups)
        guard subjects.isEmpty || listened > 0 else { throw Defect("has subjects, but listenedSeconds of 0") }
        return ReadingsRecord(
            position: position, gateway: gateway, receiver: receiver, place: place, start: start, end: end,
            listened: min(listened, Double(end - start)), clockIsSynchronized: try isSynchronized(data.clock),
            subjects: subjects,
            coordinates: data.place.position.flatMap { ReceiverCoordinates(x: $0.x, y: $0.y, z: $0.z) })
    }

    /// Returns the subjects of all groups, in the order of their identities. Of several with one identity, the last
    /// counts.
    static func subjects(_ groups: [RecordFields.SubjectGroup]) throws(Defect) -> [ReadingsRecord.Subject] {
        var subjects: [SubjectIdentity: ReadingsRecord.Subject] = [:]
        for group in groups {
            for subject in try members(group) { subjects[subject.identity] = subject }
            guard subjects.count <= mostSubjects else { throw Defect("has more than \(mostSubjects) subjects") }
        }
        return subjects.values.sorted { $0.identity < $1.identity }
    }

    private static func members(_ group: RecordFields.SubjectGroup) throws(Defect) -> [ReadingsRecord.Subject] {
        let identities = try identities(group)
        guard identities.count == group.counts.count, identities.count == group.rssi.count else {
            throw Defect("has columns of different lengths in subjects")
        }
        var members: [ReadingsRecord.Subject] = []
        members.reserveCapacity(identities.count)
        for (index, identity) in identities.enumerated() {
            let (count, rssi) = (group.counts[index], group.rssi[index])
            guard (1...mostAdvertisements).contains(count) else { throw Defect("has a count outside 1 to 9999") }
            if let rssi, !(-127...20).contains(rssi) { throw Defect("has an impossible rssi") }
            members.append(.init(identity: identity, count: count, rssi: rssi))
        }
        return members
    }

    private static func identities(_ group: RecordFields.SubjectGroup) throws(Defect) -> [SubjectIdentity] {
        if group.kind == "beacon" {
            guard let text = group.uuid, let uuid = ProximityUUID(text), let major = group.major,
                let minors = group.minors, minors.count <= mostSubjects
            else { throw Defect("lacks the uuid, major or minors of beacons") }
            return minors.compactMap { minor in
                SubjectIdentity(
                    kind: SubjectIdentity.badge, id: BeaconID(uuid: uuid, major: major, minor: minor).description)
            }
        }
        guard phones.contains(group.kind), let ids = group.ids, ids.count <= mostSubjects else {
            throw Defect("has subjects of an unknown kind, or without ids")
        }
        guard ids.allSatisfy({ $0.utf8.count == 32 && $0.utf8.allSatisfy(isHexDigit) }) else {
            throw Defect("has a subject whose id is not 32 lower-case hexadecimal digits")
        }
        return ids.compactMap { SubjectIdentity(kind: group.kind, id: $0) }
    }
}

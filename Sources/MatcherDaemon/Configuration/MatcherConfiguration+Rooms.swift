import Attendance
import BeaconModel
import MatcherCore
package import Matching
import OperatorText
import RecordContract

extension MatcherConfiguration {
    /// Configured beacons with their rooms; beacons that are only neighbours of another place have no room.
    /// `uuid/major/minor` has two slashes, a receiver's path more.
    package var fixedBeacons: [String: String?] {
        func isBeacon(_ place: String) -> Bool { place.count { $0 == "/" } == 2 }
        var beacons: [String: String?] = [:]
        for place in neighbours.flatMap(\.places) where isBeacon(place) { beacons[place] = .some(nil) }
        for room in rooms { for place in room.places where isBeacon(place) { beacons[place] = room.name } }
        return beacons
    }

    /// Configured beacons as subjects, which nobody carries.
    package var fixedSubjects: Set<SubjectIdentity> {
        Set(fixedBeacons.keys.compactMap { SubjectIdentity(kind: SubjectIdentity.badge, id: $0) })
    }

    private static let mostRooms = 10_000
    private static let mostPlaces = 64
    private static let longestName = 100

    static func readRooms(_ root: TOMLReader) -> [Room] {
        let readers = root.tables("rooms")
        if readers.count > mostRooms {
            root.report("rooms", found: "has \(readers.count) entries", allowed: "must have at most \(mostRooms)")
        }
        var names: Set<String> = []
        var owners: [String: String] = [:]
        return readers.prefix(mostRooms).compactMap { reader in
            defer { reader.finish() }
            let nameForm = "1 to \(longestName) characters on one line"
            if !reader.has("name") { reader.missing("name", allowed: nameForm) }
            let name = reader.parsed("name", allowed: nameForm) { isName($0) ? $0 : nil }
            // Names are compared as those of timetables and people are.
            if let name, !names.insert(NameKey.of(name)).inserted {
                reader.report("name", found: "found \(name.excerpt) again", allowed: "each room must be unique")
            }
            let places = readPlaces(reader, of: name ?? "", &owners)
            let radius = reader.parsed("radius", allowed: "from 0.5m to 100m") { text in
                text.hasSuffix("m") ? Metres.parse(text, in: 0.5...100) : nil
            }
            let capacity = reader.integer("capacity", in: 1...100_000)
            guard let name else { return nil }
            return Room(
                name: name, places: places, radius: radius.map { Int64(($0 * 100).rounded()) } ?? Room.standardRadius,
                capacity: capacity)
        }
    }

    private static func isName(_ text: String) -> Bool {
        (1...longestName).contains(text.unicodeScalars.count) && text.shown(upTo: longestName) == text
            && text.contains { !$0.isWhitespace }
    }

    /// Reads the places of a room.
    ///
    /// - Parameter owners: places of the rooms before it, with the first room that has each.
    private static func readPlaces(
        _ reader: TOMLReader, of room: String, _ owners: inout [String: String]
    ) -> [String] {
        let beacons = entries(
            reader, "beacons", of: room, &owners, allowed: "UUID/MAJOR/MINOR of a fixed beacon", beaconPlace)
        let receivers = entries(
            reader, "places", of: room, &owners, allowed: "SITE/BUILDING/FLOOR/GATEWAY, or with /RECEIVER after it",
            receiverPlace)
        return beacons + receivers
    }

    /// Returns a fixed beacon's place as in records; `nil` if the text is no beacon.
    package static func beaconPlace(_ text: String) -> String? { BeaconID(text)?.description }

    /// Returns a receiver's place; `nil` if the text is no receiver.
    package static func receiverPlace(_ text: String) -> String? {
        let levels = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return (4...5).contains(levels.count) && levels.allSatisfy(Topics.isLevel) ? text : nil
    }

    private static func entries(
        _ reader: TOMLReader, _ key: String, of room: String, _ owners: inout [String: String], allowed: String,
        _ parse: (String) -> String?
    ) -> [String] {
        guard let texts = reader.strings(key) else { return [] }
        if texts.isEmpty || texts.count > mostPlaces {
            reader.report(
                key, found: "has \(texts.count) entries", allowed: "must have 1 to \(mostPlaces), or be omitted")
        }
        var found: [String] = []
        for (index, text) in texts.prefix(mostPlaces).enumerated() {
            guard let entry = parse(text) else {
                reader.report("\(key)[\(index)]", found: "found \(text.excerpt)", allowed: "must be \(allowed)")
                continue
            }
            if found.contains(entry) {
                reader.report(
                    "\(key)[\(index)]", found: "found \(text.excerpt) again", allowed: "each must be unique")
            } else if let owner = owners[entry] {
                reader.report(
                    "\(key)[\(index)]", found: "found \(text.excerpt), which belongs to room \(owner.excerpt)",
                    allowed: "each must belong to one room")
            } else {
                owners[entry] = room
            }
            found.append(entry)
        }
        return found
    }
}

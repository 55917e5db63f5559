import Crypto
package import Matching
import OperatorText

/// Occupancy of a room or a floor, for programs.
package struct OccupancyDocument: Encodable, Equatable, Sendable {
    package var site: String?
    package var building: String?
    package var floor: String?
    /// Name of the room; omitted for a whole floor.
    package var room: String?
    package var expected: Double
    /// Lower bound: with a probability of 90 %, between `lower` and `upper` people are present.
    package var lower: Int
    package var upper: Int
    package var capacity: Int?
    /// Whether a gateway there works: if not, an empty room means nothing.
    package var isHeard: Bool
    package var asOf: String
    /// How people are counted.
    package var by: Method

    /// How people in a room are counted.
    package enum Method: String, Encodable, Sendable {
        /// Subjects are counted by the rooms in which live positions show them.
        case rooms
        /// Subjects are counted by their distances from places.
        case radius
    }

    package init(_ room: Room, on floor: FloorName?, _ occupancy: Occupancy, isHeard: Bool, now: Int64) {
        self.init(floor, room.name, occupancy, isHeard: isHeard, now: now)
        capacity = room.capacity
    }

    package init(_ floor: FloorName, _ occupancy: Occupancy, isHeard: Bool, now: Int64) {
        self.init(floor, nil, occupancy, isHeard: isHeard, now: now)
    }

    private init(_ floor: FloorName?, _ room: String?, _ occupancy: Occupancy, isHeard: Bool, now: Int64) {
        site = floor?.site
        building = floor?.building
        self.floor = floor?.floor
        self.room = room
        expected = (occupancy.expected * 10).rounded() / 10
        lower = occupancy.lower
        upper = occupancy.upper
        self.isHeard = isHeard
        asOf = InstantText.utc(now)
        by = .radius
    }

    /// Creates the document of a room or floor from live positions.
    ///
    /// - Parameter room: `nil` for the whole floor.
    init(
        _ floor: FloorName, room: String?, capacity: Int?, _ probabilities: [Double], isHeard: Bool, now: Int64
    ) {
        self.init(floor, room, Occupancy(probabilities), isHeard: isHeard, now: now)
        self.capacity = capacity
        by = .rooms
    }

    /// Sort key that puts floors before their rooms.
    package var order: [String] { [site ?? "", building ?? "", floor ?? "", room ?? ""] }

    /// Returns each document with its topic, without documents of rooms that no gateway has named. If the names of two
    /// rooms give the same topic, six digits of the names' SHA-256 are appended.
    package static func topics(of documents: [Self], prefix: String) -> [(topic: String, document: Self)] {
        let simple = documents.compactMap { document in
            document.topic(prefix: prefix).map { (topic: $0, document: document) }
        }
        let counts = Dictionary(simple.map { ($0.topic, 1) }, uniquingKeysWith: +)
        return simple.map { topic, document in
            guard let room = document.room, counts[topic, default: 0] > 1 else { return (topic, document) }
            let digest = HexadecimalText.of(SHA256.hash(data: Array(room.utf8)).prefix(3))
            return ("\(topic)-\(digest)", document)
        }
    }

    private func topic(prefix: String) -> String? {
        guard let site, let building, let floor else { return nil }
        let level = [site, building, floor].joined(separator: "/")
        let place = room.map { "/" + Self.topicLevel($0) } ?? ""
        return "\(prefix)/v1/\(level)/occupancy\(place)"
    }

    /// Returns a name as a level of a topic: lower-case letters, digits and hyphens.
    static func topicLevel(_ name: String) -> String {
        let bytes = name.utf8.prefix(40).map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            default: UInt8(ascii: "-")
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

import Crypto
import Matching
import OperatorText

/// How full a room or a floor is, as it is told to programs.
struct OccupancyDocument: Encodable, Equatable, Sendable {
    var site: String?
    var building: String?
    var floor: String?
    /// Left out of a whole floor.
    var room: String?
    var expected: Double
    /// There are between `lower` and `upper` with a probability of 90 %.
    var lower: Int
    var upper: Int
    var capacity: Int?
    /// Whether a gateway there works: if not, nobody heard means nothing.
    var isHeard: Bool
    var asOf: String

    init(_ room: Room, on floor: FloorName?, _ occupancy: Occupancy, isHeard: Bool, now: Int64) {
        self.init(floor, room.name, occupancy, isHeard: isHeard, now: now)
        capacity = room.capacity
    }

    init(_ floor: FloorName, _ occupancy: Occupancy, isHeard: Bool, now: Int64) {
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
    }

    /// Floors before their rooms.
    var order: [String] { [site ?? "", building ?? "", floor ?? "", room ?? ""] }

    /// Each with its topic, without those of rooms that no gateway has told of. Where two rooms' names come to the same, the
    /// topics have six digits of the names' SHA-256 at their ends.
    static func topics(of documents: [Self], prefix: String) -> [(topic: String, document: Self)] {
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

    /// Of a name: lower-case letters, digits and hyphens.
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

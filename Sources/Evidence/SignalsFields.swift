/// The fields that are read from a message of signals; their names are the contract's.
struct SignalsFields: Decodable {
    var place: RecordFields.Place
    var position: Position?
    var boot: UInt64
    var number: UInt64
    var time: String
    var listenedSeconds: Double
    var clock: String?
    var subjects: [RecordFields.SubjectGroup]

    struct Position: Decodable {
        var x: Double
        var y: Double
        var z: Double
    }

    /// The part of a place that records are read without.
    private struct PositionOfPlace: Decodable {
        var position: Position?
    }

    private enum CodingKeys: String, CodingKey {
        case place, boot, number, time, listenedSeconds, clock, subjects
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        place = try container.decode(RecordFields.Place.self, forKey: .place)
        position = try container.decode(PositionOfPlace.self, forKey: .place).position
        boot = try container.decode(UInt64.self, forKey: .boot)
        number = try container.decode(UInt64.self, forKey: .number)
        time = try container.decode(String.self, forKey: .time)
        listenedSeconds = try container.decode(Double.self, forKey: .listenedSeconds)
        clock = try container.decodeIfPresent(String.self, forKey: .clock)
        subjects = try container.decode([RecordFields.SubjectGroup].self, forKey: .subjects)
    }
}

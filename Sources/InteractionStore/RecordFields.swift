/// The fields that are read from a record; their names are the contract's.
struct RecordFields: Decodable {
    var type: String
    var data: Payload

    struct Payload: Decodable {
        var boot: UInt64
        var sequence: UInt64
        var place: Place
        var beacon: Beacon?
        var counterpart: Counterpart?
        var interaction: String?
        var startedAt: String?
        var lastSeenAt: String?
        var endedAt: String?
        var endReason: String?
        var samples: UInt64?
        var rssi: RSSI?
        var distance: Distance?
        var probabilityWithin: Within?
        var expectedMinutesWithin: Within?
        var clock: String?
        var listenedSeconds: Double?
        var subjects: [SubjectGroup]?
    }

    /// Subjects of a record of the type `readings`, in columns: beacons of one UUID and major number, or phones of one
    /// kind.
    struct SubjectGroup: Decodable {
        var kind: String
        var uuid: String?
        var major: UInt16?
        var minors: [UInt16]?
        var ids: [String]?
        var counts: [Int64]
        var rssi: [Double?]
    }

    struct Place: Decodable, RecordPlace {
        var site: String
        var building: String
        var floor: String
        var gateway: String
        var room: String?
        var beacon: Beacon?
        var ear: String?
    }

    struct Beacon: Decodable {
        var uuid: String
        var major: UInt16
        var minor: UInt16
    }

    struct Counterpart: Decodable {
        var kind: String
        var id: String
    }

    struct RSSI: Decodable {
        var median: Int
    }

    struct Distance: Decodable {
        var metres: Double
        var lower: Double
        var upper: Double
    }

    struct Within: Decodable {
        var threeMetres: Double
        var sixMetres: Double

        private enum CodingKeys: String, CodingKey {
            case threeMetres = "3m"
            case sixMetres = "6m"
        }
    }
}

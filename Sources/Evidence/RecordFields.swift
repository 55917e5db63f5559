/// The fields that are read from a record; their names are the contract's.
package struct RecordFields: Decodable {
    package var type: String
    package var data: Payload

    package struct Payload: Decodable {
        package var boot: UInt64
        package var sequence: UInt64
        package var place: Place
        package var beacon: Beacon?
        package var counterpart: Counterpart?
        package var interaction: String?
        package var startedAt: String?
        package var lastSeenAt: String?
        package var endedAt: String?
        package var endReason: String?
        package var samples: UInt64?
        package var rssi: RSSI?
        package var distance: Distance?
        package var probabilityWithin: Within?
        package var expectedMinutesWithin: Within?
        package var clock: String?
        package var listenedSeconds: Double?
        package var subjects: [SubjectGroup]?
    }

    /// Subjects of a record of the type `readings`, in columns: beacons of one UUID and major number, or phones of one
    /// kind.
    package struct SubjectGroup: Decodable {
        package var kind: String
        package var uuid: String?
        package var major: UInt16?
        package var minors: [UInt16]?
        package var ids: [String]?
        package var counts: [Int64]
        package var rssi: [Double?]
    }

    package struct Place: Decodable, RecordPlace {
        package var site: String
        package var building: String
        package var floor: String
        package var gateway: String
        package var room: String?
        package var position: Position?
        package var beacon: Beacon?
        package var ear: String?

        package struct Position: Decodable {
            package var x: Double
            package var y: Double
            package var z: Double
        }
    }

    package struct Beacon: Decodable {
        package var uuid: String
        package var major: UInt16
        package var minor: UInt16
    }

    package struct Counterpart: Decodable {
        package var kind: String
        package var id: String
    }

    package struct RSSI: Decodable {
        package var median: Int
    }

    package struct Distance: Decodable {
        package var metres: Double
        package var lower: Double
        package var upper: Double
    }

    package struct Within: Decodable {
        package var threeMetres: Double
        package var sixMetres: Double

        private enum CodingKeys: String, CodingKey {
            case threeMetres = "3m"
            case sixMetres = "6m"
        }
    }
}

/// What a subscriber reads of a record: as much as is shown. Whatever a record doesn't have is `nil`; which fields a type
/// has is said by the schemas.
struct ReceivedRecord: Decodable, Sendable {
    var time: String
    /// `interaction.started`, `readings`, `social-distance.ended`, `module.failed`, ...
    var type: String
    var data: Payload

    struct Payload: Decodable, Sendable {
        var beacon: Beacon?
        var counterpart: Counterpart?
        /// Of two badges that are too near each other.
        var badges: [Beacon]?
        /// A module's name.
        var module: String?
        var place: Place
        var sequence: UInt64
        var samples: UInt64?
        var distance: Distance?
        var proximity: String?
        var expectedMinutesWithin: Minutes?
        var endReason: String?
        var historical: Bool?
        var error: String?
        var remedy: String?
        /// Of readings.
        var listenedSeconds: Double?
        var subjects: [Group]?
    }

    /// Subjects of which readings tell.
    struct Group: Decodable, Sendable {
        var kind: String
        var counts: [UInt32]
    }

    struct Beacon: Decodable, Hashable, Sendable {
        var uuid: String
        var major: UInt16
        var minor: UInt16
    }

    struct Counterpart: Decodable, Sendable {
        var kind: String
        var id: String
    }

    struct Place: Decodable, Sendable {
        var gateway: String
        var room: String?
        var ear: String?
    }

    /// Metres, with the ends of the 90 % interval.
    struct Distance: Decodable, Sendable {
        var metres: Double
        var lower: Double
        var upper: Double
    }

    struct Minutes: Decodable, Sendable {
        var threeMetres: Double
        var sixMetres: Double

        private enum CodingKeys: String, CodingKey {
            case threeMetres = "3m"
            case sixMetres = "6m"
        }
    }
}

/// What a subscriber reads of a presence.
struct ReceivedPresence: Decodable, Sendable {
    /// `nil` when nobody knows.
    var present: Bool?
    var lastSeenAt: String
    var proximity: String?
    var distance: ReceivedRecord.Distance?
}

/// What a subscriber reads of a module's state: whose beacon it is.
struct ReceivedModuleState: Decodable, Sendable {
    var desired: ReceivedRecord.Beacon
}

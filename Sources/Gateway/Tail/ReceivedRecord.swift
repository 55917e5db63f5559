/// Record as a subscriber decodes it: only the fields that are shown. Fields that a record does not have are `nil`; the
/// schemas define which fields each type has.
struct ReceivedRecord: Decodable, Sendable {
    var time: String
    /// Record type: `interaction.started`, `readings`, `social-distance.ended`, `module.failed`, ...
    var type: String
    var data: Payload

    struct Payload: Decodable, Sendable {
        var beacon: Beacon?
        var counterpart: Counterpart?
        /// The two badges that are too near each other.
        var badges: [Beacon]?
        /// Name of a module.
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
        /// Time in seconds for which the receiver listened, in readings.
        var listenedSeconds: Double?
        var subjects: [Group]?
    }

    /// Group of subjects in readings.
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

    /// Distance in metres, with the ends of the 90 % interval.
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

/// Retained presence as a subscriber decodes it.
struct ReceivedPresence: Decodable, Sendable {
    /// Whether the beacon is present; `nil` when it is not known.
    var present: Bool?
    var lastSeenAt: String
    var proximity: String?
    var distance: ReceivedRecord.Distance?
}

/// State of a module as a subscriber decodes it: the beacon that the module is to advertise.
struct ReceivedModuleState: Decodable, Sendable {
    var desired: ReceivedRecord.Beacon
}

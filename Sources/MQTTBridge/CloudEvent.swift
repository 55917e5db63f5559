import BeaconModel

/// The envelope of a record: CloudEvents 1.0, structured JSON.
struct CloudEvent<Payload: Encodable & Sendable>: Encodable, Sendable {
    let specversion = "1.0"
    var id: String
    var source: String
    var type: String
    var time: String
    let datacontenttype = "application/json"
    var data: Payload
}

/// What an interaction record says; the field names are the contract's.
struct InteractionPayload: Encodable, Sendable {
    var beacon: Beacon
    var counterpart: Counterpart
    var place: PlacePayload
    /// The same in all records of one interaction.
    var interaction: String
    var continues: String?
    /// With `sequence`: counts the records of this gateway without gaps, so that a consumer notices a missing one.
    var boot: UInt64
    var sequence: UInt64
    /// When the subject came and when it had gone, in whichever parts the time between was recorded.
    var connectedAt: String
    var disconnectedAt: String?
    var startedAt: String
    var lastSeenAt: String
    var endedAt: String?
    var endReason: String?
    var samples: UInt64
    var rssi: RSSIPayload?
    var distance: DistancePayload?
    var proximity: String
    /// The number that Apple's CLProximity gives `proximity`.
    var clProximity: Int
    var probabilityWithin: WithinPayload?
    var expectedMinutesWithin: WithinPayload
    var reception: ReceptionPayload
    /// Whether the record waited out an outage of the broker.
    var historical: Bool
    var clock: String

    struct Beacon: Encodable, Sendable {
        var uuid: String
        var major: UInt16
        var minor: UInt16

        init(_ beacon: BeaconID) {
            uuid = beacon.uuid.description
            major = beacon.major
            minor = beacon.minor
        }
    }

    struct Counterpart: Encodable, Sendable {
        var kind: String
        var id: String
    }

    struct PlacePayload: Encodable, Sendable {
        var site: String
        var building: String
        var floor: String
        var gateway: String
        var room: String?
        var position: Position?
        var beacon: Beacon?
        /// The remote ear at that room and position; absent for the gateway itself.
        var ear: String?

        struct Position: Encodable, Sendable {
            var x: Double
            var y: Double
            var z: Double
        }

        init(_ place: Place) {
            site = place.site
            building = place.building
            floor = place.floor
            gateway = place.gateway
            room = place.room
            position = place.position.map { Position(x: $0.x, y: $0.y, z: $0.z) }
            beacon = place.beacon.map(Beacon.init)
            ear = place.ear
        }
    }

    struct RSSIPayload: Encodable, Sendable {
        var median: Int
        var min: Int
        var max: Int
    }

    /// Metres, to the centimetre.
    struct DistancePayload: Encodable, Sendable {
        var metres: Double
        var lower: Double
        var upper: Double

        init(_ distance: DistanceEstimate) {
            self.init(metres: distance.metres, lower: distance.lower, upper: distance.upper)
        }

        init(_ distance: MutualDistance) {
            self.init(metres: distance.metres, lower: distance.lower, upper: distance.upper)
        }

        private init(metres: Double, lower: Double, upper: Double) {
            self.metres = rounded(metres, 100)
            self.lower = rounded(lower, 100)
            self.upper = rounded(upper, 100)
        }
    }

    /// How regularly the subject is heard.
    struct ReceptionPayload: Encodable, Sendable {
        /// Mean time between advertising events.
        var intervalSeconds: Double?
        var heardShare: Double?
        /// After this the subject counts as gone.
        var silenceSeconds: Double

        init(_ reception: Interaction.Reception) {
            intervalSeconds = reception.interval.map { rounded($0, 1000) }
            heardShare = reception.heardShare.map { rounded($0, 100) }
            silenceSeconds = rounded(reception.silence.inSeconds, 10)
        }
    }

    struct WithinPayload: Encodable, Sendable {
        var threeMetres: Double
        var sixMetres: Double

        init(_ within: Within) {
            threeMetres = rounded(within.threeMetres, 1000)
            sixMetres = rounded(within.sixMetres, 1000)
        }

        enum CodingKeys: String, CodingKey {
            case threeMetres = "3m"
            case sixMetres = "6m"
        }
    }
}

func rounded(_ value: Double, _ parts: Double) -> Double { (value * parts).rounded() / parts }

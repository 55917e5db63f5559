package import BeaconModel

/// The envelope of a record: CloudEvents 1.0, structured JSON.
package struct CloudEvent<Payload: Encodable & Sendable>: Encodable, Sendable {
    let specversion = "1.0"
    package var id: String
    package var source: String
    package var type: String
    package var time: String
    let datacontenttype = "application/json"
    package var data: Payload
}

/// The payload of an interaction record; the contract defines the field names.
package struct InteractionPayload: Encodable, Sendable {
    package var beacon: Beacon
    package var counterpart: Counterpart
    package var place: PlacePayload
    /// Identifier that is the same in all records of one interaction.
    package var interaction: String
    package var continues: String?
    /// The boot number. Together with `sequence`, it numbers the records of this gateway without gaps, so that a
    /// consumer notices a missing one.
    package var boot: UInt64
    package var sequence: UInt64
    /// Arrival of the subject. This and `disconnectedAt`, its departure, span all parts in which the time between was
    /// recorded.
    package var connectedAt: String
    var disconnectedAt: String?
    package var startedAt: String
    package var lastSeenAt: String
    package var endedAt: String?
    package var endReason: String?
    package var samples: UInt64
    package var rssi: RSSIPayload?
    package var distance: DistancePayload?
    package var proximity: String
    /// The number that Apple's CLProximity assigns to `proximity`.
    var clProximity: Int
    package var probabilityWithin: WithinPayload?
    package var expectedMinutesWithin: WithinPayload
    package var reception: ReceptionPayload
    /// Whether the record waited out an outage of the broker.
    package var historical: Bool
    package var clock: String

    package struct Beacon: Encodable, Sendable {
        package var uuid: String
        package var major: UInt16
        package var minor: UInt16

        package init(_ beacon: BeaconID) {
            uuid = beacon.uuid.description
            major = beacon.major
            minor = beacon.minor
        }
    }

    package struct Counterpart: Encodable, Sendable {
        package var kind: String
        package var id: String
    }

    package struct PlacePayload: Encodable, Sendable {
        package var site: String
        package var building: String
        package var floor: String
        package var gateway: String
        package var room: String?
        package var position: Position?
        package var beacon: Beacon?
        /// The remote receiver at that room and position; absent for the gateway itself.
        package var ear: String?

        package struct Position: Encodable, Sendable {
            package var x: Double
            package var y: Double
            package var z: Double
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

    package struct RSSIPayload: Encodable, Sendable {
        package var median: Int
        package var min: Int
        package var max: Int
    }

    /// Distance in metres, to the centimetre.
    package struct DistancePayload: Encodable, Sendable {
        package var metres: Double
        package var lower: Double
        package var upper: Double

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

    /// Regularity with which the subject is received.
    package struct ReceptionPayload: Encodable, Sendable {
        /// Mean time between advertising events.
        package var intervalSeconds: Double?
        package var heardShare: Double?
        /// Silence in seconds after which the subject counts as departed.
        package var silenceSeconds: Double

        init(_ reception: Interaction.Reception) {
            intervalSeconds = reception.interval.map { rounded($0, 1000) }
            heardShare = reception.heardShare.map { rounded($0, 100) }
            silenceSeconds = rounded(reception.silence.inSeconds, 10)
        }
    }

    package struct WithinPayload: Encodable, Sendable {
        package var threeMetres: Double
        package var sixMetres: Double

        init(_ within: Within) {
            threeMetres = rounded(within.threeMetres, 1000)
            sixMetres = rounded(within.sixMetres, 1000)
        }

        package enum CodingKeys: String, CodingKey {
            case threeMetres = "3m"
            case sixMetres = "6m"
        }
    }
}

package func rounded(_ value: Double, _ parts: Double) -> Double { (value * parts).rounded() / parts }

package import Matching
package import RecordContract

/// The stored contents of a record of an interaction.
package struct InteractionRecord: Equatable, Sendable {
    /// The record's position, by which duplicates are recognized and missing records are detected.
    package var position: RecordPosition
    /// The gateway as `site/building/floor/gateway`.
    package var gateway: String
    /// The counter of the interaction's number: the receiver and the boot in which the interaction began.
    package var origin: String
    package var number: Int64
    package var place: PlaceName
    /// Position of the receiver on its floor's plan.
    package var coordinates: ReceiverCoordinates?
    package var subject: SubjectIdentity
    /// Start of the interaction, in seconds since 1970.
    package var start: Int64
    /// The time at which the subject was last heard.
    package var end: Int64
    package var state: State
    package var samples: Int64
    /// Median signal strength, in dBm.
    package var rssi: Int64?
    package var distance: Stay.Distance?
    /// Probabilities that the subject was within 3 m and 6 m of the place, in thousandths.
    package var within3m: Int64?
    package var within6m: Int64?
    /// Expected seconds within 3 m and 6 m.
    package var seconds3m: Int64
    package var seconds6m: Int64
    package var clockIsSynchronized: Bool

    package init(
        position: RecordPosition, gateway: String, origin: String, number: Int64, place: PlaceName,
        subject: SubjectIdentity, start: Int64, end: Int64, state: State, samples: Int64, rssi: Int64? = nil,
        distance: Stay.Distance? = nil, within3m: Int64? = nil, within6m: Int64? = nil, seconds3m: Int64 = 0,
        seconds6m: Int64 = 0, clockIsSynchronized: Bool = true, coordinates: ReceiverCoordinates? = nil
    ) {
        self.position = position
        self.gateway = gateway
        self.origin = origin
        self.number = number
        self.place = place
        self.coordinates = coordinates
        self.subject = subject
        self.start = start
        self.end = end
        self.state = state
        self.samples = samples
        self.rssi = rssi
        self.distance = distance
        self.within3m = within3m
        self.within6m = within6m
        self.seconds3m = seconds3m
        self.seconds6m = seconds6m
        self.clockIsSynchronized = clockIsSynchronized
    }

    package enum State: Int64, Equatable, Sendable, CaseIterable {
        /// The interaction was still in progress when the record was made.
        case open = 0
        case departed, lost, shutdown, continued
    }
}

/// A place as records name it.
package struct PlaceName: Hashable, Sendable {
    /// The key that joins the observations of several receivers at a place: the fixed beacon if there is one, otherwise
    /// the receiver.
    package var key: String
    package var site: String
    package var building: String
    package var floor: String
    package var gateway: String
    package var room: String?
    /// `uuid/major/minor` of the fixed beacon.
    package var beacon: String?

    package init(
        key: String, site: String, building: String, floor: String, gateway: String, room: String? = nil,
        beacon: String? = nil
    ) {
        self.key = key
        self.site = site
        self.building = building
        self.floor = floor
        self.gateway = gateway
        self.room = room
        self.beacon = beacon
    }

    /// Hashes the key, room and beacon. Places are looked up for each record. Two rarely have the same key, but a
    /// gateway that names another room or beacon each time would cause all of them to be compared with each other.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(room)
        hasher.combine(beacon)
    }
}

/// A record of a gateway as received.
package enum ReceivedRecord: Equatable, Sendable {
    case interaction(InteractionRecord)
    case readings(ReadingsRecord)
    /// A record of another kind: it is not stored, but it has a position and is counted.
    case other(gateway: String, position: RecordPosition)

    package var gateway: String {
        switch self {
        case .interaction(let record): record.gateway
        case .readings(let record): record.gateway
        case .other(let gateway, _): gateway
        }
    }

    package var position: RecordPosition {
        switch self {
        case .interaction(let record): record.position
        case .readings(let record): record.position
        case .other(_, let position): position
        }
    }
}

extension InteractionRecord {
    /// Columns from `ended` on, without the position, in the order of `StoreSchema.contentColumns`.
    package var content: [Int64?] {
        [
            end, state.rawValue, samples, rssi, distance?.centimetres, distance?.lower, distance?.upper, within3m,
            within6m, seconds3m, seconds6m, clockIsSynchronized ? 1 : 0,
        ]
    }
}

package import BeaconModel

/// The payload of a readings record; the contract defines the field names.
package struct ReadingsPayload: Encodable, Sendable {
    package var place: InteractionPayload.PlacePayload
    package var boot: UInt64
    package var sequence: UInt64
    package var startedAt: String
    package var endedAt: String
    /// Listening time in seconds, to a tenth.
    package var listenedSeconds: Double
    /// Listening time by adapter; `nil` for a remote receiver, which has no adapter here.
    package var adapters: [Adapter]?
    package var subjects: [Group]
    /// Whether the record waited out an outage of the broker.
    package var historical: Bool
    package var clock: String

    package struct Adapter: Encodable, Sendable {
        package var name: String
        package var listenedSeconds: Double
    }

    /// Beacons with the same UUID and major, or phones of one kind. Counts and means are in the same order as the
    /// names.
    package struct Group: Encodable, Sendable {
        package var kind: String
        package var uuid: String?
        package var major: UInt16?
        package var minors: [UInt16]?
        /// Pseudonyms of the phones.
        package var ids: [String]?
        package var counts: [UInt32] = []
        /// Mean RSSI in dBm, to a tenth; `nil` if no RSSI was plausible.
        package var rssi: [Double?] = []
    }
}

extension RecordFactory {
    /// Maximum number of subjects in one record. With the longest names a record stays below 32 KiB.
    package static let mostSubjects = 500
    /// The largest count that is recorded; it stands for itself or more.
    static let mostCounted: UInt32 = 9999

    /// Returns the records of an interval: one, or several with different subjects, each of which is complete by
    /// itself.
    ///
    /// Phones have the pseudonyms of the day on which the interval began. Without a key for pseudonyms, phones are
    /// omitted.
    ///
    /// - Parameters:
    ///   - receiver: the place of the remote receiver; `nil`: the gateway itself.
    ///   - clockIsSynchronized: whether the times in the readings are reliable.
    package mutating func records(
        for readings: Readings, at receiver: Place? = nil, clockIsSynchronized: Bool
    ) -> [Record] {
        let place = receiver ?? place
        let named = named(readings)
        let parts = stride(from: 0, to: max(1, named.count), by: Self.mostSubjects).map {
            named[$0..<min($0 + Self.mostSubjects, named.count)]
        }
        func seconds(_ listened: Duration) -> Double {
            rounded(min(max(listened, .zero), readings.interval).inSeconds, 10)
        }
        return parts.map { part in
            let sequence = nextSequence()
            let payload = ReadingsPayload(
                place: .init(place), boot: boot, sequence: sequence, startedAt: readings.startedAt.rfc3339,
                endedAt: readings.endedAt.rfc3339, listenedSeconds: seconds(readings.listened),
                adapters: receiver == nil
                    ? readings.adapters.map {
                        .init(name: $0.adapter.description, listenedSeconds: seconds($0.listened))
                    } : nil,
                subjects: groups(part), historical: false,
                clock: clockIsSynchronized ? "synchronized" : "unsynchronized")
            return Record(
                topic: topics.readings,
                event: CloudEvent(
                    id: "\(path)/\(boot)/\(sequence)", source: "/" + path, type: "readings",
                    time: readings.decidedAt.rfc3339, data: payload))
        }
    }

    /// The name of a subject in a record. It sorts by the published data, so that the order reveals nothing else.
    private enum Name: Comparable {
        case beacon(BeaconID)
        /// A phone, by the number of its kind.
        case phone(Int, pseudonym: String)
    }

    private func named(_ readings: Readings) -> [(name: Name, heard: Readings.Heard)] {
        let key = pseudonymizer?.key(site: place.site, day: readings.startedAt.day)
        let named = readings.subjects.compactMap { heard -> (name: Name, heard: Readings.Heard)? in
            if case .beacon(let beacon) = heard.subject { return (.beacon(beacon), heard) }
            guard let key, let (kind, identity) = Self.phone(heard.subject) else { return nil }
            return (.phone(kind.rawValue, pseudonym: key.pseudonym(for: identity)), heard)
        }
        return named.sorted { $0.name < $1.name }
    }

    private func groups(_ part: some Sequence<(name: Name, heard: Readings.Heard)>) -> [ReadingsPayload.Group] {
        var groups: [ReadingsPayload.Group] = []
        var last: BeaconID?
        var lastKind: Int?
        for (name, heard) in part {
            switch name {
            case .beacon(let beacon):
                if last?.uuid != beacon.uuid || last?.major != beacon.major {
                    groups.append(
                        .init(kind: "beacon", uuid: beacon.uuid.description, major: beacon.major, minors: []))
                }
                last = beacon
                groups[groups.count - 1].minors?.append(beacon.minor)
            case .phone(let kind, let pseudonym):
                if lastKind != kind {
                    groups.append(
                        .init(kind: AdvertisedIdentity.Kind(rawValue: kind)?.name ?? "unknown", ids: []))
                }
                lastKind = kind
                groups[groups.count - 1].ids?.append(pseudonym)
            }
            groups[groups.count - 1].counts.append(min(heard.count, Self.mostCounted))
            groups[groups.count - 1].rssi.append(heard.rssi.map { rounded($0, 10) })
        }
        return groups
    }
}

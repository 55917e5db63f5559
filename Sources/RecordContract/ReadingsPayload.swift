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
    package var subjects: [SubjectGroup]
    /// Whether the record waited out an outage of the broker.
    package var historical: Bool
    package var clock: String

    package struct Adapter: Encodable, Sendable {
        package var name: String
        package var listenedSeconds: Double
    }
}

extension RecordFactory {
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
        let key = pseudonymizer?.key(site: place.site, day: readings.startedAt.day)
        func seconds(_ listened: Duration) -> Double {
            rounded(min(max(listened, .zero), readings.interval).inSeconds, 10)
        }
        return SubjectGroup.messages(for: readings.subjects, key).map { groups in
            let sequence = nextSequence()
            let payload = ReadingsPayload(
                place: .init(place), boot: boot, sequence: sequence, startedAt: readings.startedAt.rfc3339,
                endedAt: readings.endedAt.rfc3339, listenedSeconds: seconds(readings.listened),
                adapters: receiver == nil
                    ? readings.adapters.map {
                        .init(name: $0.adapter.description, listenedSeconds: seconds($0.listened))
                    } : nil,
                subjects: groups, historical: false,
                clock: clockIsSynchronized ? "synchronized" : "unsynchronized")
            return Record(
                topic: topics.readings,
                event: CloudEvent(
                    id: "\(path)/\(boot)/\(sequence)", source: "/" + path, type: "readings",
                    time: readings.decidedAt.rfc3339, data: payload))
        }
    }
}

package import BeaconModel

/// A factory that makes records of interaction events and numbers them. Pure.
package struct RecordFactory: Sendable {
    package let place: Place
    package let boot: UInt64
    package let topics: Topics
    package let pseudonymizer: Pseudonymizer?
    private var lastSequence: UInt64 = 0

    /// Number of phone events that could not be published, for lack of a pseudonym key or of a beacon of this place.
    package private(set) var unpublishable: UInt64 = 0

    /// Creates a factory.
    ///
    /// - Parameters:
    ///   - boot: the run of this gateway; together with the sequence it makes ids unique.
    ///   - pseudonymizer: if `nil`, phones are not published.
    package init(place: Place, boot: UInt64, topics: Topics, pseudonymizer: Pseudonymizer?) {
        self.place = place
        self.boot = boot
        self.topics = topics
        self.pseudonymizer = pseudonymizer
    }

    /// Returns the record of an interaction event.
    ///
    /// - Parameters:
    ///   - receiver: the place of the remote receiver; `nil`: the gateway itself.
    ///   - clockIsSynchronized: whether the times in the event are reliable.
    /// - Returns: `nil` for a subject that may not be published.
    package mutating func record(
        for event: InteractionEvent, at receiver: Place? = nil, clockIsSynchronized: Bool
    ) -> Record? {
        let interaction = event.interaction
        let place = receiver ?? place
        guard let (beacon, counterpart) = parties(of: interaction, receiver: place.ear) else {
            unpublishable += 1
            return nil
        }
        let sequence = nextSequence()
        let payload = InteractionPayload(
            beacon: .init(beacon), counterpart: counterpart, place: .init(place),
            interaction: interactionID(interaction.number, run: interaction.run, receiver: place.ear),
            continues: interaction.continues.map {
                interactionID($0, run: interaction.continuesRun, receiver: place.ear)
            },
            boot: boot, sequence: sequence, connectedAt: interaction.firstSeenAt.rfc3339,
            disconnectedAt: interaction.isOver ? interaction.ending?.at.rfc3339 : nil,
            startedAt: interaction.startedAt.rfc3339, lastSeenAt: interaction.lastSeenAt.rfc3339,
            endedAt: interaction.ending?.at.rfc3339, endReason: interaction.ending?.reason.rawValue,
            samples: interaction.samples,
            rssi: interaction.rssi.map { .init(median: $0.median, min: $0.minimum, max: $0.maximum) },
            distance: interaction.distance.map { .init($0) }, proximity: interaction.proximity.name,
            clProximity: interaction.proximity.rawValue,
            probabilityWithin: interaction.distance.map { .init($0.probabilityWithin) },
            expectedMinutesWithin: .init(interaction.expectedMinutesWithin), reception: .init(interaction.reception),
            historical: false,
            clock: clockIsSynchronized ? "synchronized" : "unsynchronized")
        return Record(
            topic: topics.interaction(beacon), priority: OutboxPriority(event.kind),
            event: CloudEvent(
                id: "\(path)/\(boot)/\(sequence)", source: "/" + path,
                type: "interaction." + event.kind.rawValue, time: event.time.rfc3339, data: payload))
    }

    mutating func nextSequence() -> UInt64 {
        lastSequence += 1
        return lastSequence
    }

    /// Path that is unique among gateways; the name of a gateway is unique only on its floor.
    package var path: String {
        [place.site, place.building, place.floor, place.gateway].joined(separator: "/")
    }

    /// Returns the identifier of an interaction. Each remote receiver numbers its interactions separately.
    ///
    /// - Parameter run: the boot in which the interaction began; `nil` for this one.
    private func interactionID(_ number: UInt64, run: UInt64?, receiver: String?) -> String {
        "\(receiverPath(receiver))/\(run ?? boot)/i\(number)"
    }

    private func receiverPath(_ name: String?) -> String { name.map { "\(path)/\($0)" } ?? path }

    private func parties(
        of interaction: Interaction, receiver: String?
    ) -> (BeaconID, InteractionPayload.Counterpart)? {
        if case .beacon(let beacon) = interaction.subject {
            return (beacon, .init(kind: "gateway", id: receiverPath(receiver)))
        }
        // A phone is near the gateway's own beacon, and is identified only by a pseudonym.
        guard let pseudonymizer, let beacon = place.beacon, let (kind, identity) = Self.phone(interaction.subject)
        else { return nil }
        let pseudonym = pseudonymizer.pseudonym(for: identity, site: place.site, day: interaction.startedAt.day)
        return (beacon, .init(kind: kind.name, id: pseudonym))
    }

    /// Returns the kind of a phone and the text from which its pseudonyms are derived; `nil` for a beacon.
    package static func phone(_ subject: Subject) -> (AdvertisedIdentity.Kind, identity: String)? {
        switch subject {
        case .beacon: nil
        case .exposureNotification(let identifier): (.exposureNotification, identifier.description)
        case .contactApp(let app, let address): (.init(app), "\(app.rawValue)/address/\(address)")
        case .contactUser(let app, let code): (.init(app), Pseudonymizer.identity(ofUser: code, app: app))
        }
    }
}

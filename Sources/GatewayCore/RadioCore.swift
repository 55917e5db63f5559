package import BeaconModel
package import HCI
package import Integrations
package import Proximity
package import RecordContract

/// The pure part of the pipeline from packets to publications.
package struct RadioCore: Sendable {
    package var ingest: Ingest
    package var ears: RemoteEars
    package var factory: RecordFactory
    package var topics: Topics
    package var boot: UInt64
    /// Time of the last handover of counts to the gateway state, on the service's clock.
    package var metBoardAt: Duration?
    /// Times of the last full snapshot of the presence and of the last note of the subjects heard, on the service's
    /// clock.
    private var keptAt: Duration?
    private var notedAt: Duration?
    /// Packets dropped for lack of room in the table that have been logged, and when.
    private var crowding = (told: UInt64(0), at: Duration?.none)
    /// Version of the own beacons, in the gateway state, that ingest listens for.
    package var ownBeaconsVersion = 0
    /// Social distance in metres.
    private let socialDistance: Double
    private var absent = AbsentBeacons()
    private var presence = PresenceMerge()
    private var outputClock: OutputClock
    /// Beacons published to other tools.
    private var named: Set<BeaconID> = []

    /// - Parameter kept: the persisted presence of the previous run.
    package init(configuration: Configuration, audience: Audience, boot: UInt64, kept: KeptPresence? = nil) {
        ingest = Ingest(
            audience: audience, rules: configuration.rules, exchangeApps: configuration.exchange.rules.apps,
            calibration: configuration.calibration(resuming: kept?.calibration),
            socialDistance: configuration.socialDistance, fixed: configuration.fixedBeacons,
            decodings: configuration.outputs.raddec == nil ? nil : DecodingTally())
        ears = RemoteEars(configuration, audience: audience)
        outputClock = OutputClock(configuration.outputs)
        topics = configuration.topics
        socialDistance = configuration.socialDistance?.distance ?? 0
        factory = RecordFactory(
            place: configuration.place, boot: boot, topics: topics, pseudonymizer: configuration.pseudonymizer)
        self.boot = boot
        tellOutputs(of: Set(configuration.knownBeacons.map(\.beacon)))
    }

    /// Returns the number of packets, since the last report, of beacons that are not tracked because there are too
    /// many; `nil` while no report is due. Reports are at least 1 h apart.
    package mutating func takeCrowding(now: Duration) -> UInt64? {
        let new = ingest.counts.refusals.tableFull &- crowding.told
        guard new > 0, crowding.at.map({ now - $0 >= .seconds(3600) }) ?? true else { return nil }
        crowding = (ingest.counts.refusals.tableFull, now)
        return new
    }

    /// Sets the beacons that are published to other tools.
    package mutating func tellOutputs(of beacons: Set<BeaconID>) {
        named = beacons
        ingest.countDecodings(of: beacons)
    }

    /// Returns the events for other tools that are due at `now`, on the service's clock.
    package mutating func outputs(of events: [InteractionEvent], now: Duration) -> [OutputEvent] {
        func isNamed(_ interaction: Interaction) -> Bool {
            if case .beacon(let beacon) = interaction.subject { named.contains(beacon) } else { false }
        }
        let changes = events.filter { isNamed($0.interaction) }.map { OutputEvent.interaction($0) }
        return changes
            + outputClock.due(now: now).map { tick in
                switch tick {
                case .present: .present(ingest.present.filter { isNamed($0) })
                case .decodings: .decodings(ingest.takeDecodings())
                }
            }
    }

    /// Intervals between full snapshots of the presence, and between notes of the subjects heard. Beginnings and ends
    /// are written at once.
    private static let keepInterval: Duration = .seconds(60)
    private static let noteInterval: Duration = .seconds(5)

    /// A write to the persisted presence that is due.
    package enum Keeping: Equatable, Sendable {
        case all
        case heard([PresenceNote])
    }

    /// The presence to persist.
    package var kept: KeptPresence {
        var kept = ingest.kept(boot: boot)
        if !ears.ears.isEmpty { kept.ears = ears.kept }
        return kept
    }

    /// Resumes from the persisted presence of the previous run.
    ///
    /// - Returns: the interactions that have ended since then, with the gateway itself and with its remote receivers.
    package mutating func resume(
        _ kept: KeptPresence, rules: InteractionRules, at time: Timestamp
    ) -> (own: [InteractionEvent], ears: [RemoteEars.News]) {
        let own = ingest.resume(kept, rules: rules, at: time)
        let news = ears.resume(kept.ears ?? [:], ofRun: kept.boot, at: time)
        // Nothing is published about subjects that are still present until there is news of them.
        for interaction in ingest.present { presence.note(interaction, by: nil) }
        for ear in ears.ears {
            for interaction in ear.present { presence.note(interaction, by: ear.configuration.name) }
        }
        return (own, news)
    }

    /// Returns the write that is due, which counts as written from then on.
    ///
    /// - Parameters:
    ///   - now: time on the service's clock.
    ///   - time: time of the remote receivers' data.
    package mutating func keeping(now: Duration, at time: Timestamp) -> Keeping? {
        if keptAt.map({ now - $0 >= Self.keepInterval }) ?? true {
            keptAt = now
            notedAt = now
            return .all
        }
        guard notedAt.map({ now - $0 >= Self.noteInterval }) ?? true else { return nil }
        notedAt = now
        return .heard(
            [PresenceNote(note: ingest.heard(within: Self.noteInterval))]
                + ears.heard(since: time + (.zero - Self.noteInterval)))
    }

    /// Returns the record of a module's failure or recovery.
    package mutating func record(for event: ModuleEvent, clockIsSynchronized: Bool) -> Record {
        factory.record(for: event, clockIsSynchronized: clockIsSynchronized)
    }

    /// Processes a second in which one adapter heard nothing, and returns the resulting events.
    ///
    /// - Parameters:
    ///   - state: condition of the adapter; `nil` before it was first opened.
    ///   - deafness: how long the adapter has been deaf.
    ///   - heardUntil: time until which the silence is known to be radio silence, not the adapter's.
    package mutating func silence(
        of state: RadioState?, deafness: Duration?, now: Timestamp, heardUntil: Timestamp?
    ) -> [InteractionEvent] {
        ingest.passes(now)
        guard let state, state.mode != nil else { return [] }
        if let deafness { return ingest.deaf(state.adapter, for: deafness, at: now) }
        return heardUntil.map { ingest.heard(by: state.adapter, until: $0) } ?? []
    }

    /// Returns the records in order of time, and the presence of the beacons they are about. Badges that came too near
    /// each other are included.
    ///
    /// - Parameters:
    ///   - readings: readings that became known with the events.
    ///   - ear: place of the remote receiver that reported the events; `nil`: the gateway itself.
    package mutating func publications(
        for events: [InteractionEvent], _ readings: [Readings], at ear: Place? = nil, clockIsSynchronized: Bool
    ) -> (records: [Record], states: [(topic: String, payload: [UInt8])]) {
        var records: [Record] = []
        var states: [(topic: String, payload: [UInt8])] = []
        var readings = readings[...]
        func takeReadings(until time: Timestamp?) {
            while let next = readings.first, time.map({ next.decidedAt <= $0 }) ?? true {
                readings = readings.dropFirst()
                records += factory.records(for: next, at: ear, clockIsSynchronized: clockIsSynchronized)
            }
        }
        var alerts = ingest.takeSocialDistanceEvents()[...]
        func takeAlerts(until time: Timestamp?) {
            while let alert = alerts.first, time.map({ alert.time < $0 }) ?? true {
                alerts = alerts.dropFirst()
                let record = factory.record(
                    for: alert, within: socialDistance, clockIsSynchronized: clockIsSynchronized)
                if let record { records.append(record) }
            }
        }
        for event in events {
            takeReadings(until: event.time)
            takeAlerts(until: event.time)
            if let record = factory.record(for: event, at: ear, clockIsSynchronized: clockIsSynchronized) {
                records.append(record)
            }
            if case .beacon(let beacon) = event.interaction.subject {
                let (payload, isAbsent) = presence.update(beacon, event.interaction, by: ear?.ear, boot: boot)
                states.append((topics.presence(beacon), payload.encoded))
                if let forgotten = absent.update(beacon, isAbsent: isAbsent) {
                    states.append((topics.presence(forgotten), []))
                }
            }
        }
        takeReadings(until: nil)
        takeAlerts(until: nil)
        return (records, states)
    }
}

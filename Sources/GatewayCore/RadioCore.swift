package import BeaconModel
package import HCI
package import Integrations
package import Proximity
package import RecordContract

/// The pure part of the way from packets to publications.
package struct RadioCore: Sendable {
    package var ingest: Ingest
    package var ears: RemoteEars
    package var factory: RecordFactory
    package var topics: Topics
    package var boot: UInt64
    /// When counts were last handed on, by the service's clock.
    package var metBoardAt: Duration?
    /// When it was last written down who is here, and who of them is heard, by the service's clock.
    private var keptAt: Duration?
    private var notedAt: Duration?
    /// Packets of whom there was no room for, of which the log was told, and when.
    private var crowding = (told: UInt64(0), at: Duration?.none)
    /// Of the board's, for which it listens.
    package var ownBeaconsVersion = 0
    /// Metres.
    private let socialDistance: Double
    private var absent = AbsentBeacons()
    private var presence = PresenceMerge()
    private var outputClock: OutputClock
    /// Those that other tools are told of.
    private var named: Set<BeaconID> = []

    /// - Parameter kept: of the run before.
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

    /// Packets of beacons that aren't followed because there are too many, since that was last said; `nil` while it needn't be said.
    package mutating func takeCrowding(now: Duration) -> UInt64? {
        let new = ingest.counts.refusals.tableFull &- crowding.told
        guard new > 0, crowding.at.map({ now - $0 >= .seconds(3600) }) ?? true else { return nil }
        crowding = (ingest.counts.refusals.tableFull, now)
        return new
    }

    /// Says which beacons other tools are told of.
    package mutating func tellOutputs(of beacons: Set<BeaconID>) {
        named = beacons
        ingest.countDecodings(of: beacons)
    }

    /// What other tools are made to know of, at a time of the service's clock.
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

    /// How often all is written down of who is here, and how often who of them is heard; what begins and ends is at
    /// once.
    private static let keepInterval: Duration = .seconds(60)
    private static let noteInterval: Duration = .seconds(5)

    /// What has to be written down.
    package enum Keeping: Equatable, Sendable {
        case all
        case heard([PresenceNote])
    }

    /// What is known of who is here, to be kept.
    package var kept: KeptPresence {
        var kept = ingest.kept(boot: boot)
        if !ears.ears.isEmpty { kept.ears = ears.kept }
        return kept
    }

    /// Goes on where the run before left off.
    ///
    /// - Returns: what ended since then, by the gateway itself and by its ears.
    package mutating func resume(
        _ kept: KeptPresence, rules: InteractionRules, at time: Timestamp
    ) -> (own: [InteractionEvent], ears: [RemoteEars.News]) {
        let own = ingest.resume(kept, rules: rules, at: time)
        let news = ears.resume(kept.ears ?? [:], ofRun: kept.boot, at: time)
        // Nothing is said of those who are still here, until something is known of them.
        for interaction in ingest.present { presence.note(interaction, by: nil) }
        for ear in ears.ears {
            for interaction in ear.present { presence.note(interaction, by: ear.configuration.name) }
        }
        return (own, news)
    }

    /// What is due to be written down, and counts as written from then on.
    ///
    /// - Parameters:
    ///   - now: by the service's clock.
    ///   - time: of the data of remote ears.
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

    /// The record of a module's failure or recovery.
    package mutating func record(for event: ModuleEvent, clockIsSynchronized: Bool) -> Record {
        factory.record(for: event, clockIsSynchronized: clockIsSynchronized)
    }

    /// One adapter heard nothing for a second: what became known by that.
    ///
    /// - Parameters:
    ///   - state: how the adapter is; `nil` before it was ever opened.
    ///   - deafness: for how long it has been deaf.
    ///   - heardUntil: until when the silence is known to be the air's.
    package mutating func silence(
        of state: RadioState?, deafness: Duration?, now: Timestamp, heardUntil: Timestamp?
    ) -> [InteractionEvent] {
        ingest.passes(now)
        guard let state, state.mode != nil else { return [] }
        if let deafness { return ingest.deaf(state.adapter, for: deafness, at: now) }
        return heardUntil.map { ingest.heard(by: state.adapter, until: $0) } ?? []
    }

    /// Records, in the order of their times, and the presence of those whom they are about; also of badges that came
    /// too near each other.
    ///
    /// - Parameters:
    ///   - readings: those that became known with the events.
    ///   - ear: the place of the remote ear by which they are known; `nil`: by the gateway itself.
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

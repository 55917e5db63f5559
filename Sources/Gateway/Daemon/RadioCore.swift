import BeaconModel
import BlueZScanner
import Exchange
import MQTTBridge
import Proximity

/// The pure part of the way from packets to publications.
struct RadioCore: Sendable {
    var ingest: Ingest
    var factory: RecordFactory
    var topics: Topics
    var boot: UInt64
    /// When counts were last handed on, by the service's clock.
    var metBoardAt: Duration?
    /// When it was last written down who is here, and who of them is heard, by the service's clock.
    private var keptAt: Duration?
    private var notedAt: Duration?
    /// Of the board's, for which it listens.
    var ownBeaconsVersion = 0
    /// Metres.
    private let socialDistance: Double
    private var absent = AbsentBeacons()

    /// - Parameter kept: of the run before.
    init(configuration: Configuration, audience: Audience, boot: UInt64, kept: KeptPresence? = nil) {
        ingest = Ingest(
            audience: audience, rules: configuration.rules, exchangeApps: configuration.exchange.rules.apps,
            calibration: configuration.calibration(resuming: kept?.calibration),
            socialDistance: configuration.socialDistance, fixed: configuration.fixedBeacons)
        topics = configuration.topics
        socialDistance = configuration.socialDistance?.distance ?? 0
        factory = RecordFactory(
            place: configuration.place, boot: boot, topics: topics, pseudonymizer: configuration.pseudonymizer)
        self.boot = boot
    }

    /// How often all is written down of who is here, and how often who of them is heard; what begins and ends is at
    /// once.
    private static let keepInterval: Duration = .seconds(60)
    private static let noteInterval: Duration = .seconds(5)

    /// What has to be written down.
    enum Keeping: Equatable, Sendable {
        case all
        case heard(TrackerNote)
    }

    /// What is due to be written down at a time of the service's clock, and counts as written from then on.
    mutating func keeping(now: Duration) -> Keeping? {
        if keptAt.map({ now - $0 >= Self.keepInterval }) ?? true {
            keptAt = now
            notedAt = now
            return .all
        }
        guard notedAt.map({ now - $0 >= Self.noteInterval }) ?? true else { return nil }
        notedAt = now
        return .heard(ingest.heard(within: Self.noteInterval))
    }

    /// One adapter heard nothing for a second: what became known by that.
    ///
    /// - Parameters:
    ///   - state: how the adapter is; `nil` before it was ever opened.
    ///   - deafness: for how long it has been deaf.
    ///   - heardUntil: until when the silence is known to be the air's.
    mutating func silence(
        of state: RadioState?, deafness: Duration?, now: Timestamp, heardUntil: Timestamp?
    ) -> [InteractionEvent] {
        guard let state, state.mode != nil else { return [] }
        if let deafness { return ingest.deaf(state.adapter, for: deafness, at: now) }
        return heardUntil.map { ingest.heard(by: state.adapter, until: $0) } ?? []
    }

    /// Records, in the order of their times, and the presence of those whom they are about; also of badges that came
    /// too near each other.
    mutating func publications(
        for events: [InteractionEvent], clockIsSynchronized: Bool
    ) -> (records: [Record], states: [(topic: String, payload: [UInt8])]) {
        var records: [Record] = []
        var states: [(topic: String, payload: [UInt8])] = []
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
            takeAlerts(until: event.time)
            if let record = factory.record(for: event, clockIsSynchronized: clockIsSynchronized) {
                records.append(record)
            }
            if case .beacon(let beacon) = event.interaction.subject {
                let interaction = event.interaction
                states.append((topics.presence(beacon), PresencePayload(interaction, boot: boot).encoded))
                if let forgotten = absent.update(beacon, isAbsent: interaction.ending != nil) {
                    states.append((topics.presence(forgotten), []))
                }
            }
        }
        takeAlerts(until: nil)
        return (records, states)
    }
}

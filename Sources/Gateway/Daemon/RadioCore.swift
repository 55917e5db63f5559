import BeaconModel
import BlueZScanner
import Exchange
import MQTTBridge

/// The pure part of the way from packets to publications.
struct RadioCore: Sendable {
    var ingest: Ingest
    var factory: RecordFactory
    var topics: Topics
    var boot: UInt64
    /// When counts were last handed on, by the service's clock.
    var metBoardAt: Duration?
    /// Of the board's, for which it listens.
    var ownBeaconsVersion = 0
    private var absent = AbsentBeacons()

    init(configuration: Configuration, audience: Audience, boot: UInt64) {
        ingest = Ingest(
            audience: audience, rules: configuration.rules, exchangeApps: configuration.exchange.rules.apps)
        topics = configuration.topics
        factory = RecordFactory(
            place: configuration.place, boot: boot, topics: topics, pseudonymizer: configuration.pseudonymizer)
        self.boot = boot
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

    /// Records, and the presence of those whom they are about.
    mutating func publications(
        for events: [InteractionEvent], clockIsSynchronized: Bool
    ) -> (records: [Record], states: [(topic: String, payload: [UInt8])]) {
        var records: [Record] = []
        var states: [(topic: String, payload: [UInt8])] = []
        for event in events {
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
        return (records, states)
    }
}

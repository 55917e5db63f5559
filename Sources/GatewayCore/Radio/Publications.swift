package import BeaconModel
import Proximity
package import RecordContract

/// Makes the records and signals of a gateway, and the retained presence of its beacons. All of them get their numbers
/// here. Pure.
package struct Publications: Sendable {
    private var factory: RecordFactory
    private var signals: SignalsFactory
    private let topics: Topics
    private let boot: UInt64
    /// Social distance in metres.
    private let socialDistance: Double
    private var absent = AbsentBeacons()
    private var presence = PresenceMerge()

    package init(_ configuration: Configuration, boot: UInt64) {
        topics = configuration.topics
        self.boot = boot
        socialDistance = configuration.socialDistance?.distance ?? 0
        factory = RecordFactory(
            place: configuration.place, boot: boot, topics: topics, pseudonymizer: configuration.pseudonymizer)
        signals = SignalsFactory(
            place: configuration.place, boot: boot, topics: topics, pseudonymizer: configuration.pseudonymizer)
    }

    /// Number of events for which no record could be made.
    package var unpublishable: UInt64 { factory.unpublishable }

    /// Records and retained states to publish.
    package struct Made: Sendable {
        package var records: [Record] = []
        package var states: [(topic: String, payload: [UInt8])] = []
    }

    /// Records subjects that are known to be present. Nothing is published about them until there is news of them.
    ///
    /// - Parameter receiver: name of the remote receiver that hears them; `nil`: the gateway itself.
    mutating func resume(_ interactions: [Interaction], by receiver: String?) {
        for interaction in interactions { presence.note(interaction, by: receiver) }
    }

    /// Returns the record of a module's failure or recovery.
    mutating func record(for event: ModuleEvent, clockIsSynchronized: Bool) -> Record {
        factory.record(for: event, clockIsSynchronized: clockIsSynchronized)
    }

    /// Returns the messages of signals, oldest first.
    ///
    /// - Parameter receiver: place of the remote receiver; `nil`: the gateway itself.
    mutating func messages(
        for signals: [Signals], at receiver: Place? = nil, clockIsSynchronized: Bool
    ) -> [SignalsMessage] {
        signals.flatMap { self.signals.messages(for: $0, at: receiver, clockIsSynchronized: clockIsSynchronized) }
    }

    /// Returns the records in order of time, and the presence of the beacons they are about.
    ///
    /// - Parameters:
    ///   - readings: readings that became known with the events.
    ///   - alerts: badges that came too near each other.
    ///   - receiver: place of the remote receiver that reported the events; `nil`: the gateway itself.
    package mutating func make(
        of events: [InteractionEvent], _ readings: [Readings], _ alerts: [SocialDistanceEvent] = [],
        at receiver: Place? = nil, clockIsSynchronized: Bool
    ) -> Made {
        var made = Made()
        var readings = readings[...]
        func takeReadings(until time: Timestamp?) {
            while let next = readings.first, time.map({ next.decidedAt <= $0 }) ?? true {
                readings = readings.dropFirst()
                made.records += factory.records(for: next, at: receiver, clockIsSynchronized: clockIsSynchronized)
            }
        }
        var alerts = alerts[...]
        func takeAlerts(until time: Timestamp?) {
            while let alert = alerts.first, time.map({ alert.time < $0 }) ?? true {
                alerts = alerts.dropFirst()
                let record = factory.record(
                    for: alert, within: socialDistance, clockIsSynchronized: clockIsSynchronized)
                if let record { made.records.append(record) }
            }
        }
        for event in events {
            takeReadings(until: event.time)
            takeAlerts(until: event.time)
            if let record = factory.record(for: event, at: receiver, clockIsSynchronized: clockIsSynchronized) {
                made.records.append(record)
            }
            if case .beacon(let beacon) = event.interaction.subject {
                let (payload, isAbsent) = presence.update(beacon, event.interaction, by: receiver?.ear, boot: boot)
                made.states.append((topics.presence(beacon), payload.encoded))
                if let forgotten = absent.update(beacon, isAbsent: isAbsent) {
                    made.states.append((topics.presence(forgotten), []))
                }
            }
        }
        takeReadings(until: nil)
        takeAlerts(until: nil)
        return made
    }
}

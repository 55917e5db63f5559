package import BeaconModel
package import HCI
package import ModuleDialogues

/// What `Ingest` makes of its inputs. Inputs append to it, so that one value is reused for all batches.
package struct IngestOutput: Sendable {
    package var events: [InteractionEvent] = []
    /// Readings of the intervals that have ended.
    package var readings: [Readings] = []
    /// Signals of the seconds that have ended.
    package var signals: [Signals] = []
    /// Badges that came too near each other, or no longer are.
    package var alerts: [SocialDistanceEvent] = []
    /// Events about the beacons of our own modules.
    package var ownBeacons: [AdvertisingWatch.Event] = []
    /// Phones that can be asked for their codes; at most `mostPhones`.
    package var phones: [ExchangeSighting] = []

    /// Maximum number of phones between two calls of `removeAll`. A phone that is dropped is heard again.
    package static let mostPhones = 256

    package init() {}

    /// Whether there is nothing to record.
    package var hasNoRecords: Bool { events.isEmpty && readings.isEmpty && alerts.isEmpty }

    /// Removes everything, and keeps the memory for the next input.
    package mutating func removeAll() {
        if !events.isEmpty { events.removeAll(keepingCapacity: true) }
        if !readings.isEmpty { readings.removeAll(keepingCapacity: true) }
        if !signals.isEmpty { signals.removeAll(keepingCapacity: true) }
        if !alerts.isEmpty { alerts.removeAll(keepingCapacity: true) }
        if !ownBeacons.isEmpty { ownBeacons.removeAll(keepingCapacity: true) }
        if !phones.isEmpty { phones.removeAll(keepingCapacity: true) }
    }
}

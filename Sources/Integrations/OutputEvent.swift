package import BeaconModel
package import RecordContract

/// An event from which outputs are made. It may contain subjects that the configuration does not name; the outputs omit
/// them.
package enum OutputEvent: Sendable {
    /// The named beacons, at the start and whenever they change. This is the first event.
    case named([NamedBeacon])
    case interaction(InteractionEvent)
    /// The present subjects, once in each interval of the room presence.
    case present([Interaction])
    /// The packets decoded since the last event, once in each raddec interval.
    case decodings([BeaconDecodings])
    /// The reception state of the gateway, and the known addresses of its own adapters.
    case radio(GatewayStatus.Hearing, addresses: [Adapter: BluetoothAddress])
    case module(name: String, state: String)
    case health(Health)
    /// A message on a topic of `Outputs.subscriptions`.
    case message(MQTTMessage)
    /// The gateway is stopping; this is the last event.
    case stopping

    /// Published values of the gateway's health.
    package struct Health: Equatable, Sendable {
        package var reportsPerSecond: Double
        package var outboxRecords: Int
        /// Seconds until the outbox is full at the present rate; `nil` if nothing is arriving.
        package var outboxSecondsLeft: Double?

        package init(reportsPerSecond: Double, outboxRecords: Int, outboxSecondsLeft: Double?) {
            self.reportsPerSecond = reportsPerSecond
            self.outboxRecords = outboxRecords
            self.outboxSecondsLeft = outboxSecondsLeft
        }
    }
}

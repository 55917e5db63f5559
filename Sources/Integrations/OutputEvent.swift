package import BeaconModel
package import RecordContract

/// What outputs are made of. Whoever isn't named in the configuration may be in it; the outputs leave them out.
package enum OutputEvent: Sendable {
    /// Which beacons are named, at the start and whenever that changes. At the start before everything else.
    case named([NamedBeacon])
    case interaction(InteractionEvent)
    /// Everybody who is here, once in each interval of the room presence.
    case present([Interaction])
    /// What was decoded since the last time, once in each interval of the raddecs.
    case decodings([BeaconDecodings])
    /// How the gateway hears, and the addresses of its own adapters as far as they are known.
    case radio(GatewayStatus.Hearing, addresses: [Adapter: BluetoothAddress])
    case module(name: String, state: String)
    case health(Health)
    /// Something came on a topic of `Outputs.subscriptions`.
    case message(MQTTMessage)
    /// The gateway ends, and has said its last.
    case stopping

    /// What is told of the gateway's health.
    package struct Health: Equatable, Sendable {
        package var reportsPerSecond: Double
        package var outboxRecords: Int
        /// Until the outbox is full, at the present rate; `nil` when nothing is coming in.
        package var outboxSecondsLeft: Double?

        package init(reportsPerSecond: Double, outboxRecords: Int, outboxSecondsLeft: Double?) {
            self.reportsPerSecond = reportsPerSecond
            self.outboxRecords = outboxRecords
            self.outboxSecondsLeft = outboxSecondsLeft
        }
    }
}

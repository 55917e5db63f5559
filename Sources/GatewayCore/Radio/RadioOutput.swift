package import HCI
package import ModuleDialogues
package import RecordContract

/// An output of `RadioCore`, to be carried out in order. A `source` is the index of an adapter in the configuration.
package enum RadioOutput: Sendable {
    /// Records and presence to persist and publish.
    case delivery(Delivery)
    /// Signals to publish at once, or not at all.
    case signals([SignalsMessage])
    /// Counts for the gateway state; at most every 200 ms.
    case counts(IngestCounts, unpublishable: UInt64)
    /// The states of all adapters, after one has changed.
    case adapters([RadioReport], hearing: GatewayStatus.Hearing)
    /// The states of the remote receivers and of the listening modules.
    case receivers([RemoteReceiverReport], modules: [ModuleReceiverReport])
    /// Events about the beacons of our own modules.
    case ownBeacons([AdvertisingWatch.Event])
    /// Phones that can be asked for their codes.
    case phones([ExchangeSighting])
    /// An adapter should hear something and does not.
    case suspect(source: Int, isCertain: Bool)
    /// Scanning is restarted.
    case rescan(source: Int)
    /// The outcome of a `rescan` input.
    case rescanned(CommandOutcome)
    case notice(Notice)

    /// An event for the log.
    package enum Notice: Equatable, Sendable {
        /// The condition or the error of an adapter has changed.
        case adapter(name: String, RadioState)
        /// Packets since the last such notice were of new subjects that are not tracked, because there are too many. At
        /// most once an hour.
        case crowded(packets: UInt64)
    }
}

extension RadioOutput {
    /// Records to publish; none for other outputs.
    package var records: [Record] {
        if case .delivery(let delivery) = self { delivery.records } else { [] }
    }
}

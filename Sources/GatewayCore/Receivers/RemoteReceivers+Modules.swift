import Advertisement
package import BeaconModel
package import ModuleDialogues
package import Proximity

/// A batch of reports from a listening module.
package struct ModuleHearing: Sendable {
    /// Name of the module in the inventory.
    package var module: String
    /// Address of the module; `nil` while it is not known.
    package var address: BluetoothAddress?
    package var batch: HearingQueue.Batch

    package init(module: String, address: BluetoothAddress? = nil, batch: HearingQueue.Batch) {
        self.module = module
        self.address = address
        self.batch = batch
    }
}

/// Listening modules, as remote receivers with the modules' names.
extension RemoteReceivers {
    package static func listening(_ inventory: Inventory, _ rules: InteractionRules) -> [RemoteReceiverConfiguration] {
        inventory.entries.filter(\.listens).prefix(RemoteReceiverConfiguration.most).map {
            RemoteReceiverConfiguration(listening: $0, rules: rules)
        }
    }

    package mutating func take(_ hearing: ModuleHearing, now: Duration) -> News? {
        guard let index = modules.first(where: { receivers[$0].configuration.name == hearing.module }) else {
            return nil
        }
        if let address = hearing.address {
            receivers[index].setOffset(rules.distance.calibration.receivers[address]?.offset ?? 0)
        }
        var events: [InteractionEvent] = []
        for item in hearing.batch.items {
            let packet = RemoteReceiverPacket(
                receiver: index, time: item.time, contents: .success(Self.message(item.what)), dropped: 0)
            events += receivers[index].take(packet, now: now)
        }
        receivers[index].lost(dropped: hearing.batch.dropped, unreadable: hearing.batch.unreadable)
        return news(index, events)
    }

    /// Returns the states of the listening modules for the health message.
    package func moduleReports(at time: Timestamp) -> [ModuleReceiverReport] {
        modules.map { ModuleReceiverReport(receivers[$0], at: time) }
    }

    private static func message(_ what: HearingQueue.Item.What) -> RemoteReceiverMessage {
        switch what {
        case .received(let reception): message(reception)
        case .listening(.begun): .begun
        case .listening(.confirmed), .listening(.unreadable): .confirmed
        case .listening(.paused): .paused
        case .listening(.ended): .deaf
        }
    }

    /// Converts a reception to a message. A device that sends anonymously is tracked like any other if the
    /// advertisement names a beacon.
    private static func message(_ reception: ModuleReception) -> RemoteReceiverMessage {
        guard let rssi = reception.rssi else { return .heardSomebody }
        return switch AdvertisingData.decode(reception.data.span).identity {
        case .iBeacon(let beacon, let power)?: .heard(.init(beacon: beacon, rssi: rssi, measuredPower: power))
        case .altBeacon(let beacon, _, let power)?: .heard(.init(beacon: beacon, rssi: rssi, measuredPower: power))
        default: .heardSomebody
        }
    }
}

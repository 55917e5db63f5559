package import BeaconModel
import RecordContract

/// Number and mean strength of the packets that each adapter decoded of each named beacon since the last `take`.
/// Packets of other beacons cost one look-up and are dropped.
package struct DecodingTally: Sendable {
    private var named: Set<BeaconID> = []
    private var beacons: [BeaconID: Entry] = [:]

    private struct Entry {
        package var measuredPower: Int8
        package var lastAt: Timestamp
        package var receivers: [Adapter: Receiver] = [:]
    }

    private struct Receiver {
        package var count = 0
        package var sum = 0
    }

    /// Maximum number of adapters that are counted separately.
    package static let mostReceivers = 16

    package init() {}

    package mutating func listen(for beacons: Set<BeaconID>) {
        named = beacons
        self.beacons = self.beacons.filter { beacons.contains($0.key) }
    }

    /// Adds a decoded packet.
    ///
    /// - Parameter rssi: the signal strength; a packet without one is not counted.
    package mutating func add(
        _ beacon: BeaconID, measuredPower: Int8?, adapter: Adapter, rssi: RSSI?, at time: Timestamp
    ) {
        guard named.contains(beacon), let rssi else { return }
        var entry = beacons[beacon] ?? Entry(measuredPower: measuredPower ?? -59, lastAt: time)
        if let measuredPower { entry.measuredPower = measuredPower }
        entry.lastAt = max(entry.lastAt, time)
        if entry.receivers[adapter] != nil || entry.receivers.count < Self.mostReceivers {
            entry.receivers[adapter, default: Receiver()].count += 1
            entry.receivers[adapter]?.sum += Int(rssi.dBm)
        }
        beacons[beacon] = entry
    }

    /// Returns the packets decoded since the last call, in the order of the beacons.
    package mutating func take() -> [BeaconDecodings] {
        defer { beacons.removeAll(keepingCapacity: true) }
        return beacons.sorted { $0.key < $1.key }.map { beacon, entry in
            BeaconDecodings(
                beacon: beacon, measuredPower: entry.measuredPower, lastAt: entry.lastAt,
                receivers: entry.receivers.map { adapter, receiver in
                    .init(
                        adapter: adapter, count: receiver.count,
                        rssi: Int((Double(receiver.sum) / Double(max(1, receiver.count))).rounded()))
                }.sorted { ($1.rssi, $0.adapter.index) < ($0.rssi, $1.adapter.index) })
        }
    }
}

/// Decodings of one beacon in an interval.
package struct BeaconDecodings: Equatable, Sendable {
    package var beacon: BeaconID
    /// Power in dBm at 1 m, as last advertised.
    package var measuredPower: Int8
    package var lastAt: Timestamp
    /// Receivers, the strongest first.
    package var receivers: [Receiver]

    package struct Receiver: Equatable, Sendable {
        package var adapter: Adapter
        package var count: Int
        /// Mean signal strength in dBm.
        package var rssi: Int

        package init(adapter: Adapter, count: Int, rssi: Int) {
            self.adapter = adapter
            self.count = count
            self.rssi = rssi
        }
    }

    package init(beacon: BeaconID, measuredPower: Int8, lastAt: Timestamp, receivers: [Receiver]) {
        self.beacon = beacon
        self.measuredPower = measuredPower
        self.lastAt = lastAt
        self.receivers = receivers
    }
}

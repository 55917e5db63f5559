package import BeaconModel
import OperatorText

/// Received iBeacons and AltBeacons, from which one is chosen. Bounded.
package struct HeardBeacons: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package var beacon: BeaconID
        /// Measured power that the beacon advertises, in dBm at 1 m.
        package var measuredPower: Int8
        package var packets: Int
        fileprivate var sum: Double

        /// Mean RSSI in dBm.
        package var mean: Double { sum / Double(max(1, packets)) }
    }

    /// Maximum number of beacons. Others are ignored.
    package static let most = 256
    /// Maximum number of beacons in a list.
    package static let mostListed = 20

    private var entries: [BeaconID: Entry] = [:]

    package init() {
    }

    package var isEmpty: Bool { entries.isEmpty }

    package mutating func add(_ packet: CalibrationPacket) {
        guard entries[packet.beacon] != nil || entries.count < Self.most else { return }
        entries[
            packet.beacon,
            default: Entry(beacon: packet.beacon, measuredPower: packet.measuredPower, packets: 0, sum: 0)
        ].add(packet)
    }

    /// Listed beacons, strongest first.
    package var strongestFirst: [Entry] {
        let sorted = entries.values.sorted { ($1.mean, $0.beacon) < ($0.mean, $1.beacon) }
        return Array(sorted.prefix(Self.mostListed))
    }

    /// Numbered table of the listed beacons.
    package var lines: [String] {
        var table = TextTable([
            ("", .right), ("BEACON", .left), ("RSSI", .right), ("SAYS", .right), ("PACKETS", .right),
        ])
        for (index, entry) in strongestFirst.enumerated() {
            table.add([
                "\(index + 1)", "\(entry.beacon)", "\(Format.fixed(entry.mean, 0)) dBm", "\(entry.measuredPower) dBm",
                "\(entry.packets)",
            ])
        }
        let others = entries.count - min(entries.count, Self.mostListed)
        return table.lines + (others > 0 ? ["and \(others) weaker ones"] : [])
    }
}

extension HeardBeacons.Entry {
    fileprivate mutating func add(_ packet: CalibrationPacket) {
        packets += 1
        sum += Double(packet.rssi.dBm)
        measuredPower = packet.measuredPower
    }
}

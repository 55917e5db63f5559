public import BeaconModel

/// Compares received advertisements with an inventory, as a pure state machine.
public struct AdvertisingVerification: Sendable {
    /// The result for one module.
    public enum Verdict: Equatable, Sendable {
        /// The beacon was received as configured.
        case heard
        /// The beacon was not received.
        case notHeard
        /// The beacon is heard from one address, with this other measured power, in dBm.
        case wrongMeasuredPower(Int8)
        /// Several devices advertise the same identity.
        case heardFrom([BluetoothAddress])
        /// Only devices other than the module itself advertise the identity.
        case onlyFromOthers([BluetoothAddress])
        /// The module itself advertises another identity: the row's `advertised`.
        case advertisesSomethingElse
        /// The module is the receiver, which does not hear itself.
        case listens

        /// Whether the module needs no attention.
        public var isGood: Bool {
            switch self {
            case .heard, .listens: true
            default: false
            }
        }
    }

    /// One module of the inventory and its result.
    public struct Row: Equatable, Sendable {
        /// The module's entry.
        public var entry: InventoryEntry
        /// The result.
        public var verdict: Verdict
        /// Median RSSI in dBm; `nil` when nothing was heard or the receiver measures none.
        public var rssi: RSSI?
        /// Number of advertisements received.
        public var count: Int
        /// The address from which the beacon was heard.
        public var address: BluetoothAddress?
        /// The identity that the module was heard to advertise instead of the assigned one.
        public var advertised: BeaconID?
    }

    /// An unlisted beacon: its UUID is in the inventory, but no row has its identity.
    public struct Stranger: Equatable, Sendable {
        /// The identity received.
        public var beacon: BeaconID
        /// Address of the sender.
        public var address: BluetoothAddress
        /// Number of advertisements received.
        public var count: Int
    }

    private struct Track {
        var measuredPower: Int8
        var rssi: [RSSI] = []
        var count = 0
    }

    private let inventory: Inventory
    private let uuids: Set<ProximityUUID>
    /// Known module addresses, by the name of the row.
    private let addresses: [String: BluetoothAddress]
    private var tracks: [BeaconTransmitter: Track] = [:]
    /// Address of the module that acts as the receiver; `nil` when the receiver is an adapter.
    public var listener: BluetoothAddress?

    private static let mostTracks = 10_000
    private static let keptRSSI = 201

    /// Creates a verification of `inventory`.
    ///
    /// - Parameter addresses: known module addresses, by the name of the row.
    public init(_ inventory: Inventory, addresses: [String: BluetoothAddress]) {
        self.inventory = inventory
        self.addresses = addresses
        uuids = Set(inventory.entries.map(\.configuration.beacon.uuid))
    }

    /// Records a received advertisement.
    public mutating func observe(
        _ beacon: BeaconID, measuredPower: Int8, address: BluetoothAddress, rssi: RSSI?
    ) {
        guard uuids.contains(beacon.uuid) else { return }
        let key = BeaconTransmitter(beacon: beacon, address: address)
        guard tracks[key] != nil || tracks.count < Self.mostTracks else { return }
        tracks[key, default: Track(measuredPower: measuredPower)].measuredPower = measuredPower
        tracks[key]?.count += 1
        if let rssi, tracks[key]?.rssi.count ?? 0 < Self.keptRSSI { tracks[key]?.rssi.append(rssi) }
    }

    /// Whether every row has a good verdict.
    public var isComplete: Bool { rows.allSatisfy { $0.verdict.isGood } }

    /// Results in the order of the inventory, one per row.
    public var rows: [Row] { inventory.entries.map { row($0) } }

    /// Unlisted beacons, sorted by address and beacon.
    public var strangers: [Stranger] {
        let known = Set(inventory.entries.map(\.configuration.beacon))
        return tracks.filter { !known.contains($0.key.beacon) }
            .map { Stranger(beacon: $0.key.beacon, address: $0.key.address, count: $0.value.count) }
            .sorted { ($0.address, $0.beacon) < ($1.address, $1.beacon) }
    }

    private func row(_ entry: InventoryEntry) -> Row {
        let own = addresses[entry.name]
        let heard = tracks.filter { $0.key.beacon == entry.configuration.beacon }.sorted { left, right in
            // The module itself comes first, then the addresses heard most often.
            let isOwn = (left.key.address == own, right.key.address == own)
            return isOwn.0 != isOwn.1 ? isOwn.0 : left.value.count > right.value.count
        }
        if let listener, own == listener {
            return Row(entry: entry, verdict: .listens, rssi: nil, count: 0, address: listener)
        }
        guard let first = heard.first else {
            let other = tracks.keys.filter { $0.address == own }.min { $0.beacon < $1.beacon }
            return Row(
                entry: entry, verdict: other == nil ? .notHeard : .advertisesSomethingElse, rssi: nil, count: 0,
                address: other?.address, advertised: other?.beacon)
        }
        let verdict: Verdict
        let everybody = heard.map(\.key.address)
        if heard.count > 1 {
            verdict = .heardFrom(everybody)
        } else if let own, own != first.key.address {
            verdict = .onlyFromOthers(everybody)
        } else if first.value.measuredPower != entry.configuration.measuredPower {
            verdict = .wrongMeasuredPower(first.value.measuredPower)
        } else {
            verdict = .heard
        }
        let sorted = first.value.rssi.sorted()
        return Row(
            entry: entry, verdict: verdict, rssi: sorted.isEmpty ? nil : sorted[sorted.count / 2],
            count: first.value.count, address: first.key.address)
    }
}

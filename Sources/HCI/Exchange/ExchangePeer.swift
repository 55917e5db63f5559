public import BeaconModel

/// A peer to connect to, valid as long as it keeps its address.
public struct ExchangePeer: Hashable, Sendable {
    public var app: ContactApp
    public var address: BluetoothAddress
    /// Whether the address is public. The same number can be the public address of one device and the random address of
    /// another.
    public var isAddressPublic: Bool

    public init(app: ContactApp, address: BluetoothAddress, isAddressPublic: Bool) {
        self.app = app
        self.address = address
        self.isAddressPublic = isAddressPublic
    }

    /// Creates the peer of an advertisement. Returns `nil` for an advertisement without an address.
    public init?(_ app: ContactApp, _ report: AdvertisingReport) {
        switch report.addressKind {
        case .public: self.init(app: app, address: report.address, isAddressPublic: true)
        case .random: self.init(app: app, address: report.address, isAddressPublic: false)
        case .anonymous: return nil
        }
    }
}

/// The properties of a phone's advertisement that decide whether to connect to it.
public struct ExchangeSighting: Equatable, Sendable {
    public var peer: ExchangePeer
    /// The adapter that received the advertisement.
    public var adapter: Adapter
    public var isConnectable: Bool
    public var rssi: RSSI?
    public var time: Timestamp

    public init(peer: ExchangePeer, adapter: Adapter, isConnectable: Bool, rssi: RSSI?, time: Timestamp) {
        self.peer = peer
        self.adapter = adapter
        self.isConnectable = isConnectable
        self.rssi = rssi
        self.time = time
    }

    /// Creates the sighting of an advertisement. Returns `nil` for an advertisement without an address.
    public init?(_ app: ContactApp, _ report: AdvertisingReport) {
        guard let peer = ExchangePeer(app, report) else { return nil }
        self.init(
            peer: peer, adapter: report.adapter, isConnectable: report.isConnectable, rssi: report.rssi,
            time: report.time)
    }
}

/// An attempt to connect to a peer through the adapter that received it last.
public struct ExchangeAttempt: Equatable, Sendable {
    public var peer: ExchangePeer
    public var adapter: Adapter

    public init(peer: ExchangePeer, adapter: Adapter) {
        self.peer = peer
        self.adapter = adapter
    }
}

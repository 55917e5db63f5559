public import BeaconModel

/// A peer to connect to, valid as long as it keeps its address.
public struct ExchangePeer: Hashable, Sendable {
    /// The app that the peer advertises.
    public var app: ContactApp
    /// The address that the peer advertises with.
    public var address: BluetoothAddress
    /// Whether the address is public. The same number can be the public address of one device and the random address of
    /// another.
    public var isAddressPublic: Bool

    /// Creates a peer from its parts.
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
    /// The phone that advertised.
    public var peer: ExchangePeer
    /// The adapter that received the advertisement.
    public var adapter: Adapter
    /// Whether the advertisement allows connections.
    public var isConnectable: Bool
    /// The RSSI, if the controller measured it.
    public var rssi: RSSI?
    /// Time of reception.
    public var time: Timestamp

    /// Creates a sighting from its parts.
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
    /// The peer to connect to.
    public var peer: ExchangePeer
    /// The adapter that connects.
    public var adapter: Adapter

    /// Creates an attempt from its parts.
    public init(peer: ExchangePeer, adapter: Adapter) {
        self.peer = peer
        self.adapter = adapter
    }
}

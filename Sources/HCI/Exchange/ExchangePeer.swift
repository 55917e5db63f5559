public import BeaconModel

/// Somebody to connect to, for as long as the address is the same.
public struct ExchangePeer: Hashable, Sendable {
    public var app: ContactApp
    public var address: BluetoothAddress
    /// Two devices can have the same number as a public and as a random address.
    public var isAddressPublic: Bool

    public init(app: ContactApp, address: BluetoothAddress, isAddressPublic: Bool) {
        self.app = app
        self.address = address
        self.isAddressPublic = isAddressPublic
    }

    /// `nil` for an advertisement without an address.
    public init?(_ app: ContactApp, _ report: AdvertisingReport) {
        switch report.addressKind {
        case .public: self.init(app: app, address: report.address, isAddressPublic: true)
        case .random: self.init(app: app, address: report.address, isAddressPublic: false)
        case .anonymous: return nil
        }
    }
}

/// An advertisement of an app's phone, as far as it matters for the decision to connect to it.
public struct ExchangeSighting: Equatable, Sendable {
    public var peer: ExchangePeer
    /// Who heard it.
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

    /// `nil` for an advertisement without an address.
    public init?(_ app: ContactApp, _ report: AdvertisingReport) {
        guard let peer = ExchangePeer(app, report) else { return nil }
        self.init(
            peer: peer, adapter: report.adapter, isConnectable: report.isConnectable, rssi: report.rssi,
            time: report.time)
    }
}

/// Whom to connect to, and through which adapter: the one that heard the peer last.
public struct ExchangeAttempt: Equatable, Sendable {
    public var peer: ExchangePeer
    public var adapter: Adapter

    public init(peer: ExchangePeer, adapter: Adapter) {
        self.peer = peer
        self.adapter = adapter
    }
}

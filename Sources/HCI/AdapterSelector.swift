public import BeaconModel

/// Which adapter is meant: the one that the kernel gave a number, or the one with an address, whatever its number.
public enum AdapterSelector: Hashable, Sendable, CustomStringConvertible {
    case index(Adapter)
    case address(BluetoothAddress)

    /// Reads `hci0` or `00:1A:7D:DA:71:13`; `nil` for anything else.
    public init?(_ text: String) {
        if let adapter = Adapter(text) {
            self = .index(adapter)
        } else if let address = BluetoothAddress(text) {
            self = .address(address)
        } else {
            return nil
        }
    }

    public var description: String {
        switch self {
        case .index(let adapter): adapter.description
        case .address(let address): address.description
        }
    }

    /// The adapter that is meant, among those that there are.
    ///
    /// - Parameter lastAddress: what the adapter meant by a number said it was. When that number is free, the adapter
    ///   with this address is the same one, plugged in again.
    public func choose(
        from adapters: [AdapterDescription], lastAddress: BluetoothAddress?
    ) -> AdapterDescription? {
        switch self {
        case .address(let address): return adapters.first { $0.address == address }
        case .index(let adapter):
            guard let lastAddress, lastAddress.bits != 0 else { return adapters.first { $0.adapter == adapter } }
            return adapters.first { $0.address == lastAddress }
                ?? adapters.first { $0.adapter == adapter }
        }
    }
}

/// What the kernel says of one adapter.
public struct AdapterDescription: Equatable, Sendable {
    public var adapter: Adapter
    /// All zero for a controller without a public address.
    public var address: BluetoothAddress
    public var isUp: Bool

    public init(adapter: Adapter, address: BluetoothAddress, isUp: Bool) {
        self.adapter = adapter
        self.address = address
        self.isUp = isUp
    }
}

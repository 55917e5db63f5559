public import BeaconModel

/// A reference to an adapter, either by its kernel index or by its address, whatever its index.
public enum AdapterSelector: Hashable, Sendable, CustomStringConvertible {
    /// The adapter with this kernel index, such as hci0.
    case index(Adapter)
    /// The adapter with this address.
    case address(BluetoothAddress)

    /// Parses `hci0` or `00:1A:7D:DA:71:13`. Returns `nil` for anything else.
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

    /// Returns the matching adapter among those present.
    ///
    /// - Parameter lastAddress: the last known address of an adapter selected by index. An adapter with this address is
    ///   the same adapter, even if it was plugged in again under another index. It takes precedence over the index.
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

/// Description of an adapter as reported by the kernel.
public struct AdapterDescription: Equatable, Sendable {
    /// The adapter's kernel index.
    public var adapter: Adapter
    /// Public address; all zero for a controller without one.
    public var address: BluetoothAddress
    /// Whether the adapter is powered.
    public var isUp: Bool

    /// Creates a description from its parts.
    public init(adapter: Adapter, address: BluetoothAddress, isUp: Bool) {
        self.adapter = adapter
        self.address = address
        self.isUp = isUp
    }
}

/// What a controller says about one received advertisement, except its data, which travels beside it as a span.
///
/// Bluetooth Core Specification 5.4, Vol 4, Part E, 7.7.65.2 (LE Advertising Report) and 7.7.65.13 (LE Extended
/// Advertising Report).
public struct AdvertisingReport: Equatable, Sendable {
    public var time: Timestamp
    public var adapter: Adapter
    public var address: BluetoothAddress
    public var addressKind: AddressKind
    /// `nil` when the controller didn't measure it.
    public var rssi: RSSI?
    public var isConnectable: Bool
    public var isScanResponse: Bool
    /// `false` for a fragment of extended advertising data that another report continues, or that was cut off.
    public var isComplete: Bool

    public init(
        time: Timestamp, adapter: Adapter, address: BluetoothAddress, addressKind: AddressKind, rssi: RSSI?,
        isConnectable: Bool, isScanResponse: Bool, isComplete: Bool
    ) {
        self.time = time
        self.adapter = adapter
        self.address = address
        self.addressKind = addressKind
        self.rssi = rssi
        self.isConnectable = isConnectable
        self.isScanResponse = isScanResponse
        self.isComplete = isComplete
    }

    public enum AddressKind: Sendable {
        case `public`, random, anonymous
    }
}

/// The receiver of an advertisement: hciN.
public struct Adapter: Hashable, Sendable, CustomStringConvertible {
    public var index: UInt16

    public init(index: UInt16) { self.index = index }

    /// Reads `hci0`, `hci1` and so on; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let digits = text.dropFirst(3)
        guard text.hasPrefix("hci"), digits.allSatisfy(\.isNumber), let index = UInt16(digits) else { return nil }
        self.index = index
    }

    public var description: String { "hci\(index)" }
}

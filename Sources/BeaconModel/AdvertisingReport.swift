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
    /// Whether it came in extended PDUs, of which several can make one advertisement.
    public var isExtended: Bool
    /// Whether the data are all of the advertisement's.
    public var dataStatus: DataStatus
    /// Which of the advertiser's sets it is, 0 to 15; `nil` when it doesn't say.
    public var advertisingSet: UInt8?

    public init(
        time: Timestamp, adapter: Adapter, address: BluetoothAddress, addressKind: AddressKind, rssi: RSSI?,
        isConnectable: Bool, isScanResponse: Bool, isExtended: Bool = false, dataStatus: DataStatus = .complete,
        advertisingSet: UInt8? = nil
    ) {
        self.time = time
        self.adapter = adapter
        self.address = address
        self.addressKind = addressKind
        self.rssi = rssi
        self.isConnectable = isConnectable
        self.isScanResponse = isScanResponse
        self.isExtended = isExtended
        self.dataStatus = dataStatus
        self.advertisingSet = advertisingSet
    }

    public enum DataStatus: Sendable {
        case complete
        /// Another report continues the data.
        case moreToCome
        /// The controller didn't receive the rest, or had no room for it.
        case truncated
    }

    public enum AddressKind: Sendable {
        case `public`, random, anonymous
    }
}

/// The receiver of an advertisement: hciN.
public struct Adapter: Hashable, Codable, Sendable, CustomStringConvertible {
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

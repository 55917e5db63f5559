/// A controller's report of one received advertisement, without its data, which is passed separately as a span.
///
/// Bluetooth Core Specification 5.4, Vol 4, Part E, 7.7.65.2 (LE Advertising Report) and 7.7.65.13 (LE Extended
/// Advertising Report).
public struct AdvertisingReport: Equatable, Sendable {
    /// Time of reception.
    public var time: Timestamp
    /// The adapter that received the advertisement.
    public var adapter: Adapter
    /// Address of the sender.
    public var address: BluetoothAddress
    /// Kind of the sender's address.
    public var addressKind: AddressKind
    /// Received signal strength; `nil` when the controller did not measure it.
    public var rssi: RSSI?
    /// Whether the sender accepts connections.
    public var isConnectable: Bool
    /// Whether this is an answer to a scan request.
    public var isScanResponse: Bool
    /// Whether the advertisement was sent in extended PDUs. Several of them can form one advertisement.
    public var isExtended: Bool
    /// Completeness of the data.
    public var dataStatus: DataStatus
    /// Advertising set of the advertiser, 0 to 15; `nil` when not stated.
    public var advertisingSet: UInt8?

    /// Creates a report from its parts.
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

    /// Completeness of the data of a report.
    public enum DataStatus: Sendable {
        /// The report has all of the data, or the last part of it.
        case complete
        /// Another report continues the data.
        case moreToCome
        /// The controller did not receive the rest, or had no room for it.
        case truncated
    }

    /// Kinds of address.
    public enum AddressKind: Sendable {
        /// An address of the manufacturer, a random address, and none.
        case `public`, random, anonymous
    }
}

/// A Bluetooth adapter, hciN, which receives advertisements.
public struct Adapter: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The kernel's index of the adapter.
    public var index: UInt16

    /// Creates a reference to the adapter with this index.
    public init(index: UInt16) { self.index = index }

    /// Parses `hci0`, `hci1` and so on. Returns `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let digits = text.dropFirst(3)
        guard text.hasPrefix("hci"), digits.allSatisfy(\.isNumber), let index = UInt16(digits) else { return nil }
        self.index = index
    }

    public var description: String { "hci\(index)" }
}

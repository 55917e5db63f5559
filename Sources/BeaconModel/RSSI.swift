/// Received signal strength in dBm as reported by a controller: -127 to +20 (Bluetooth Core Specification 5.4, Vol 4,
/// Part E, 7.7.65.2).
public struct RSSI: Hashable, Comparable, Sendable {
    /// The strength in dBm.
    public let dBm: Int8

    /// Creates a signal strength. Returns `nil` for 127, which means "not available", and for other values outside
    /// -127...20.
    public init?(dBm: Int8) {
        guard (-127...20).contains(dBm) else { return nil }
        self.dBm = dBm
    }

    public static func < (left: RSSI, right: RSSI) -> Bool { left.dBm < right.dBm }

    /// Whether the value can be the strength of a received packet. Receivers detect nothing below -110 dBm, and no
    /// advertiser reaches 0 dBm at any distance.
    public var isPlausible: Bool { (-110..<0).contains(dBm) }
}

/// Received signal strength in dBm, as a controller reports it: -127 to +20
/// (Bluetooth Core Specification 5.4, Vol 4, Part E, 7.7.65.2).
public struct RSSI: Hashable, Comparable, Sendable {
    public let dBm: Int8

    /// `nil` for 127, by which a controller says "not available", and for values outside -127...20.
    public init?(dBm: Int8) {
        guard (-127...20).contains(dBm) else { return nil }
        self.dBm = dBm
    }

    public static func < (left: RSSI, right: RSSI) -> Bool { left.dBm < right.dBm }

    /// Whether the value can be the strength of a received packet: receivers hear nothing below -110 dBm, and
    /// no advertiser at any distance reaches 0 dBm.
    public var isPlausible: Bool { (-110..<0).contains(dBm) }
}

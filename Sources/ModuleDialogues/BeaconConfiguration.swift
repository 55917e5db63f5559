public import BeaconModel

/// A beacon's identity and advertising parameters, as assigned to a module.
public struct BeaconConfiguration: Equatable, Sendable {
    /// The identity that the module advertises.
    public var beacon: BeaconID
    /// RSSI at 1 m, in dBm: a byte of the payload that receivers compute distance from. It sets no transmit power.
    public var measuredPower: Int8
    /// Time between two advertising events.
    public var interval: AdvertisingInterval
    /// Transmit power index of this kind of module; `nil` for the module's default.
    public var transmitPower: Int?

    /// Creates a configuration from its parts.
    public init(
        beacon: BeaconID, measuredPower: Int8, interval: AdvertisingInterval = .appleIBeacon, transmitPower: Int? = nil
    ) {
        self.beacon = beacon
        self.measuredPower = measuredPower
        self.interval = interval
        self.transmitPower = transmitPower
    }
}

/// Time between two advertising events: 20 ms to 10.24 s in steps of 0.625 ms
/// (Bluetooth Core Specification 5.4, Vol 4, Part E, 7.8.5).
public struct AdvertisingInterval: Equatable, Sendable, CustomStringConvertible {
    /// Interval in units of 0.625 ms, 32 to 16384.
    public let units: Int

    /// 100 ms, the interval of Apple's iBeacon, and the shortest that Bluetooth 4 allows without connections.
    public static let appleIBeacon = AdvertisingInterval(validUnits: 160)

    /// Rounds `interval` to the nearest unit; `nil` outside 20 ms to 10.24 s.
    public init?(_ interval: Duration) {
        guard interval >= .milliseconds(20), interval <= .milliseconds(10_240) else { return nil }
        units = Int((interval.inSeconds * 1600).rounded())
    }

    private init(validUnits: Int) { units = validUnits }

    /// The interval in milliseconds, with its unit.
    public var description: String {
        let milliseconds = Double(units) * 0.625
        return (milliseconds == milliseconds.rounded() ? String(Int(milliseconds)) : String(milliseconds)) + " ms"
    }
}

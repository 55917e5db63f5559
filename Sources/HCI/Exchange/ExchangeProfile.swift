public import BeaconModel

/// The way in which an app's phones give their 64-bit code to a client that connects to them.
public struct ExchangeProfile: Equatable, Sendable {
    /// Primary service with the characteristics.
    public var service: AttributeUUID
    /// Where the code is found.
    public var source: Source

    /// The place of a code within the service.
    public enum Source: Equatable, Sendable {
        /// The code is the value of the characteristic `read`, least significant byte first. A client that reads it
        /// writes its own code to `write`.
        case value(read: AttributeUUID, write: AttributeUUID)
        /// The code is the lower half of the UUID of the characteristic whose upper half is `upper`. UUIDs whose lower
        /// half is in `reserved` belong to other characteristics.
        case identifier(upper: UInt64, reserved: ClosedRange<UInt64>)
    }

    /// Creates a profile from its parts.
    public init(service: AttributeUUID, source: Source) {
        self.service = service
        self.source = source
    }

    /// The BLE-Proximity profile (<https://github.com/mash/BLE-Proximity>). `userId` is a random 64-bit number. The app
    /// stores it in the byte order of its processor, which is little-endian on every phone it runs on.
    public static let bleProximity = ExchangeProfile(
        service: AttributeUUID(upper: 0x8E99_298E_65D6_4AF7, lower: 0x9074_731C_66E0_1AF9),
        source: .value(
            read: AttributeUUID(upper: 0x9F56_5547_7415_4EF7, lower: 0x8CDD_E2E9_674E_F033),
            write: AttributeUUID(upper: 0xB222_EBFF_99B4_4BC4, lower: 0xA2E4_717A_EF99_66A6)))

    /// The C19X profile, with the code in the UUID.
    ///
    /// Later versions of C19X, and its successor Herald, use the same service. With the same upper half it also has
    /// characteristics numbered 1 to 4, for signals and for payloads in another format. Numbers as small as these are
    /// therefore not taken for codes; a random code is that small with a probability of 2⁻⁶⁰.
    public static let c19x = ExchangeProfile(
        service: AttributeUUID(upper: 0xFFFF_FFFF_EEEE_DDDD, lower: 0),
        source: .identifier(upper: 0xFFFF_FFFF_EEEE_DDDD, reserved: 0...15))

    /// Returns the profile of an app, or `nil` when the app offers no code over a connection.
    public static func of(_ app: ContactApp) -> ExchangeProfile? {
        switch app {
        case .bleProximity: bleProximity
        case .c19x: c19x
        case .further, .herald: nil
        }
    }
}

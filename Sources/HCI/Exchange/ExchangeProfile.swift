public import BeaconModel

/// How an app's phones give their code of 64 bits to who connects to them.
public struct ExchangeProfile: Equatable, Sendable {
    /// The primary service that has the characteristics.
    public var service: AttributeUUID
    public var source: Source

    public enum Source: Equatable, Sendable {
        /// The code is the value of the characteristic `read`, the lowest byte first. Who reads it writes its own to `write`.
        case value(read: AttributeUUID, write: AttributeUUID)
        /// The code is the lower half of the UUID of the characteristic whose upper half is `upper`. A UUID whose
        /// lower half is in `reserved` is that of something else.
        case identifier(upper: UInt64, reserved: ClosedRange<UInt64>)
    }

    public init(service: AttributeUUID, source: Source) {
        self.service = service
        self.source = source
    }

    /// BLE-Proximity (<https://github.com/mash/BLE-Proximity>): `userId` is a random number of 64 bits. The app stores
    /// it in the byte order of its processor, which is little-endian on every phone it runs on.
    public static let bleProximity = ExchangeProfile(
        service: AttributeUUID(upper: 0x8E99_298E_65D6_4AF7, lower: 0x9074_731C_66E0_1AF9),
        source: .value(
            read: AttributeUUID(upper: 0x9F56_5547_7415_4EF7, lower: 0x8CDD_E2E9_674E_F033),
            write: AttributeUUID(upper: 0xB222_EBFF_99B4_4BC4, lower: 0xA2E4_717A_EF99_66A6)))

    /// C19X, with its code in the UUID.
    ///
    /// Later versions of the same program, and Herald, which came of it, have under the same service and with the same
    /// upper half characteristics numbered 1 to 4, for signals and for payloads of another form. So numbers as small
    /// as that aren't taken for codes; that a random code is one has a chance of 2⁻⁶⁰.
    public static let c19x = ExchangeProfile(
        service: AttributeUUID(upper: 0xFFFF_FFFF_EEEE_DDDD, lower: 0),
        source: .identifier(upper: 0xFFFF_FFFF_EEEE_DDDD, reserved: 0...15))

    /// `nil` for an app from which nothing can be had this way.
    public static func of(_ app: ContactApp) -> ExchangeProfile? {
        switch app {
        case .bleProximity: bleProximity
        case .c19x: c19x
        case .further, .herald: nil
        }
    }
}

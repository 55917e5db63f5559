import Advertisement
import BeaconModel

/// Advertising data, put together by hand from the specifications.
enum Payload {
    static let uuid = ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0)
    static let beacon = BeaconID(uuid: uuid, major: 1, minor: 2)
    static let identifier = RollingProximityIdentifier(bits: 0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F)

    /// The 30 bytes of the reference: flags 06, then the iBeacon of `beacon` with -59 dBm at 1 m.
    static let reference: [UInt8] = [
        0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15,
        0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96, 0xE0,
        0x00, 0x01, 0x00, 0x02, 0xC5,
    ]
    /// Company, type, length, UUID, major, minor, power: what the reference's second structure holds.
    static let iBeaconValue = Array(reference[5...])
    static let iBeacon = structure(0xFF, iBeaconValue)

    /// UUID 0xFD6F, `identifier`, 4 bytes of encrypted metadata.
    static let exposureNotificationValue: [UInt8] =
        [0x6F, 0xFD] + (0..<16).map { UInt8($0) } + [0xA0, 0xA1, 0xA2, 0xA3]
    static let exposureNotification = structure(0x16, exposureNotificationValue)
    /// Complete list of 16-bit service UUIDs, which comes before the service data.
    static let serviceList = structure(0x03, [0x6F, 0xFD])

    static func flags(_ value: UInt8) -> [UInt8] { structure(0x01, [value]) }
    static func name(_ text: String) -> [UInt8] { structure(0x09, Array(text.utf8)) }

    static func structure(_ type: UInt8, _ value: [UInt8]) -> [UInt8] { [UInt8(value.count + 1), type] + value }

    /// Everything that the decoder knows, in several surroundings.
    static let good: [[UInt8]] =
        [
            reference, iBeacon, flags(0x1A) + iBeacon, iBeacon + name("badge"), name("badge") + iBeacon + flags(0x06),
            serviceList + exposureNotification, flags(0x1A) + serviceList + exposureNotification,
            exposureNotification + name("phone"), exposureNotification + iBeacon, iBeacon + exposureNotification,
        ] + formats
}

extension AdvertisedIdentity {
    static let referenceBeacon = AdvertisedIdentity.iBeacon(Payload.beacon, measuredPower: -59)
    static let referencePhone = AdvertisedIdentity.exposureNotification(
        Payload.identifier, encryptedMetadata: 0xA0A1_A2A3)
}

func decode(_ bytes: [UInt8]) -> AdvertisingData.Decoded { AdvertisingData.decode(bytes.span) }

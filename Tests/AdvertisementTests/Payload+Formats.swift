import BeaconModel

/// Payloads of the other formats.
extension Payload {
    static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }

    // MARK: - AltBeacon Protocol Specification v1.0, "AltBeacon Protocol Fields"

    /// Company 0x0118 (Radius Networks), code 0xBEAC, the identity of `beacon`, -59 dBm at 1 m, reserved byte.
    static let altBeaconValue: [UInt8] = [0x18, 0x01, 0xBE, 0xAC] + reference[9..<29] + [0xC5, 0x00]
    static let altBeacon = structure(0xFF, altBeaconValue)

    // MARK: - Eddystone, "Frame Specification" of each frame

    static let eddystoneList = structure(0x03, [0xAA, 0xFE])
    static func eddystone(_ frame: [UInt8]) -> [UInt8] { structure(0x16, [0xAA, 0xFE] + frame) }

    /// -18 dBm at 0 m, the namespace of the specification's section "Elided Version 4 UUID", instance 1 to 6.
    static let uidFrame: [UInt8] =
        [0x00, 0xEE] + bytes("8b0ca750095477cb3e77") + [0x01, 0x02, 0x03, 0x04, 0x05, 0x06] + [0x00, 0x00]
    /// +18 dBm at 0 m, `https://`, `goo.gl/Aq18zF`: the specification's example.
    static let urlFrame: [UInt8] = [0x10, 0x12, 0x03] + Array("goo.gl/Aq18zF".utf8)
    /// 3000 mV, 22.5 °C, 100 advertisements, 1000.0 s.
    static let tlmFrame: [UInt8] =
        [0x20, 0x00, 0x0B, 0xB8, 0x16, 0x80, 0x00, 0x00, 0x00, 0x64, 0x00, 0x00, 0x27, 0x10]
    static let encryptedTLMFrame: [UInt8] = [0x20, 0x01] + (0..<16).map { UInt8($0) }
    static let eidFrame: [UInt8] = [0x30, 0xEE, 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]

    // MARK: - Contact-tracing apps

    /// The UUID in the order in which it is transmitted, the least significant byte first.
    static func uuid128(_ text: String) -> [UInt8] { bytes(text.filter { $0 != "-" }).reversed() }

    static let bleProximity = structure(0x07, uuid128("8E99298E-65D6-4AF7-9074-731C66E01AF9"))
    static let c19x = structure(0x07, uuid128("FFFFFFFF-EEEE-DDDD-0000-000000000000"))
    /// An iPhone SE with Herald in the foreground: `BLEDeviceFilterTest` of herald-for-android, "iPhoneSE 1st gen w/
    /// Herald".
    static let herald = bytes("02011a020a0c11079bfd5bd672451e80d3424647af328142")
    static let herald16 = structure(0x03, [0xF6, 0xFC])
    static let furtherUser = "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"
    static let further = flags(0x1A) + serviceList + structure(0x07, uuid128(furtherUser))

    // MARK: - Apple

    /// The same iPhone in the background: `BLEDeviceFilterTest`, "iPhoneSE 1st gen background".
    static let overflow = bytes("02011a020a0c14ff4c000100000000000000000000200000000000")
    /// Nearby Info: `BLEDeviceFilterTest`, "iPhone7".
    static let nearby = bytes("0bff4c001006061a396363ce")
    static let microsoft = structure(0xFF, [0x06, 0x00, 0x01, 0x09, 0x20, 0x02])

    static let formats: [[UInt8]] = [
        altBeacon, flags(0x06) + altBeacon, altBeacon + iBeacon, eddystoneList + eddystone(uidFrame),
        eddystone(uidFrame.dropLast(2)), eddystoneList + eddystone(urlFrame), eddystone(tlmFrame),
        eddystone(encryptedTLMFrame), eddystone(eidFrame), bleProximity, flags(0x1A) + bleProximity, c19x, herald,
        herald16, structure(0x16, [0xF6, 0xFC, 0x01]), structure(0x21, uuid128("428132AF-4746-42D3-801E-4572D65BFD9B")),
        further, serviceList + name("further_app"), exposureNotification + name("further_app"), overflow, nearby,
        microsoft, name(String(repeating: "x", count: 250)), structure(0x20, [0x01, 0x02, 0x03, 0x04]),
        iBeacon + structure(0xFF, iBeaconValue), eddystone(uidFrame) + eddystone(eidFrame),
    ]
}

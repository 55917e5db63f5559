import BeaconModel
import Testing

@Suite("AppleOverflow")
struct AppleOverflowTests {
    /// Service, and the byte and mask that an iPhone set for it.
    struct Capture: Sendable {
        var service: UInt128
        var byte: Int
        var mask: UInt8

        /// A 16-bit UUID as the whole that it is short for (Bluetooth Core Specification 5.4, Vol 3, Part B, 2.5.1).
        static func short(_ uuid: UInt128, _ byte: Int, _ mask: UInt8) -> Capture {
            Capture(service: uuid << 96 | 0x0000_0000_0000_1000_8000_0080_5F9B_34FB, byte: byte, mask: mask)
        }

        static let all = [
            // davidgyoung/ios-overflow-area, README.
            Capture(service: 0x2F23_4454_CF6D_4A0F_ADF2_F491_1BA9_FFA6, byte: 10, mask: 0x08),
            // theheraldproject/herald-for-android, `BLEDeviceFilterTest`, "iPhoneSE 1st gen background".
            Capture(service: 0x4281_32AF_4746_42D3_801E_4572_D65B_FD9B, byte: 10, mask: 0x20),
            // crownstone/bluenet-ios-basic-localization, `BROADCASTING_AS_BEACON.md`.
            .short(0x1001, 7, 0x02), .short(0x3333, 7, 0x02), .short(0xC007, 4, 0x10), .short(0xC008, 7, 0x08),
            // Foreground and background contents of one app, in an Android filter's documentation
            // (02011A1107FB349B5F8000008000100000C53A0000... and ...4C0001 with byte 13 set).
            .short(0x3AC5, 13, 0x20),
        ]
    }

    @Test("A service sets the bit that iPhones were seen to set", arguments: Capture.all)
    func captured(capture: Capture) {
        #expect(AppleOverflow.bit(of: capture.service) == capture.byte * 8 + capture.mask.leadingZeroBitCount)
    }

    @Test("The UUIDs of the published table have its bits")
    func table() {
        // The last bytes of 00000000-0000-0000-0000-0000000000xx by bit: the first and the last of
        // `OverflowAreaUtils.swift`, and some between.
        let bits: [UInt128: Int] = [
            0x7C: 0, 0x37: 1, 0x6E: 2, 0x25: 3, 0x00: 7, 0x01: 14, 0x5D: 32, 0x7B: 63, 0x3E: 64, 0x39: 127,
        ]
        for (service, bit) in bits { #expect(AppleOverflow.bit(of: service) == bit) }
        #expect(Set((0..<128).map { AppleOverflow.bit(of: $0) }).count == 128)
    }

    @Test("An app may be there when its bit is set, and only then")
    func mayHave() {
        #expect(AppleOverflow(bits: 0x20 << 40).mayHave(.herald))
        #expect(!AppleOverflow(bits: ~(0x20 << 40 | 0x20 << 64)).mayHave(.herald))
        let bit = AppleOverflow.bit(of: 0x8E99_298E_65D6_4AF7_9074_731C_66E0_1AF9)
        #expect(AppleOverflow(bits: 1 << UInt128(127 - bit)).mayHave(.bleProximity))
        #expect(!AppleOverflow(bits: 0).mayHave(.bleProximity))
    }
}

import BeaconModel
import TestValues
import Testing

@Suite("ProximityUUID")
struct ProximityUUIDTests {
    @Test(
        "Both notations and both cases are read",
        arguments: [
            "e2c56db5-dffb-48d2-b060-d0f5a71096e0", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0",
            "e2c56db5dffb48d2b060d0f5a71096e0", "E2C56DB5DFFB48D2B060D0F5A71096E0",
            "e2C56dB5-dFfB-48d2-B060-d0f5a71096E0",
        ])
    func notations(text: String) {
        #expect(ProximityUUID(text)?.bits == 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0)
    }

    @Test("A UUID is printed in lower case with hyphens")
    func printing() {
        let uuid = ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0)
        #expect(uuid.description == "e2c56db5-dffb-48d2-b060-d0f5a71096e0")
    }

    @Test("Leading zeros are printed")
    func leadingZeros() {
        #expect(ProximityUUID(bits: 0).description == "00000000-0000-0000-0000-000000000000")
        #expect(ProximityUUID(bits: 0xF << 64).description == "00000000-0000-000f-0000-000000000000")
    }

    @Test("Every UUID that is printed is read back")
    func roundTrip() {
        var generator = SeededGenerator("UUIDs")
        for _ in 0..<1000 {
            let uuid = ProximityUUID(bits: UInt128.random(in: 0...UInt128.max, using: &generator))
            if ProximityUUID(uuid.description) != uuid {
                Issue.record("\(uuid) isn't read back; \(generator.comment)")
                return
            }
        }
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "-", "e2c56db5",
            "e2c56db5-dffb-48d2-b060-d0f5a71096e",
            "e2c56db5-dffb-48d2-b060-d0f5a71096e00",
            "e2c56db5dffb48d2b060d0f5a71096e",
            "e2c56db5dffb48d2b060d0f5a71096e00",
            "g2c56db5-dffb-48d2-b060-d0f5a71096e0",
            "e2c56db5-dffb-48d2-b060d-0f5a71096e0",
            "e2c5-6db5dffb-48d2-b060-d0f5a71096e0",
            "e2c56db5-dffb-48d2-b060d0f5a71096e0",
            "e2c56db5dffb48d2b060d0f5a710-96e",
            "e2c56db5-dffb-48d2-b060-d0f5a71096-0",
            "{e2c56db5-dffb-48d2-b060-d0f5a71096e0}",
            " e2c56db5-dffb-48d2-b060-d0f5a71096e0",
            "e2c56db5-dffb-48d2-b060-d0f5a71096e0\n",
            "٠2c56db5dffb48d2b060d0f5a71096e0",
            "------------------------------------",
        ])
    func refused(text: String) {
        #expect(ProximityUUID(text) == nil)
    }

    @Test("The bytes are those of the printed text")
    func bytes() {
        let uuid = ProximityUUID("00112233-4455-6677-8899-aabbccddeeff")
        #expect(
            uuid?.bytes == [
                0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF,
            ])
    }

    @Test("UUIDs are ordered as their texts are")
    func order() throws {
        let low = try #require(ProximityUUID("0fffffff-ffff-ffff-ffff-ffffffffffff"))
        let high = try #require(ProximityUUID("80000000-0000-0000-0000-000000000000"))
        #expect(low < high)
        #expect(!(high < low))
    }
}

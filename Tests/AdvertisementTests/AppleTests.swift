import Advertisement
import BeaconModel
import Testing

@Suite("Apple's messages")
struct AppleTests {
    @Test("An overflow area is read with its 128 bits")
    func overflow() {
        let expected = AppleOverflow(bits: 0x20 << 40)
        #expect(decode(Payload.overflow) == .init(identity: .appleOverflow(expected)))
    }

    @Test("An overflow area beside another message of Apple's is found, in either order")
    func besideNearby() {
        let area = decode(Payload.overflow).identity
        #expect(area != nil)
        #expect(decode(Payload.nearby + Payload.overflow).identity == area)
        #expect(decode(Payload.overflow + Payload.nearby).identity == area)
    }

    @Test("An overflow area of another length is counted", arguments: [3, 18, 20])
    func overflowLength(length: Int) {
        let value = [0x4C, 0x00, 0x01] + [UInt8](repeating: 0, count: length - 3)
        #expect(decode(Payload.structure(0xFF, value)) == .init(defect: .wrongOverflowLength))
    }

    @Test("Other messages say no more than that it is Apple's", arguments: [UInt8(0x0C), 0x10, 0x12, 0xFF])
    func device(type: UInt8) {
        let data = Payload.structure(0xFF, [0x4C, 0x00, type, 0x02, 0x01, 0x02])
        #expect(decode(data) == .init(identity: .appleDevice(type: type)))
        #expect(decode(Payload.nearby) == .init(identity: .appleDevice(type: 0x10)))
    }

    @Test("Nobody is followed for being Apple's")
    func subjects() {
        for data in [Payload.overflow, Payload.nearby] {
            #expect(decode(data).identity?.subject(address: BluetoothAddress(bits: 1)) == nil)
        }
    }
}

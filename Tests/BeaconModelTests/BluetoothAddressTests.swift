import BeaconModel
import TestValues
import Testing

@Suite("BluetoothAddress")
struct BluetoothAddressTests {
    @Test(
        "Colons and hyphens and both cases are read",
        arguments: ["C0:11:22:33:44:0A", "c0:11:22:33:44:0a", "C0-11-22-33-44-0A"])
    func notations(text: String) {
        #expect(BluetoothAddress(text)?.bits == 0xC011_2233_440A)
    }

    @Test("An address is printed most significant byte first, in upper case, with leading zeros")
    func printing() {
        #expect(BluetoothAddress(bits: 0xC011_2233_440A).description == "C0:11:22:33:44:0A")
        #expect(BluetoothAddress(bits: 0).description == "00:00:00:00:00:00")
    }

    @Test("Every address that is printed is read back")
    func roundTrip() {
        var generator = SeededGenerator("addresses")
        for _ in 0..<1000 {
            let address = BluetoothAddress(bits: generator.next())
            if BluetoothAddress(address.description) != address {
                Issue.record("\(address) isn't read back; \(generator.comment)")
                return
            }
        }
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", ":::::", "C0:11:22:33:44", "C0:11:22:33:44:0A:00", "C0:11:22:33:44:A", "C0:11:22:33:44:00A",
            "C0:11:22:33:44:0G", "C0:11:22:33:44:+A", "C0:11:22:33:44: A", "C01122334 40A", "C0112233440A",
            " C0:11:22:33:44:0A", "C0:11:22:33:44:0A:", "C0::11:22:33:44:0A", "C0:11:22:33:44:é",
        ])
    func refused(text: String) {
        #expect(BluetoothAddress(text) == nil)
    }

    @Test("Bits beyond the 48 of an address are dropped")
    func extraBits() {
        #expect(BluetoothAddress(bits: 0xFFFF_0000_0000_0001) == BluetoothAddress(bits: 1))
    }
}

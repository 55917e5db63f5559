import BeaconModel
import Testing

@Suite("Adapter")
struct AdapterTests {
    @Test(
        "Names of adapters are read", arguments: [("hci0", UInt16(0)), ("hci7", 7), ("hci10", 10), ("hci65535", 65535)])
    func names(text: String, index: UInt16) {
        #expect(Adapter(text)?.index == index)
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "0", "hci", "hc0", "HCI0", "hci-1", "hci+1", "hci 0", "hci0 ", " hci0", "hci65536", "hci0x1", "hci1.0",
            "hci٣", "wlan0",
        ])
    func refused(text: String) {
        #expect(Adapter(text) == nil)
    }

    @Test("An adapter is printed by its name")
    func printing() {
        #expect(Adapter(index: 12).description == "hci12")
    }
}

import Testing

@testable import BlueZScanner
@testable import HCI

@Suite("ProcessCapabilities")
struct ProcessCapabilitiesTests {
    private func path(_ effective: String) -> ScanPathKind {
        .automatic(for: ProcessCapabilities(status: "Name:\tx\nCapPrm:\tffff\nCapEff:\t\(effective)\nCapBnd:\t0\n"))
    }

    @Test("With CAP_NET_RAW and CAP_NET_ADMIN the path is raw HCI")
    func both() {
        #expect(path("0000000000003000") == .raw)
        #expect(path("000001ffffffffff") == .raw)
    }

    @Test("Without one of them it is bluetoothd", arguments: ["0000000000001000", "0000000000002000", "0", "", "zz"])
    func one(effective: String) {
        #expect(path(effective) == .dbus)
    }
}

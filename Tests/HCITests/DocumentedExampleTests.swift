import BeaconModel
import HCI
import Testing

@Suite struct DocumentedExampleTests {
    // HCI.docc shows this code.
    @Test func `The example of the module's documentation reads its packet`() {
        let packet: [UInt8] = [
            0x04, 0x3E, 0x0F, 0x02, 0x01, 0x03, 0x01, 0x55, 0x44, 0x33, 0x22, 0x11, 0xC0, 0x03, 0x02, 0x01, 0x06, 0xC4,
        ]
        var batch = HCIPacketBatch()
        batch.append(packet, time: Timestamp(microseconds: 1_600_000_000_000_000), adapter: Adapter(index: 0))

        var reader = ReportReader()
        var received: [(address: BluetoothAddress, dBm: Int8?, bytes: Int)] = []
        let defects = reader.forEachAdvertisement(in: batch) { report, data in
            received.append((report.address, report.rssi?.dBm, data.count))
        }
        #expect(defects.isEmpty)
        #expect(received.map(\.address) == [BluetoothAddress("C0:11:22:33:44:55")])
        #expect(received.map(\.dBm) == [-60] && received.map(\.bytes) == [3])
    }
}

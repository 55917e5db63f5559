import BeaconModel
import ModuleEmulator
import Testing

@Suite("On the radio, a module")
struct RadioTests {
    private static let connectable = "at+rsibt_advertise=1,128,0,0,0,160,160,0,7"
    private static let connected =
        "AT+RSIBT_LE_DEVICE_ENHANCE_CONNECTED=1,6B-63-FE-FE-3D-FD,0,88-DA-1A-E8-06-6F,00-00-00-00-00-00\r\n"
    private static let disconnected = "AT+RSIBT_LE_DISCONNECTED 6B-63-FE-FE-3D-FD,4E13\r\n"
    private static let scan = "at+rsibt_scan=1,0,0,0,100,10"

    @Test("lets a central connect, which ends the advertising until somebody starts it again")
    func connection() {
        var bench = Bench.withBluetooth()
        _ = bench.command(Self.connectable)
        #expect(bench.connect() == Self.connected)
        #expect(!bench.emulator.air.advertising)
        #expect(bench.command("at+rsibt_getdevstate?") == "OK 8\r\n")
        #expect(bench.command("at+rsibt_getrssi=6B-63-FE-FE-3D-FD?") == "OK -60\r\n")
        #expect(bench.connect() == "")
        #expect(bench.command(Self.connectable) == "ERROR 4E0C\r\n")
        #expect(bench.disconnect() == Self.disconnected)
        #expect(bench.disconnect() == "")
        #expect(!bench.emulator.air.advertising)
        #expect(bench.command(Self.connectable) == "OK\r\n")
        #expect(bench.emulator.air.advertising)
    }

    @Test("lets nobody connect while it is silent or not connectable")
    func notConnectable() {
        var bench = Bench.withBluetooth()
        #expect(bench.connect() == "")
        _ = bench.command(Transcript.start)
        #expect(bench.connect() == "")
        #expect(bench.emulator.air.advertising)
        bench = Bench()
        #expect(bench.connect() + bench.disconnect() == "")
    }

    @Test("forgets its central at a reset")
    func resetWhileConnected() {
        var bench = Bench.withBluetooth()
        _ = bench.command(Self.connectable)
        _ = bench.connect()
        bench.reset()
        #expect(bench.disconnect() == "")
    }

    @Test(
        "reports what it hears while it scans",
        arguments: [(128, 0), (129, 1), (130, 2), (131, 3), (132, 1)])
    func hearing(type: Int, packetType: Int) {
        var bench = Bench.withBluetooth()
        let air = OnAir(
            advertising: true, type: type, intervalUnits: 160, data: [2, 1, 0x1A, 0],
            address: BluetoothAddress(bits: 0x47AC_F8C0_C1D8), usesRandomAddress: type == 128)
        #expect(bench.hear(air, rssi: -63) == "")
        _ = bench.command(Self.scan)
        let report =
            "AT+RSIBT_ADVRTISE,addr_type:\(type == 128 ? 1 : 0),addr:47-AC-F8-C0-C1-D8,RSSI:-63,Type:\(packetType),"
            + "adv_data_len:4,adv_data:2,1,1A,0\r\n"
        #expect(bench.hear(air, rssi: -63) == report)
        _ = bench.command("at+rsibt_scan=0,0,0,0,100,10")
        #expect(bench.hear(air, rssi: -63) == "")
    }

    @Test("hears another module's iBeacon as the reference prints it")
    func iBeacon() {
        var sender = Bench.withBluetooth { $0.address = BluetoothAddress(bits: 1) }
        _ = sender.command(Transcript.iBeacon) + sender.command(Transcript.start)
        var listener = Bench.withBluetooth()
        _ = listener.command(Self.scan)
        let report = listener.hear(sender.emulator.air, rssi: .min)
        #expect(report.contains("addr:00-00-00-00-00-01,RSSI:-128,Type:3,adv_data_len:1E,adv_data:2,1,6,1A,FF,4C,0,2"))
        #expect(report.hasSuffix(",0,1,0,2,C5\r\n"))
    }

    @Test("hears no silence, nothing of an unknown type, and at most 31 bytes")
    func oddities() {
        var bench = Bench.withBluetooth()
        _ = bench.command(Self.scan)
        let address = BluetoothAddress(bits: 1)
        #expect(bench.hear(.silent(address: address), rssi: 0) == "")
        var air = OnAir(advertising: true, type: 127, intervalUnits: 1, data: [], address: address)
        #expect(bench.hear(air, rssi: 0) == "")
        air.type = 128
        #expect(bench.hear(air, rssi: 0).hasSuffix("adv_data_len:0,adv_data:\r\n"))
        air.data = Array(repeating: 1, count: 100)
        #expect(bench.hear(air, rssi: 0).contains("adv_data_len:1F,"))
    }
}

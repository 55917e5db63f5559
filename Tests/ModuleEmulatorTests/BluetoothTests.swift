import BeaconModel
import ModuleEmulator
import Testing

@Suite("Bluetooth commands")
struct BluetoothTests {
    @Test("answer the examples of the reference as it says")
    func examples() {
        var bench = Bench.withBluetooth()
        #expect(bench.command("at+rsibt_setlocalname=11,RS9116W_BLE") == "OK\r\n")
        #expect(bench.command("at+rsibt_getlocalbdaddr?") == "OK 88-DA-1A-E8-06-6F\r\n")
        let data = "at+rsibt_setadvertisedata=10,2,1,6,C,9,52,53,39,31,31,36,57,5F,42,4C,45"
        #expect(bench.command(data) == "OK\r\n")
        #expect(bench.command("at+rsibt_advertise=1,128,0,0,0,60,70,0,7") == "OK\r\n")
        #expect(bench.command("at+rsibt_scan=1,0,0,0,100,10") == "OK\r\n")
        #expect(bench.command("at+rsibt_scan=0,0,0,0,100,10") == "OK\r\n")
        #expect(bench.emulator.air.data == [2, 1, 6, 0x0C, 9] + Array("RS9116W_BLE".utf8))
        #expect(bench.emulator.air.intervalUnits == 60)
    }

    @Test("of the whole session put exactly the 30 bytes of the test vector on the air")
    func testVector() {
        var bench = Bench()
        let answers = Transcript.session.map { bench.type($0) + bench.settle() }
        #expect(
            answers == [
                "U", Transcript.menu, "1\r\nLoading...\r\nLoading Done\r\n", "OK1610.2.5.2.0.4\0\r\n",
                "OK\r\nbt_loaded\r\n", "OK\r\n", "OK 88-DA-1A-E8-06-6F\r\n", "OK\r\n", "OK\r\n",
            ])
        #expect(
            bench.emulator.air
                == OnAir(
                    advertising: true, type: 131, intervalUnits: 160, data: Transcript.iBeaconBytes,
                    address: BluetoothAddress(bits: 0x88DA_1AE8_066F)))
    }

    @Test("read the data's length in hexadecimal", arguments: [("17", 23), ("15", 21), ("1f", 31), ("0", 0)])
    func hexadecimalLength(length: String, count: Int) {
        var bench = Bench.withBluetooth()
        let line = "at+rsibt_setadvertisedata=" + length + String(repeating: ",aB", count: count)
        #expect(bench.command(line) == "OK\r\n")
        _ = bench.command(Transcript.start)
        #expect(bench.emulator.air.data == [UInt8](repeating: 0xAB, count: count))
    }

    @Test(
        "refuse malformed advertising data with 4E62",
        arguments: [
            "", "=", "=2,1", "=2,1,2,3", "=1,100", "=1,g", "=1,", "=1,0x1", "=100", "=1, 1", "=1,1?",
            "=20" + String(repeating: ",0", count: 32),
        ])
    func malformedData(parameters: String) {
        var bench = Bench.withBluetooth()
        #expect(bench.command("at+rsibt_setadvertisedata" + parameters) == "ERROR 4E62\r\n")
        #expect(bench.command("at+rsibt_setscanrspdata" + parameters) == "ERROR 4E62\r\n")
    }

    @Test("advertise flags and the name before any data was set")
    func defaultData() {
        var bench = Bench.withBluetooth()
        _ = bench.command("at+rsibt_setlocalname=3,abc")
        _ = bench.command(Transcript.start)
        #expect(bench.emulator.air.data == [2, 1, 6, 4, 9, 0x61, 0x62, 0x63])
    }

    @Test("change the data on the air at once")
    func dataWhileAdvertising() {
        var bench = Bench.withBluetooth()
        _ = bench.command(Transcript.start)
        #expect(bench.command("at+rsibt_setadvertisedata=2,1,FF") == "OK\r\n")
        #expect(bench.emulator.air.data == [1, 0xFF])
    }

    @Test("refuse to start twice with 4E0C, and stop")
    func startTwice() {
        var bench = Bench.withBluetooth()
        #expect(bench.command(Transcript.start) == "OK\r\n")
        #expect(bench.command(Transcript.start) == "ERROR 4E0C\r\n")
        #expect(bench.emulator.air.advertising)
        #expect(bench.command(Transcript.stop) == "OK\r\n")
        #expect(!bench.emulator.air.advertising)
        #expect(bench.command(Transcript.stop) == "OK\r\n")
    }

    @Test(
        "refuse advertising parameters out of range with 4E12",
        arguments: [
            "2,131,0,0,0,160,160,0,7", "1,127,0,0,0,160,160,0,7", "1,133,0,0,0,160,160,0,7",
            "1,131,4,0,0,160,160,0,7", "1,131,0,4,0,160,160,0,7", "1,131,0,0,x,160,160,0,7",
            "1,131,0,0,0,31,160,0,7", "1,131,0,0,0,160,16385,0,7", "1,131,0,0,0,161,160,0,7",
            "1,131,0,0,0,160,160,4,7", "1,131,0,0,0,160,160,1,7", "1,131,0,0,0,160,160,0,0",
            "1,131,0,0,0,160,160,0,8", "1,129,0,0,0,160,160,0,7", "1,131,0,0,0,160,160,0", "0", "",
            "1,131,0,0,0,160,160,0,7,0", "1,131,0,0,0,0xA0,160,0,7", "1,131,0,0,0,99999999999,160,0,7",
        ])
    func parametersOutOfRange(parameters: String) {
        var bench = Bench.withBluetooth()
        #expect(bench.command("at+rsibt_advertise=" + parameters) == "ERROR 4E12\r\n")
        #expect(!bench.emulator.air.advertising)
    }

    @Test("advertise with the random address once it is set")
    func randomAddress() {
        var bench = Bench.withBluetooth()
        #expect(bench.command("at+rsibt_setrandadd=C0-11-22-33-44-01") == "OK\r\n")
        #expect(bench.command("at+rsibt_advertise=1,131,0,0,0,160,160,1,7") == "OK\r\n")
        #expect(bench.emulator.air.address == BluetoothAddress(bits: 0xC011_2233_4401))
        #expect(bench.command("at+rsibt_setrandadd=C0-11-22-33-44-02") == "ERROR 4E0C\r\n")
    }

    @Test("refuse a malformed address with 4E62", arguments: ["", "=", "=C0:11:22:33:44:01", "=C0-11-22-33-44"])
    func malformedAddress(parameters: String) {
        var bench = Bench.withBluetooth()
        #expect(bench.command("at+rsibt_setrandadd" + parameters) == "ERROR 4E62\r\n")
    }

    @Test("advertise no data when the advertising is directed")
    func directed() {
        var bench = Bench.withBluetooth()
        #expect(bench.command("at+rsibt_advertise=1,132,0,0,C0-11-22-33-44-01,160,160,0,7") == "OK\r\n")
        #expect(bench.emulator.air.data == [])
    }

    @Test("tell the name with its length in hexadecimal")
    func localName() {
        var bench = Bench.withBluetooth()
        _ = bench.command("at+rsibt_setlocalname=12,beacon,room?")
        #expect(bench.command("at+rsibt_getlocalname?") == "OK C,beacon,room?\r\n")
    }

    @Test("refuse a name of more than 16 bytes with 4E66 and a wrong length with 4E62")
    func nameLength() {
        var bench = Bench.withBluetooth()
        #expect(bench.command("at+rsibt_setlocalname=16,abcdefghijklmnop") == "OK\r\n")
        #expect(bench.command("at+rsibt_setlocalname=17,abcdefghijklmnopq") == "ERROR 4E66\r\n")
        #expect(bench.command("at+rsibt_setlocalname=B,RS9116W_BLE") == "ERROR 4E62\r\n")
        #expect(bench.command("at+rsibt_setlocalname=3,ab") == "ERROR 4E62\r\n")
        #expect(bench.command("at+rsibt_setlocalname=0,") == "ERROR 4E62\r\n")
        #expect(bench.command("at+rsibt_setlocalname") == "ERROR 4E62\r\n")
    }

    @Test("tell the state: bit 0 advertising, bit 1 scanning")
    func deviceState() {
        var bench = Bench.withBluetooth()
        #expect(bench.command("at+rsibt_getdevstate?") == "OK 0\r\n")
        _ = bench.command(Transcript.start)
        #expect(bench.command("at+rsibt_getdevstate?") == "OK 1\r\n")
        _ = bench.command("at+rsibt_scan=1,0,0,0,100,10")
        #expect(bench.command("at+rsibt_getdevstate?") == "OK 3\r\n")
    }

    @Test(
        "refuse scan parameters out of range with 4E12",
        arguments: ["1,0,0,0,100,101", "1,2,0,0,100,10", "1,0,0,0,3,3", "1,0,0,0,100,3", "1,0,0,0,16385,10", "1", ""])
    func scanParameters(parameters: String) {
        var bench = Bench.withBluetooth()
        #expect(bench.command("at+rsibt_scan=" + parameters) == "ERROR 4E12\r\n")
    }

    @Test("refuse to scan twice with 4E0C")
    func scanTwice() {
        var bench = Bench.withBluetooth()
        #expect(bench.command("at+rsibt_scan=1,0,0,0,100,10") == "OK\r\n")
        #expect(bench.command("at+rsibt_scan=1,0,0,0,100,10") == "ERROR 4E0C\r\n")
    }

    @Test("know no link whose RSSI there could be")
    func linkRSSI() {
        var bench = Bench.withBluetooth()
        #expect(bench.command("at+rsibt_getrssi=C0-11-22-33-44-01?") == "ERROR 4D04\r\n")
        #expect(bench.command("at+rsibt_getrssi=nobody?") == "ERROR 4E62\r\n")
    }

    @Test(
        "check the antenna's power index",
        arguments: [
            ("2,31", "OK"), ("2,1", "OK"), ("2,33", "OK"), ("1,82", "OK"), ("2,0", "ERROR 4D15"),
            ("2,32", "ERROR 4D15"), ("2,83", "ERROR 4D14"), ("3,31", "ERROR 4D14"), ("2", "ERROR 4E62"),
        ])
    func transmitPower(parameters: String, answer: String) {
        var bench = Bench.withBluetooth()
        #expect(bench.command("at+rsibt_setantennatxpowerlevel=" + parameters) == answer + "\r\n")
    }

    @Test("tell a version of the stack and accept a scan response and an accept list")
    func remaining() {
        var bench = Bench.withBluetooth()
        #expect(bench.command("at+rsibt_getbtstackversion?") == "OK 1610.2.5.2.0.4\r\n")
        #expect(bench.command("at+rsibt_setscanrspdata=2,1,FF") == "OK\r\n")
        #expect(bench.command("at+rsibt_lewhitelist=1,C0-11-22-33-44-01,0") == "OK\r\n")
    }

    @Test("all fail between btdeinit and btinit, which ends the advertising")
    func deinitialization() {
        var bench = Bench.withBluetooth()
        _ = bench.command(Transcript.start)
        #expect(bench.command("at+rsibt_btdeinit") == "OK\r\n")
        #expect(!bench.emulator.air.advertising)
        #expect(bench.command("at+rsibt_getlocalbdaddr?") == "ERROR 4D03\r\n")
        #expect(bench.command("at+rsibt_btinit") == "OK\r\n")
        #expect(bench.command("at+rsibt_btinit") == "ERROR 4D03\r\n")
        #expect(bench.command(Transcript.start) == "OK\r\n")
    }

    @Test("are forgotten after a reset")
    func reset() {
        var bench = Bench.withBluetooth()
        _ = bench.command(Transcript.start)
        bench.reset()
        #expect(bench.emulator.air == .silent(address: BluetoothAddress(bits: 0x88DA_1AE8_066F)))
    }
}

import ModuleEmulator
import Testing

@Suite("The firmware")
struct FirmwareTests {
    @Test("enters AT mode with AT+R in any case", arguments: ["at+r", "AT+R", "aT+r"])
    func latch(start: String) {
        var bench = Bench { $0.initialState = .firmwareLoaded }
        #expect(bench.command(start + "si_fwversion?") == "OK1610.2.5.2.0.4\0\r\n")
    }

    @Test(
        "is in binary mode until a reset when its first four bytes are others", arguments: ["\r\nat", "|at+", "at+x"])
    func binaryLatch(start: String) {
        var bench = Bench { $0.initialState = .firmwareLoaded }
        #expect(bench.type(start) == "")
        #expect(bench.command("at+rsi_fwversion?") == "")
        #expect(bench.type("|") == "")
        bench.reset()
        #expect(bench.type("|") == "U")
    }

    @Test("doesn't decide before the fourth byte")
    func threeBytes() {
        var bench = Bench { $0.initialState = .firmwareLoaded }
        #expect(bench.type("at+") == "")
        #expect(bench.command("rsi_reset") == "OK\r\n")
    }

    @Test("answers fwversion without a space and with a NUL, before and after opermode")
    func version() {
        var bench = Bench.withFirmware()
        #expect(bench.command("at+rsi_fwversion?") == "OK1610.2.5.2.0.4\0\r\n")
        _ = bench.command(Transcript.opermode) + bench.settle()
        #expect(bench.command("at+rsi_fwversion?") == "OK1610.2.5.2.0.4\0\r\n")
    }

    @Test("answers the opermode of the scripts with OK and, 300 ms later, bt_loaded")
    func opermode() {
        var bench = Bench.withFirmware()
        #expect(bench.command(Transcript.opermode) == "OK\r\n")
        #expect(bench.scheduled.map(\.delay) == [.milliseconds(300)])
        #expect(bench.settle() == "bt_loaded\r\n")
    }

    @Test(
        "loads Bluetooth in each opermode with Bluetooth",
        arguments: [
            "786432,0,1,2147483648,2149580800,3221225472,0,1968153",
            "851968,0,4,2147483648,2150629376,3221225472,0,1966080",
            "851968,20,2147483652,2147483648,2159542272,3221225472,2147483648,1075773440,0,1",
            "851968,20,4,2147483648,2154823680,3221225472,0,1075773440", "327680", "262144", "524288", "589824",
        ])
    func bluetoothOpermodes(fields: String) {
        var bench = Bench.withFirmware()
        #expect(bench.command("at+rsi_opermode=" + fields) == "OK\r\n")
        #expect(bench.settle() == "bt_loaded\r\n")
    }

    @Test("loads no Bluetooth in an opermode without it", arguments: ["0", "6,0,1", "65536"])
    func wirelessLANOnly(fields: String) {
        var bench = Bench.withFirmware()
        #expect(bench.command("at+rsi_opermode=" + fields) == "OK\r\n")
        #expect(bench.settle() == "")
        #expect(bench.command("at+rsibt_getlocalbdaddr?") == "ERROR 0021\r\n")
    }

    @Test("has no BLE in the modes with classic Bluetooth", arguments: ["327680", "589824"])
    func classicOnly(mode: String) {
        var bench = Bench.withFirmware()
        _ = bench.command("at+rsi_opermode=" + mode) + bench.settle()
        #expect(bench.command(Transcript.start) == "ERROR 4E11\r\n")
    }

    @Test("refuses an invalid opermode with 001B", arguments: ["131072", "851971", "851981", "4294967295", "", "x"])
    func invalidOpermode(mode: String) {
        var bench = Bench.withFirmware()
        #expect(bench.command("at+rsi_opermode=" + mode) == "ERROR 001B\r\n")
        #expect(bench.command(Transcript.opermode) == "OK\r\n")
    }

    @Test(
        "refuses malformed further fields of opermode with 0026",
        arguments: ["851968,", "851968,-1", "851968,0x1", "851968,4294967296", "851968,0,0,0,0,0,0,0,0,0,0"])
    func malformedOpermode(fields: String) {
        var bench = Bench.withFirmware()
        #expect(bench.command("at+rsi_opermode=" + fields) == "ERROR 0026\r\n")
    }

    @Test("refuses a second opermode with 0021")
    func secondOpermode() {
        var bench = Bench.withFirmware()
        _ = bench.command(Transcript.opermode)
        #expect(bench.command(Transcript.opermode) == "ERROR 0021\r\n")
    }

    @Test("refuses Bluetooth commands before opermode with 0021, even unknown ones")
    func beforeOpermode() {
        var bench = Bench.withFirmware()
        #expect(bench.command("at+rsibt_getlocalbdaddr?") == "ERROR 0021\r\n")
        #expect(bench.command("at+rsibt_nonsense") == "ERROR 0021\r\n")
    }

    @Test("refuses Bluetooth commands between OK and bt_loaded with 4D03")
    func beforeLoaded() {
        var bench = Bench.withFirmware()
        _ = bench.command(Transcript.opermode)
        #expect(bench.command("at+rsibt_getlocalbdaddr?") == "ERROR 4D03\r\n")
    }

    @Test(
        "answers what it doesn't know with FFF8",
        arguments: [
            "at+rsi_nonsense", "|at+rsi_fwversion?", "hello", "at+rsi_fwversion", "at+rsi_", "AT", "at+rsi_ABRD",
        ])
    func unknownCommand(line: String) {
        var bench = Bench.withBluetooth()
        #expect(bench.command(line) == "ERROR FFF8\r\n")
    }

    @Test("answers an unknown Bluetooth command with 4FF8", arguments: ["nonsense", "", "getlocalbdaddr", "btinit?"])
    func unknownBluetoothCommand(name: String) {
        var bench = Bench.withBluetooth()
        #expect(bench.command("at+rsibt_" + name) == "ERROR 4FF8\r\n")
    }

    @Test("reads command names in any case")
    func commandCase() {
        var bench = Bench.withBluetooth()
        #expect(bench.command("AT+RSIBT_GetLocalBDAddr?") == "OK 88-DA-1A-E8-06-6F\r\n")
    }

    @Test("takes a NUL before the line end")
    func nulLineEnd() {
        var bench = Bench.withFirmware()
        #expect(bench.type("at+rsi_reset\0\r\n") == "OK\r\n")
    }

    @Test("takes a line end only when it is complete")
    func lineEnd() {
        var bench = Bench.withFirmware()
        #expect(bench.type("at+rsi_reset\n") == "")
        #expect(bench.type("\r\r\n") == "ERROR FFF8\r\n")
    }

    @Test("ignores empty lines and echoes nothing")
    func emptyLine() {
        var bench = Bench.withFirmware()
        #expect(bench.type("\r\n\0\r\nat+rsi_re") == "")
    }

    @Test("answers an over-long line with one 003E and takes the next command")
    func overlongLine() {
        var bench = Bench.withFirmware()
        #expect(bench.command(String(repeating: "a", count: 1024)) == "ERROR FFF8\r\n")
        #expect(bench.command(String(repeating: "a", count: 1025)) == "ERROR 003E\r\n")
        #expect(bench.command(String(repeating: "a", count: 100_000)) == "ERROR 003E\r\n")
        #expect(bench.command("at+rsi_reset") == "OK\r\n")
    }

    @Test("sets a power mode after opermode only")
    func powerMode() {
        var bench = Bench.withFirmware()
        #expect(bench.command("at+rsi_pwmode=2,1,1") == "ERROR 0021\r\n")
        _ = bench.command(Transcript.opermode)
        #expect(bench.command("at+rsi_pwmode=2,1,1") == "OK\r\n")
        #expect(bench.command("at+rsi_pwmode=1") == "ERROR 0026\r\n")
        #expect(bench.command("at+rsi_pwmode") == "ERROR FFF8\r\n")
    }

    @Test("answers a reset with OK and waits for ABRD 100 ms later, silently")
    func softReset() {
        var bench = Bench.withBluetooth()
        _ = bench.command(Transcript.start)
        #expect(bench.command("at+rsi_reset") == "OK\r\n")
        #expect(bench.scheduled.map(\.delay) == [.milliseconds(100)])
        #expect(bench.type("|") == "")
        #expect(bench.settle() == "")
        #expect(!bench.emulator.air.advertising)
        #expect(bench.type("|") == "U")
    }

    @Test("forgets a bt_loaded of an earlier life")
    func staleTimer() throws {
        var bench = Bench.withFirmware()
        _ = bench.command(Transcript.opermode)
        let timer = try #require(bench.scheduled.first?.timer)
        bench.reset()
        _ = bench.type("|U1") + bench.settle()
        _ = bench.command(Transcript.opermode)
        #expect(bench.fire(timer) == "")
        #expect(bench.command("at+rsibt_getlocalbdaddr?") == "ERROR 4D03\r\n")
    }
}

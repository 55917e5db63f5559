import BeaconModel
import EmulatedModules
import Glibc
import ModuleEmulator
import Testing

@testable import ModuleEmulatorTests

@Suite("An HM-10", .timeLimit(.minutes(10)))
struct HM10Tests {
    private static let beacon = [
        "AT+IBE0E2C56DB5", "AT+IBE1DFFB48D2", "AT+IBE2B060D0F5", "AT+IBE3A71096E0", "AT+MARJ0x0001", "AT+MINO0x0002",
        "AT+MEAS0xC5", "AT+ADVI0", "AT+ADTY3", "AT+IBEA1",
    ]

    @Test("becomes the iBeacon of the test vector after a reset, and stays it without power")
    func testVector() {
        var bench = HM10Bench()
        #expect(bench.configure(Self.beacon) == true)
        let air = OnAir(
            advertising: true, type: 131, intervalUnits: 160, data: Transcript.iBeaconBytes,
            address: BluetoothAddress(bits: 0x8833_14DD_1AE8))
        #expect(bench.emulator.air == air)
        bench.reset()
        #expect(bench.emulator.air == air)
    }

    @Test(
        "answers each command as the data sheet says",
        arguments: [
            ("AT", "OK"), ("AT+ADDR?", "OK+ADDR:883314DD1AE8"), ("AT+VERS?", "HMSoft V552"),
            ("AT+VERR?", "HMSoft V552"), ("AT+NAME?", "OK+NAME:HMSoft"), ("AT+NAMEbeacon 1", "OK+Set:beacon 1"),
            ("AT+IBEA?", "OK+Get:0"), ("AT+IBEA1", "OK+Set:1"), ("AT+IBE0?", "OK+Get:0x74278BDA"),
            ("AT+IBE1?", "OK+Get:0xB6444520"), ("AT+IBE2?", "OK+Get:0x8F0C720E"), ("AT+IBE3?", "OK+Get:0xAF059935"),
            ("AT+IBE0E2C56DB5", "OK+Set:0xE2C56DB5"), ("AT+MARJ?", "OK+Get:0xFFE0"), ("AT+MINO?", "OK+Get:0xFFE1"),
            ("AT+MARJ0x0003", "OK+Set:0x0003"), ("AT+MINO0x0001", "OK+Set:0x0001"), ("AT+MEAS?", "OK+Get:0xC5"),
            ("AT+MEAS0x0A", "OK+Set:0x0A"), ("AT+ADVI?", "OK+Get:9"), ("AT+ADVIF", "OK+Set:F"),
            ("AT+ADTY?", "OK+Get:0"), ("AT+ADTY2", "OK+Set:2"), ("AT+POWE?", "OK+Get:2"), ("AT+POWE3", "OK+Set:3"),
            ("AT+BAUD?", "OK+Get:0"), ("AT+BAUD4", "OK+Set:4"), ("AT+ROLE?", "OK+Get:0"), ("AT+RESET", "OK+RESET"),
            ("AT+RENEW", "OK+RENEW"),
        ])
    func commands(command: String, reply: String) {
        var bench = HM10Bench()
        #expect(bench.command(command) == reply)
    }

    @Test(
        "says nothing to what it doesn't understand",
        arguments: [
            "", "at", "AT\r\n", "AT+", "AT+NONSENSE", "AT+IBEA2", "AT+IBEA", "AT+IBE4?", "AT+IBE012345",
            "AT+IBE0E2C56DB", "AT+IBE0E2C56DBG", "AT+IBE0e2c56db5", "AT+IBE0E2C56DB5A", "AT+MARJ1", "AT+MARJ0x1",
            "AT+MARJ0x12345", "AT+MARJ0X0001", "AT+MEA0xC5", "AT+ADVIG", "AT+ADTY4", "AT+POWE4", "AT+BAUD9",
            "AT+NAME", "AT+NAMEthirteenchars", "AT+IBEA1AT+RESET", "AT+MARJ\u{662}\u{663}", "AT+IBE0-1234567",
        ])
    func silence(command: String) {
        var bench = HM10Bench()
        #expect(bench.command(command) == "")
        #expect(bench.command("AT") == "OK")
    }

    @Test("takes each setting back from its flash", arguments: ["AT+MARJ", "AT+MINO"])
    func numbers(name: String) {
        var bench = HM10Bench()
        for value in ["0x0000", "0x000A", "0xFFFF"] {
            #expect(bench.command(name + value) == "OK+Set:" + value)
            #expect(bench.command(name + "?") == "OK+Get:" + value)
        }
    }

    @Test("changes nothing on the air before a reset, which takes half a second")
    func reset() {
        var bench = HM10Bench()
        let before = bench.emulator.air
        #expect(before.data == [2, 1, 6, 3, 2, 0xE0, 0xFF])
        #expect(before.intervalUnits == 2056 && before.type == 128)
        _ = bench.command("AT+IBEA1") + bench.command("AT+POWE3")
        #expect(bench.emulator.air == before)
        #expect(bench.emulator.transmitPower == 0)
        #expect(bench.type("AT+RESET") + bench.fireNext() + bench.fireNext() == "OK+RESET")
        #expect(bench.scheduled.map(\.delay) == [.milliseconds(500)])
        #expect(!bench.emulator.air.advertising)
        #expect(bench.type("AT") == "")
        _ = bench.settle()
        #expect(bench.emulator.air.data.count == 30)
        #expect(bench.emulator.transmitPower == 6)
        #expect(bench.command("AT") == "OK")
    }

    @Test("goes back to the factory settings")
    func renew() {
        var bench = HM10Bench { $0.baud = 115_200 }
        bench.baud = 115_200
        #expect(bench.configure(Self.beacon) == true)
        #expect(bench.command("AT+RENEW") == "OK+RENEW")
        #expect(bench.emulator.air.data == Transcript.iBeaconBytes)
        _ = bench.command("AT+RESET")
        bench.baud = 9600
        #expect(bench.command("AT+IBEA?") == "OK+Get:0")
        #expect(bench.emulator.air == HM10Bench().emulator.air)
    }

    @Test(
        "advertises at the interval of the table",
        arguments: zip(
            "0123456789ABCDEF",
            [
                100, 152.5, 211.25, 318.75, 417.5, 546.25, 760, 852.5, 1022.5, 1285, 2000, 3000, 4000, 5000, 6000,
                7000,
            ]))
    func intervals(parameter: Character, milliseconds: Double) {
        var bench = HM10Bench()
        #expect(bench.configure(["AT+ADVI\(parameter)"]) == true)
        #expect(Double(bench.emulator.air.intervalUnits) * 0.625 == milliseconds)
    }

    @Test("advertises by its type", arguments: [(0, 128), (1, 128), (2, 130), (3, 131)])
    func advertisingTypes(parameter: Int, type: Int) {
        var bench = HM10Bench()
        #expect(bench.configure(["AT+ADTY\(parameter)"]) == true)
        #expect(bench.emulator.air.type == type)
        _ = bench.connect()
        #expect(bench.emulator.air.advertising == (parameter > 1))
    }

    @Test("ends a command by silence only, which may take two looks")
    func gap() {
        var bench = HM10Bench()
        #expect(bench.type("A") == "")
        #expect(bench.scheduled.map(\.delay) == [.milliseconds(50)])
        #expect(bench.type("T") + bench.fireNext() == "")
        #expect(bench.type("+ADDR?") + bench.fireNext() == "")
        #expect(bench.fireNext() == "OK+ADDR:883314DD1AE8")
        #expect(bench.scheduled.isEmpty)
    }

    @Test("gives its whole attention to a central until AT ends the connection")
    func connection() {
        var bench = HM10Bench()
        #expect(bench.connect() == "")
        #expect(!bench.emulator.air.advertising)
        #expect(bench.command("AT+IBEA?") == "")
        #expect(bench.command("AT") == "OK+LOST")
        #expect(bench.emulator.air.advertising)
        #expect(bench.command("AT") == "OK")
        bench = HM10Bench { $0.centralIsConnected = true }
        #expect(bench.command("AT+RESET") == "")
        #expect(bench.disconnect() == "")
        #expect(bench.command("AT+IBEA?") == "OK+Get:0")
    }

    @Test("may announce its connections")
    func announcements() {
        var bench = HM10Bench { $0.announcesConnections = true }
        #expect(bench.connect() == "OK+CONN")
        #expect(bench.connect() == "")
        #expect(bench.disconnect() == "OK+LOST")
        #expect(bench.disconnect() == "")
    }

    @Test(
        "has one of nine rates, of which a new one takes effect after a reset",
        arguments: zip(0..<9, [9600, 19_200, 38_400, 57_600, 115_200, 4800, 2400, 1200, 230_400]))
    func rates(parameter: Int, baud: Int) {
        var bench = HM10Bench { $0.baud = baud }
        if baud != 9600 { #expect(bench.command("AT") == "") }
        bench.baud = baud
        #expect(bench.command("AT+BAUD?") == "OK+Get:\(parameter)")
        bench = HM10Bench()
        #expect(bench.command("AT+BAUD\(parameter)") == "OK+Set:\(parameter)")
        #expect(bench.command("AT") == "OK")
        bench.reset()
        bench.baud = baud
        #expect(bench.command("AT") == "OK")
    }

    @Test("runs on a pseudo-terminal, whose plug may be pulled")
    func pseudoTerminal() throws {
        var options = HM10Emulator.Options()
        options.commandGap = .milliseconds(5)
        options.rebootDelay = .milliseconds(5)
        let module = try EmulatedModule(HM10Emulator(options: options))
        defer { module.stop() }
        #expect(module.currentAir.advertising)
        let client = try SerialClient(module.portPath)
        client.set(speed: B9600)
        try client.type("AT+IBEA1")
        #expect(try client.read(until: "1") == "OK+Set:1")
        module.unplug()
        #expect(!module.currentAir.advertising)
        try module.plug()
        #expect(module.currentAir.data.count == 30)
        let next = try SerialClient(module.portPath)
        next.set(speed: B9600)
        try next.type("AT+IBEA?")
        #expect(try next.read(until: "1") == "OK+Get:1")
        #expect(module.centralConnects())
        try next.type("AT")
        #expect(try next.read(until: "LOST") == "OK+LOST")
    }
}

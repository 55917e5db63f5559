import EmulatedModules
import Glibc
import ModuleEmulator
import Testing

@testable import ModuleEmulatorTests

@Suite("The rate of the serial line", .timeLimit(.minutes(10)))
struct BaudTests {
    @Test(
        "is measured at the ABRD byte",
        arguments: [9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600])
    func measured(baud: Int) {
        var bench = Bench()
        bench.baud = baud
        #expect(bench.type("|U") == "U" + Transcript.menu)
    }

    @Test("gets no answer when the module can't have it", arguments: [0, 300, 4800, 1_000_000, -1])
    func unknownRate(baud: Int) {
        var bench = Bench()
        bench.baud = baud
        #expect(bench.type("|U") == "")
        bench.baud = 115_200
        #expect(bench.type("|") == "U")
    }

    @Test("stays until a reset, and at another one both read garbage that is never ASCII")
    func mismatch() {
        var bench = Bench()
        _ = bench.type("|U")
        bench.baud = 9600
        let garbage = bench.type("1")
        #expect(garbage.unicodeScalars.count == Transcript.invalidOption.unicodeScalars.count)
        #expect(garbage.unicodeScalars.allSatisfy { $0.value >= 0x80 })
        bench.baud = 115_200
        #expect(bench.type("x") == Transcript.invalidOption)
        bench.reset()
        bench.baud = 9600
        #expect(bench.type("|") == "U")
    }

    @Test("of a module that is found past the ABRD byte is an option")
    func initialRate() {
        var bench = Bench.withFirmware { $0.baud = 9600 }
        #expect(bench.command("at+rsi_fwversion?") == "")
        bench.baud = 9600
        // The garbage is still in the line.
        #expect(bench.command("at+rsi_fwversion?") == "ERROR FFF8\r\n")
        #expect(bench.command("at+rsi_fwversion?") == "OK1610.2.5.2.0.4\0\r\n")
    }

    @Test("garbles what the module says by itself, too")
    func unsolicited() {
        var bench = Bench.withBluetooth()
        _ = bench.command("at+rsibt_advertise=1,128,0,0,0,160,160,0,7")
        bench.baud = 9600
        _ = bench.type("x")
        #expect(bench.connect().unicodeScalars.allSatisfy { $0.value >= 0x80 })
    }

    @Test("means nothing to native USB")
    func nativeUSB() {
        var bench = Bench { $0.portVanishesOnReset = true }
        bench.baud = 300
        #expect(bench.type("|") == "U")
        bench.baud = 115_200
        #expect(bench.type("U") == Transcript.menu)
    }

    @Test("is 115200 after a bypass")
    func bypass() {
        var bench = Bench {
            $0.bypassesBootloader = true
            $0.baud = 9600
        }
        #expect(bench.command("at+rsi_fwversion?") == "OK1610.2.5.2.0.4\0\r\n")
    }

    @Test("is read from the pseudo-terminal")
    func pseudoTerminal() throws {
        var options = RS9116Emulator.Options()
        options.initialState = .menu
        options.baud = 9600
        let module = try EmulatedModule(options: options)
        defer { module.stop() }
        let client = try SerialClient(module.portPath)
        client.set(speed: B9600)
        try client.type("x")
        #expect(try client.read(until: Transcript.invalidOption) == Transcript.invalidOption)
        module.pressReset()
        client.set(speed: B230400)
        try client.type("|")
        #expect(try client.read(until: "U") == "U")
    }
}

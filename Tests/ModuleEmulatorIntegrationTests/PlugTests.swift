import EmulatedModules
import Glibc
import ModuleEmulator
import SystemIO
import TestSupport
import Testing

@testable import ModuleEmulatorTests

@Suite("The port of an emulated module", .timeLimit(.minutes(10)))
struct PlugTests {
    private static func running(_ change: (inout RS9116Emulator.Options) -> Void = { _ in }) -> RS9116Emulator.Options {
        var options = RS9116Emulator.Options()
        options.initialState = .atMode(opermodeDone: true)
        options.resetDelay = .milliseconds(5)
        options.portAbsence = .milliseconds(5)
        change(&options)
        return options
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    @Test("goes away with the plug, and the module forgets everything but its flash")
    func plug() throws {
        let directory = try TemporaryDirectory()
        let (first, second) = (directory.path + "/first", directory.path + "/second")
        let module = try EmulatedModule(options: Self.running(), link: first)
        defer { module.stop() }
        let client = try SerialClient(module.portPath)
        try client.type(Transcript.start + "\r\n")
        #expect(try client.read(until: "\r\n") == "OK\r\n")
        #expect(module.currentAir.advertising)

        module.unplug()
        #expect(try client.waitForHangUp())
        #expect(!Self.exists(first))
        #expect(!module.currentAir.advertising)
        module.pressReset()
        #expect(!module.centralConnects())

        try module.plug(link: second)
        #expect(Self.exists(second))
        let next = try SerialClient(second)
        try next.type("|")
        #expect(try next.read(until: "U") == "U")
        let direct = try SerialClient(module.portPath)
        try direct.type("U")
        #expect(try direct.read(until: "JTAG Selection\r\n") == Transcript.menu)
    }

    @Test("says why it can't be plugged in")
    func occupiedLink() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("file", "")
        let module = try EmulatedModule(options: Self.running())
        module.unplug()
        #expect(throws: PortLinkOccupied.self) { try module.plug(link: file) }
        try module.plug()
        try module.plug(link: file)
        #expect(try !SerialClient(module.portPath).isClaimed)
        module.stop()
        #expect(throws: (any Error).self) { try module.plug() }
    }

    @Test("of native USB vanishes at a reset and comes back under the same link")
    func vanishing() async throws {
        let directory = try TemporaryDirectory()
        let link = directory.path + "/module"
        let module = try EmulatedModule(options: Self.running { $0.portVanishesOnReset = true }, link: link)
        defer { module.stop() }
        do {
            let client = try SerialClient(link)
            try client.type(Transcript.start + "\r\n")
            _ = try client.read(until: "\r\n")
            try client.type("at+rsi_reset\r\n")
            #expect(try client.waitForHangUp())
        }
        let deadline = ContinuousClock.now + .seconds(10)
        while !Self.exists(link), .now < deadline { await Task.yield() }
        let client = try SerialClient(link)
        try client.type("|")
        #expect(try client.read(until: "U") == "U")
        #expect(!module.currentAir.advertising)
    }

    @Test("tells of a central, of what is heard, and of other modules")
    func radio() throws {
        let listener = try EmulatedModule(options: Self.running())
        let sender = try EmulatedModule(options: Self.running())
        let air = try EmulatedAir([listener, sender]) { from, to in Int8(-50 - 10 * from - to) }
        defer {
            air.stop()
            listener.stop()
            sender.stop()
        }
        let client = try SerialClient(listener.portPath)
        try client.type("at+rsibt_scan=1,0,0,0,100,10\r\n")
        #expect(try client.read(until: "\r\n") == "OK\r\n")
        let other = try SerialClient(sender.portPath)
        try other.type("at+rsibt_setadvertisedata=1,7\r\nat+rsibt_advertise=1,128,0,0,0,32,32,0,7\r\n")
        let report =
            "AT+RSIBT_ADVRTISE,addr_type:0,addr:88-DA-1A-E8-06-6F,RSSI:-60,Type:0,adv_data_len:1,adv_data:7\r\n"
        #expect(try client.read(until: "\r\n") == report)
        #expect(try client.read(until: "\r\n") == report)
        #expect(try other.read(until: "OK\r\nOK\r\n") == "OK\r\nOK\r\n")
        #expect(sender.centralConnects())
        #expect(try other.read(until: "00-00\r\n").hasPrefix("AT+RSIBT_LE_DEVICE_ENHANCE_CONNECTED=1,"))
        #expect(!sender.currentAir.advertising)
        #expect(sender.centralDisconnects())
        #expect(try other.read(until: "\r\n") == "AT+RSIBT_LE_DISCONNECTED 6B-63-FE-FE-3D-FD,4E13\r\n")
    }
}

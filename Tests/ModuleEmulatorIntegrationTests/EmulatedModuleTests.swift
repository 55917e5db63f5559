import BeaconModel
import EmulatedModules
import Glibc
import ModuleEmulator
import SystemIO
import Testing

@testable import ModuleEmulatorTests

@Suite("An emulated module", .timeLimit(.minutes(10)))
struct EmulatedModuleTests {
    /// Delays that keep the tests short.
    private static var quick: RS9116Emulator.Options {
        var options = RS9116Emulator.Options()
        options.loadingDelay = .milliseconds(5)
        options.bluetoothLoadingDelay = .milliseconds(5)
        options.resetDelay = .milliseconds(5)
        return options
    }

    private static func temporaryPath() -> String {
        "/tmp/module-emulator-test-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    }

    @Test("advertises the test vector after a whole session over its port")
    func session() async throws {
        let module = try EmulatedModule(options: Self.quick)
        defer { module.stop() }
        let client = try SerialClient(module.portPath)
        let ends = [
            "U", "JTAG Selection\r\n", "Loading Done\r\n", "\0\r\n", "bt_loaded\r\n", "OK\r\n", "-6F\r\n", "OK\r\n",
            "OK\r\n",
        ]
        for (text, end) in zip(Transcript.session, ends) {
            try client.type(text)
            #expect(try client.read(until: end).hasSuffix(end))
        }
        #expect(module.currentAir.data == Transcript.iBeaconBytes)
        var changes = module.airChanges.makeAsyncIterator()
        #expect(await changes.next() == module.currentAir)
    }

    @Test("tells each change on the air once, and that all ends when it is stopped")
    func changes() async throws {
        var options = Self.quick
        options.initialState = .atMode(opermodeDone: true)
        let module = try EmulatedModule(options: options)
        let client = try SerialClient(module.portPath)
        try client.type("at+rsibt_setadvertisedata=1,1\r\n\(Transcript.start)\r\n\(Transcript.start)\r\n")
        try client.type("at+rsibt_setadvertisedata=1,2\r\n\(Transcript.stop)\r\n\(Transcript.start)\r\n")
        try client.type("at+rsi_fwversion?\r\n")
        _ = try client.read(until: "\0\r\n")
        module.stop()
        let data = await module.airChanges.reduce(into: [[UInt8]]()) { $0.append($1.data) }
        #expect(data == [[1], [2], [], [2], []])
    }

    @Test("survives clients that come and go")
    func reopening() throws {
        let module = try EmulatedModule(options: Self.quick)
        defer { module.stop() }
        for _ in 0..<3 {
            let client = try SerialClient(module.portPath)
            try client.type("|")
            #expect(try client.read(until: "U") == "U")
        }
    }

    @Test("lets the next client in after one that claimed the port for itself")
    func exclusiveClient() throws {
        let module = try EmulatedModule(options: Self.quick)
        defer { module.stop() }
        let observer = try SerialClient(module.portPath)
        do {
            let client = try SerialClient(module.portPath)
            client.claim()
            let isClaimed = observer.isClaimed
            #expect(isClaimed)
        }
        let deadline = ContinuousClock.now + .seconds(10)
        var isClaimed = true
        while isClaimed, .now < deadline {
            isClaimed = observer.isClaimed
            sched_yield()
        }
        #expect(!isClaimed)
    }

    @Test("waits for ABRD once its button is pressed")
    func resetButton() async throws {
        var options = Self.quick
        options.initialState = .atMode(opermodeDone: true)
        let module = try EmulatedModule(options: options)
        defer { module.stop() }
        let client = try SerialClient(module.portPath)
        try client.type(Transcript.start + "\r\n")
        #expect(try client.read(until: "\r\n") == "OK\r\n")
        #expect(module.currentAir.advertising)
        module.pressReset()
        var changes = module.airChanges.makeAsyncIterator()
        #expect(await changes.next()?.advertising == true)
        #expect(await changes.next()?.advertising == false)
        try client.type("|")
        #expect(try client.read(until: "U") == "U")
    }

    @Test("delivers every byte in a chunk of its own when it is told to")
    func singleBytes() throws {
        var options = Self.quick
        options.oneBytePerChunk = true
        let module = try EmulatedModule(options: options)
        defer { module.stop() }
        let client = try SerialClient(module.portPath)
        try client.type("|U")
        #expect(try client.read(until: "JTAG Selection\r\n") == "U" + Transcript.menu)
    }

    @Test("is reached through its link, which takes the place of an old one and is gone after a stop")
    func link() throws {
        let path = Self.temporaryPath()
        #expect(symlink("/nowhere", path) == 0)
        let module = try EmulatedModule(options: Self.quick, link: path)
        let client = try SerialClient(path)
        try client.type("|")
        #expect(try client.read(until: "U") == "U")
        module.stop()
        var status = stat()
        #expect(lstat(path, &status) == -1)
    }

    @Test("refuses to put its link in the place of a file, and leaves the file alone")
    func occupiedLink() throws {
        let path = Self.temporaryPath()
        try FileContents.replace(path, with: [1])
        defer { unlink(path) }
        #expect(throws: PortLinkOccupied.self) { try EmulatedModule(link: path) }
        #expect(try FileContents.read(path, limit: 10) == [1])
    }

    @Test("can be stopped again and is silent afterwards")
    func stopTwice() throws {
        var options = Self.quick
        options.initialState = .atMode(opermodeDone: true)
        let module = try EmulatedModule(options: options)
        let client = try SerialClient(module.portPath)
        try client.type(Transcript.start + "\r\n")
        _ = try client.read(until: "\r\n")
        module.stop()
        module.stop()
        #expect(!module.currentAir.advertising)
    }

    @Test("keeps tens of kilobytes for a client that reads late")
    func lateReader() throws {
        var options = Self.quick
        options.initialState = .menu
        let module = try EmulatedModule(options: options)
        defer { module.stop() }
        let client = try SerialClient(module.portPath)
        // More than the 4 KiB that the system keeps.
        try client.type(String(repeating: "x", count: 900))
        try client.type("1")
        let answer = String(repeating: Transcript.invalidOption, count: 900) + "1\r\nLoading...\r\nLoading Done\r\n"
        #expect(try client.read(until: "Loading Done\r\n") == answer)
    }
}

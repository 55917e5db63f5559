import ModuleEmulator
import TestValues
import Testing

@Suite("Hostile input")
struct HostileInputTests {
    private static let states: [RS9116Emulator.Options.InitialState] = [
        .waitingForABRD, .menu, .firmwareLoaded, .atMode(opermodeDone: false), .atMode(opermodeDone: true),
        .binaryMode,
    ]

    @Test("of random bytes never traps, and puts at most 31 bytes on the air")
    func randomBytes() {
        var generator = SeededGenerator("random bytes to the emulator")
        for state in Self.states {
            var bench = Bench { $0.initialState = state }
            for _ in 0..<40 {
                let bytes = (0..<500).map { _ in UInt8.random(in: 0...255, using: &generator) }
                _ = bench.type(bytes: bytes)
                _ = bench.settle()
                #expect(bench.emulator.air.data.count <= 31)
            }
        }
    }

    @Test("of commands with random parameters never traps, and each gets one answer")
    func randomCommands() {
        var generator = SeededGenerator("random commands to the emulator")
        let names = [
            "at+rsi_opermode", "at+rsi_pwmode", "at+rsibt_advertise", "at+rsibt_setadvertisedata", "at+rsibt_scan",
            "at+rsibt_setlocalname", "at+rsibt_setrandadd", "at+rsibt_getrssi", "at+rsibt_lewhitelist",
            "at+rsibt_setantennatxpowerlevel", "at+rsi_fwversion", "at+rsibt_btdeinit", "at+rsibt_btinit",
        ]
        let alphabet = Array("0123456789AFfx,,,,,-?=|\0 ".utf8)
        var bench = Bench.withBluetooth { $0.nulInVersionReply = false }
        for _ in 0..<5000 {
            let name = names.randomElement(using: &generator) ?? ""
            let count = Int.random(in: 0...60, using: &generator)
            let parameters = (0..<count).compactMap { _ in alphabet.randomElement(using: &generator) }
            let answer = bench.type(bytes: Array(name.utf8) + parameters + [0x0D, 0x0A])
            #expect(answer.hasSuffix("\r\n"))
            #expect(answer.hasPrefix("OK") || answer.hasPrefix("ERROR "))
            #expect(answer.count { $0 == "\r\n" } == 1)
        }
    }

    @Test("of every truncation of a session leaves a module that a reset brings back")
    func truncations() {
        let session = Array(Transcript.session.joined().utf8)
        for length in 0...session.count {
            var bench = Bench()
            for byte in session.prefix(length) { _ = bench.type(bytes: [byte]) + bench.settle() }
            bench.reset()
            let answers = Transcript.session.map { bench.type($0) + bench.settle() }
            #expect(answers.last == "OK\r\n")
            #expect(bench.emulator.air.data == Transcript.iBeaconBytes)
        }
    }

    @Test("of a session with one changed byte never traps")
    func changedBytes() {
        let session = Array(Transcript.session.joined().utf8)
        for index in session.indices {
            for mask: UInt8 in [0x01, 0x80, 0x20] {
                var bench = Bench()
                var changed = session
                changed[index] ^= mask
                for byte in changed { _ = bench.type(bytes: [byte]) + bench.settle() }
            }
        }
    }

    @Test("without an end is kept in bounded memory")
    func endlessLine() {
        var bench = Bench.withFirmware()
        #expect(bench.type(bytes: [UInt8](repeating: 0x61, count: 1_000_000)) == "")
        let kept = String(describing: bench.emulator).utf8.count
        #expect(kept < 20_000)
    }

    @Test("of nonsense options never traps")
    func nonsenseOptions() {
        var bench = Bench {
            $0.extraBlankLines = -1
            $0.corruptedBytePeriod = -1
            $0.droppedBytePeriod = .min
            $0.silentResetAfterCommands = -1
            $0.loadingDelay = .seconds(-1)
            $0.firmwareVersion = ""
        }
        let answers = Transcript.session.map { bench.type($0) + bench.settle() }
        #expect(answers.last == "OK\r\n")
    }
}

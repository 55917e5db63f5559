import BeaconModel
import SystemIO
import TestValues
import Testing

@testable import ModuleDialogues
@testable import ModuleDialoguesTests
@testable import ModuleEmulator

@Suite struct ModuleProbeTests {
    typealias Options = RS9116Emulator.Options

    private static func probe(
        wired: Bool = false, _ change: (inout Options) -> Void = { _ in }
    ) -> (line: EmulatedSerialLine, violations: [String]) {
        var options = Options()
        change(&options)
        let violations = Violations()
        var line = EmulatedSerialLine(probing: RS9116Emulator(options: options))
        line.controlLinesReset = wired
        line.watch = { violations.check($0, $1) }
        line.run()
        return (line, violations.all)
    }

    /// Bytes that a boot loader must never get.
    private final class Violations {
        private(set) var all: [String] = []

        func check(_ module: any EmulatedFirmware, _ byte: UInt8) {
            switch (module as? RS9116Emulator)?.state {
            // The letters of the driver's one question to a module in an unknown state, the handshake, and the keys.
            case .menu:
                let allowed = Set("at+rsi_fwversion?\r\n".utf8).union([
                    0x7C, 0x1C, UInt8(ascii: "U"), UInt8(ascii: "1"),
                ])
                if !allowed.contains(byte) { all.append("0x\(String(byte, radix: 16)) at the menu") }
            case .imageNumber, .burning, .halted: all.append("beyond the menu")
            default: break
            }
        }
    }

    @Test("An ordinary module: every question gets its answer, and the module is left reset and silent")
    func ordinary() throws {
        let (line, violations) = Self.probe()
        let report = try #require(line.probed)
        #expect(violations.isEmpty)
        #expect(line.now < .seconds(30))
        #expect(!line.air.advertising)
        guard case .waitingForABRD? = (line.module as? RS9116Emulator)?.state else {
            Issue.record("not reset")
            return
        }
        #expect(report.address == BluetoothAddress("88:DA:1A:E8:06:6F"))
        #expect(report.firmware == "1610.2.5.2.0.4")
        var expected = RS9116Profile()
        for assumption in RS9116Assumption.probed { expected[assumption] = assumption != .controlLinesReset }
        #expect(report.profile == expected)
        let conclusions = Dictionary(report.findings.map { ($0.question, $0.conclusion) }) { first, _ in first }
        #expect(conclusions["handshake 0x1C"] == "accepted")
        #expect(conclusions["stop with one parameter"]?.hasPrefix("ERROR 4E12") == true)
        #expect(conclusions["stop while stopped"] == "OK")
        #expect(conclusions["set data while advertising"] == "OK")
        #expect(conclusions["getdevstate while advertising"] == "OK: 1")
        let time = report.findings.first { $0.question.hasPrefix("time from") }?.milliseconds
        #expect(time.map { (100...300).contains($0) } == true, "\(String(describing: time))")
        #expect(report.findings.first { $0.question == "bt_loaded" }?.milliseconds == 300)
    }

    @Test("A module whose DTR and RTS are wired to its reset is found to have them")
    func wired() throws {
        let (line, _) = Self.probe(wired: true)
        #expect(try #require(line.probed).profile[.controlLinesReset] == true)
    }

    /// One change to the emulator that a probe may meet, and whether it can get at the module at all.
    static let variations: [(name: String, change: @Sendable (inout Options) -> Void)] = [
        ("only 0x7C", { $0.acceptedABRD = .verticalBar }), ("only 0x1C", { $0.acceptedABRD = .fileSeparator }),
        ("Silicon Labs", { $0.bootloader = .siliconLabs }), ("blank lines", { $0.extraBlankLines = 3 }),
        ("warnings", { $0.bootWarnings = [.configurationNotSaved, .checksumFailed] }),
        ("no NUL", { $0.nulInVersionReply = false }), ("binary errors", { $0.commonErrors = .binary }),
        ("unannounced Bluetooth", { $0.bluetoothStart = .unannounced }),
        ("no Bluetooth", { $0.bluetoothStart = .never }),
        ("connectable only", { $0.nonConnectableRejection = 0x4E11 }), ("name only", { $0.localNameReply = .nameOnly }),
        ("no name", { $0.localNameReply = .refused }), ("name refused", { $0.refusesLocalName = 0x4FF8 }),
        ("state always zero", { $0.deviceStateIsAlwaysZero = true }),
        ("data refused while advertising", { $0.advertisingDataWhileAdvertising = .refused }),
        ("stop while stopped refused", { $0.stopWhileStoppedIsDisallowed = true }),
        ("short stop only", { $0.stopForm = .statusOnly }), ("either stop", { $0.stopForm = .either }),
        ("double start", { $0.doubleStart = .accepted }), ("power refused", { $0.powerInOpermodeRejection = 0x26 }),
        ("silent reset command", { $0.softReset = .worksSilently }), ("reset ignored", { $0.softReset = .ignored }),
        ("reset refused", { $0.softReset = .refused }), ("loading unannounced", { $0.loadingIsAnnounced = false }),
        ("lost replies", { $0.lostReplies = [3, 9, 14] }), ("noise", { $0.invalidOptionNoise = true }),
        ("events", { $0.eventBeforeOK = true }), ("slow loading", { $0.loadingDelay = .seconds(8) }),
        ("slow Bluetooth", { $0.bluetoothLoadingDelay = .seconds(8) }),
        ("slow reset", { $0.resetDelay = .milliseconds(900) }),
        ("slow replies", { $0.responseDelay = .milliseconds(300) }),
        ("at the menu", { $0.initialState = .menu }), ("firmware loaded", { $0.initialState = .firmwareLoaded }),
        ("running", { $0.initialState = .atMode(opermodeDone: false) }),
        ("running with Bluetooth", { $0.initialState = .atMode(opermodeDone: true) }),
        ("binary mode", { $0.initialState = .binaryMode }), ("bypass", { $0.bypassesBootloader = true }),
        ("resets itself", { $0.silentResets = [8] }),
        ("resets itself often", { $0.silentResets = [3, 8, 13, 18, 23] }),
        ("mute", { $0.isMute = true }), ("bytes one by one", { $0.oneBytePerChunk = true }),
        ("damaged bytes", { $0.corruptedBytePeriod = 97 }), ("lost bytes", { $0.droppedBytePeriod = 101 }),
        ("garbage", { $0.corruptedBytePeriod = 1 }), ("no firmware", { $0.imageIsMissing = true }),
        (
            "another rate",
            {
                $0.initialState = .menu
                $0.baud = 9600
            }
        ),
    ]

    private static func check(_ name: String, wired: Bool, _ change: (inout Options) -> Void) {
        let (line, violations) = probe(wired: wired, change)
        #expect(violations.isEmpty, "\(name): \(violations)")
        #expect(line.probed != nil || line.failure != nil, "\(name)")
        #expect(line.now < .seconds(100), "\(name): \(line.now)")
        if line.probed != nil { #expect(line.now < .seconds(95), "\(name): \(line.now)") }
        for bytes in line.sent {
            let text = String(decoding: bytes, as: UTF8.self)
            let isAllowed =
                bytes.count == 1
                ? [0x7C, 0x1C, 0x55, 0x31].contains(bytes[0])
                : text.hasPrefix("at+rsi") || text == "\r\n"
            #expect(isAllowed, "\(name): \(text)")
            for word in ["per", "transmit", "receive", "cwmode", "test", "gain", "pwmode", "cfg"] {
                #expect(!text.lowercased().contains("_" + word) && !text.contains("_ble" + word), "\(name): \(text)")
            }
        }
        if let report = line.probed {
            let file = RS9116ProfileFile(report, date: "2020-11-15T12:00:00.000Z", usb: "0403:6001")
            #expect((try? RS9116ProfileFile(Array(file.text.utf8))) == file, "\(name): \(file.text)")
        }
    }

    @Test("Whatever the module, the probe ends in time and never sends what could harm it")
    func harmless() async throws {
        try await DedicatedThread.run(name: "probe") {
            for variation in Self.variations {
                for wired in [false, true] { Self.check(variation.name, wired: wired, variation.change) }
            }
        }
    }

    @Test("So it does with modules that differ in several ways at once")
    func combinations() async throws {
        try await DedicatedThread.run(name: "probe") {
            let seed: UInt64 = 9116
            var generator = SeededGenerator(seed: seed)
            for round in 0..<150 {
                let chosen = (0..<Int.random(in: 2...5, using: &generator)).compactMap { _ in
                    Self.variations.randomElement(using: &generator)
                }
                let name = "seed \(seed), round \(round): " + chosen.map(\.name).joined(separator: " + ")
                Self.check(name, wired: Bool.random(using: &generator)) { options in
                    for variation in chosen { variation.change(&options) }
                }
            }
        }
    }

    @Test("A module that isn't there is named for what it is")
    func silent() {
        #expect(Self.probe { $0.isMute = true }.line.failure == .silent)
    }

    @Test("The refusal of a command that was damaged on its way teaches nothing of the module")
    func damagedCommands() {
        let byRefusal: [RS9116Assumption] = [
            .nonConnectable, .doubleStartRefused, .stopTakesAllParameters, .powerInOperatingMode,
        ]
        var reports = 0
        for seed in 1...200 as ClosedRange<UInt64> {
            let (line, _) = Self.probe {
                $0.damagedInput = 0.002
                $0.seed = seed
            }
            guard let profile = line.probed?.profile else { continue }
            reports += 1
            for assumption in byRefusal {
                #expect(profile[assumption] != false, "\(assumption), seed \(seed)")
            }
        }
        #expect(reports > 150)
    }

    @Test("A module that resets itself on the way is tried again, and nothing wrong is learnt from its silence")
    func resetsItself() throws {
        for command in 1...40 {
            let (line, _) = Self.probe { $0.silentResets = [command] }
            let profile = try #require(line.probed, "\(command) \(String(describing: line.failure))").profile
            for assumption in RS9116Assumption.allCases where assumption != .controlLinesReset {
                #expect(profile[assumption] != false, "\(assumption) after \(command)")
            }
        }
    }
}

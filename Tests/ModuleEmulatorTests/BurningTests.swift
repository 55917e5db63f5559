import Testing

@testable import ModuleEmulator

@Suite("Burning firmware")
struct BurningTests {
    private static let success =
        "\r\nSafe Upgrade in Progress ...\r\n\r\nUpgradation Successful\r\n\r\nEnter Next Command\r\n"
    private static let failure = "\r\nUpgradation Failed\r\n\r\nEnter Next Command\r\n"

    private static func menu(_ change: (inout RS9116Emulator.Options) -> Void = { _ in }) -> Bench {
        Bench {
            $0.initialState = .menu
            change(&$0)
        }
    }

    /// - Returns: what the bootloader prints after the transfer.
    private static func burn(_ file: [UInt8], into bench: inout Bench, image: String = "0") -> String {
        _ = bench.type("B" + image)
        for packet in TestKermitSender.packets(file) { _ = bench.type(bytes: packet) }
        return bench.settle()
    }

    @Test("has the check values of the reference")
    func crc() throws {
        #expect(TestFirmware.slowCRC(of: Array("123456789".utf8)) == 0x11DA_B6F8)
        let file = TestFirmware.file(body: Array(0..<16), extendedVersion: [0, 0, 0, 0])
        #expect(Array(file[0x14..<0x18]) == [0x66, 0x26, 0x1B, 0xE4])
        #expect(EmulatedImage.crc(of: file) == 0xE41B_2666)
        let image = try #require(EmulatedImage(file))
        #expect(image.isIntact)
        #expect(image.family == .rs9116w)
    }

    @Test("prints what the reference says, and then the firmware has the version of the file")
    func success() {
        var bench = Self.menu()
        #expect(bench.type("B") == "B\r\nEnter Wireless Image No(0-f)\r\n")
        #expect(bench.type("0") == "0\r\nSend NWP firmware(*.rps)         \r\n")
        let file = TestFirmware.file(body: TestFirmware.body)
        for packet in TestKermitSender.packets(file) { _ = bench.type(bytes: packet) }
        #expect(bench.settle() == Self.success)
        #expect(bench.emulator.flashImage(0) == file)
        #expect(bench.type("K0").contains("0\r\nIntegrity Passed\r\n"))
        #expect(bench.type("1") + bench.settle() == "1\r\nLoading...\r\nLoading Done\r\n")
        #expect(bench.command("at+rsi_fwversion?") == "OK1610.2.12.0.0.3\0\r\n")
        bench.reset()
        #expect(bench.emulator.flashImage(0) == file)
    }

    @Test("of one image leaves the others alone")
    func otherImage() {
        var bench = Self.menu()
        #expect(Self.burn(TestFirmware.file(body: [1]), into: &bench, image: "f") == Self.success)
        #expect(bench.emulator.flashImage(0) == nil)
        #expect(bench.emulator.flashImage(15) != nil)
        #expect(bench.emulator.flashImage(-1) == nil && bench.emulator.flashImage(1000) == nil)
        #expect(bench.type("1") + bench.settle() == "1\r\nLoading...\r\nLoading Done\r\n")
        #expect(bench.command("at+rsi_fwversion?") == "OK1610.2.5.2.0.4\0\r\n")
    }

    @Test("brings a module without firmware to life")
    func missingImage() {
        var bench = Self.menu { $0.imageIsMissing = true }
        #expect(Self.burn(TestFirmware.file(body: [1]), into: &bench) == Self.success)
        #expect(bench.type("1") + bench.settle() == "1\r\nLoading...\r\nLoading Done\r\n")
    }

    @Test("leaves damaged firmware in the flash when only its CRC is wrong")
    func wrongCRC() {
        var bench = Self.menu()
        let progress = "\r\nSafe Upgrade in Progress ...\r\n"
        let file = TestFirmware.file(body: [1, 2, 3], crc: 1)
        #expect(Self.burn(file, into: &bench) == progress + Self.failure)
        #expect(bench.emulator.flashImage(0) == file)
        #expect(bench.type("K0").contains("0\r\nIntegrity Failed\r\n"))
        #expect(bench.type("1") + bench.settle() == "1\r\nLoading...\r\nInvalid Firmware\r\n\r\nEnter Next Command\r\n")
    }

    @Test(
        "refuses a file with another header and keeps the old firmware",
        arguments: [
            [], [UInt8](repeating: 0, count: 64), Array(TestFirmware.file(body: [1, 2]).dropLast()),
            TestFirmware.file(body: [1], extendedVersion: [0, 0, 0x11, 0x16]),
            TestFirmware.file(body: [1], extendedVersion: [0, 0, 0x12, 0x16]),
            TestFirmware.file(body: [1], flags: 0, extendedVersion: [0, 0, 0, 0]),
        ])
    func wrongHeader(file: [UInt8]) {
        var bench = Self.menu()
        #expect(Self.burn(file, into: &bench).hasSuffix(Self.failure))
        #expect(bench.emulator.flashImage(0) == nil)
        #expect(bench.type("K0").contains("0\r\nIntegrity Passed\r\n"))
    }

    @Test("takes firmware of the module's own family")
    func otherFamily() {
        var bench = Self.menu { $0.siliconFamily = .rs916w }
        let file = TestFirmware.file(body: [1], flags: 0, extendedVersion: [0, 0, 0x11, 0x16])
        #expect(Self.burn(file, into: &bench) == Self.success)
        _ = bench.type("1") + bench.settle()
        #expect(bench.command("at+rsi_fwversion?") == "OK1611.2.12.0.0.3\0\r\n")
    }

    @Test("fails with a Kermit that reads prefixes otherwise")
    func prefixing() {
        var bench = Self.menu { $0.kermitPrefixing = .alwaysControl }
        #expect(Self.burn(TestFirmware.file(body: Array("#".utf8)), into: &bench).hasSuffix(Self.failure))
    }

    @Test("ends in the menu when the sender gives up or falls silent")
    func endings() {
        var bench = Self.menu()
        _ = bench.type("B0")
        _ = bench.type(bytes: TestKermitSender.packet(0, "E"))
        #expect(bench.settle() == Self.failure)
        _ = bench.type("B0")
        _ = bench.type(bytes: TestKermitSender.packet(0, "S"))
        #expect(bench.settle() == Self.failure)
        #expect(bench.type("x") == Transcript.invalidOption)
    }

    @Test("is over after 30 seconds without a packet, of which each one counts")
    func stall() {
        var bench = Self.menu()
        _ = bench.type("B0")
        var checks = 0
        while let timer = bench.scheduled.last, checks < 10 {
            #expect(timer.delay == .seconds(10))
            bench.forgetTimers()
            if checks == 1 { _ = bench.type(bytes: TestKermitSender.packet(0, "S")) }
            if bench.fire(timer.timer) == Self.failure { break }
            checks += 1
        }
        #expect(checks == 4)
    }

    @Test("is forgotten at a reset")
    func reset() {
        var bench = Self.menu()
        _ = bench.type("B0")
        bench.reset()
        #expect(bench.settle() == "")
        #expect(bench.type("|") == "U")
    }
}

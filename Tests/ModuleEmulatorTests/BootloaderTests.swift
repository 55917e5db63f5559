import ModuleEmulator
import Testing

@Suite("The bootloader")
struct BootloaderTests {
    @Test("prints the boot transcript of the reference, byte by byte")
    func transcript() {
        var bench = Bench()
        #expect(bench.type("|") == "U")
        #expect(bench.type("U") == Transcript.menu)
        #expect(bench.type("1") == "1\r\nLoading...\r\n")
        #expect(bench.scheduled.map(\.delay) == [.milliseconds(700)])
        #expect(bench.settle() == "Loading Done\r\n")
    }

    @Test("is silent until ABRD, whatever it is sent")
    func silence() {
        var bench = Bench()
        #expect(bench.type("U1at+rsi_fwversion?\r\n") == "")
    }

    @Test("takes 0x1C for ABRD, too")
    func fileSeparator() {
        var bench = Bench()
        #expect(bench.type("\u{1C}") == "U")
    }

    @Test("answers each further ABRD byte with another U and ignores other bytes before U")
    func repeatedABRD() {
        var bench = Bench()
        #expect(bench.type("||x\r\n|") == "UUU")
        #expect(bench.type("U") == Transcript.menu)
    }

    @Test("calls any other key invalid and stays in the menu", arguments: ["\r", "\n", "x", "a", "k", "|", "\0"])
    func invalidOption(key: String) {
        var bench = Bench { $0.initialState = .menu }
        #expect(bench.type(key) == Transcript.invalidOption)
        #expect(bench.type("1") == "1\r\nLoading...\r\n")
    }

    @Test("answers the hidden key U, after which AT mode works")
    func hiddenU() {
        var bench = Bench { $0.initialState = .menu }
        #expect(bench.type("U") == "U\r\nEnter Next Command\r\n")
        _ = bench.type("1") + bench.settle()
        #expect(bench.command("at+rsi_reset") == "OK\r\n")
    }

    @Test("answers the hidden key H, after which the firmware is silent until a reset")
    func hiddenH() {
        var bench = Bench { $0.initialState = .menu }
        #expect(bench.type("H") == "H\r\nEnter Next Command\r\n")
        _ = bench.type("1") + bench.settle()
        #expect(bench.command("at+rsi_reset") == "")
        bench.reset()
        _ = bench.type("|U1") + bench.settle()
        #expect(bench.command("at+rsi_reset") == "OK\r\n")
    }

    @Test("checks the integrity of an image")
    func integrity() {
        var bench = Bench { $0.initialState = .menu }
        #expect(bench.type("K") == "K\r\nEnter Wireless Image No(0-f)\r\n")
        #expect(bench.type("0") == "0\r\nIntegrity Passed\r\n\r\nEnter Next Command\r\n")
        #expect(
            bench.type("Kf")
                == "K\r\nEnter Wireless Image No(0-f)\r\nf\r\nIntegrity Failed\r\n\r\nEnter Next Command\r\n")
    }

    @Test("asks for the image to load")
    func loadImage() {
        var bench = Bench { $0.initialState = .menu }
        #expect(bench.type("A0") == "A\r\nEnter Wireless Image No(0-f)\r\n0\r\nLoading...\r\n")
        #expect(bench.settle() == "Loading Done\r\n")
    }

    @Test("returns to the menu when the image number isn't a hexadecimal digit")
    func invalidImage() {
        var bench = Bench { $0.initialState = .menu }
        _ = bench.type("A")
        #expect(bench.type("g") == Transcript.invalidOption)
        #expect(bench.type("1") == "1\r\nLoading...\r\n")
    }

    @Test("keeps the default image across a reset")
    func defaultImage() {
        var bench = Bench { $0.initialState = .menu }
        _ = bench.type("53")
        bench.reset()
        _ = bench.type("|U1")
        #expect(!bench.settle().contains("Loading Done"))
    }

    @Test("saves the bypass options", arguments: ["7", "8"])
    func bypassKeys(key: String) {
        var bench = Bench { $0.initialState = .menu }
        #expect(bench.type(key) == key + "\r\nConfiguration Saved...\r\n")
    }

    @Test("is lost until a reset after a key that must never be sent", arguments: ["Q", "Z"])
    func forbiddenKeys(key: String) {
        var bench = Bench { $0.initialState = .menu }
        _ = bench.type(key)
        #expect(bench.type("1|U") == "")
        bench.reset()
        #expect(bench.type("|") == "U")
    }

    @Test("ignores what comes while it loads")
    func inputWhileLoading() {
        var bench = Bench { $0.initialState = .menu }
        _ = bench.type("1")
        #expect(bench.type("1\r\n") == "")
        _ = bench.settle()
        #expect(bench.command("at+rsi_reset") == "OK\r\n")
    }

    @Test("forgets the loading of an earlier life")
    func staleTimer() throws {
        var bench = Bench { $0.initialState = .menu }
        _ = bench.type("1")
        let timer = try #require(bench.scheduled.first?.timer)
        bench.reset()
        _ = bench.type("|U1")
        #expect(bench.fire(timer) == "")
        #expect(bench.settle() == "Loading Done\r\n")
    }
}

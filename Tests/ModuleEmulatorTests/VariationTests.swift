import BeaconModel
import ModuleEmulator
import Testing

@Suite("A module that varies")
struct VariationTests {
    @Test("may know only one of the two ABRD bytes")
    func acceptedABRD() {
        var bar = Bench { $0.acceptedABRD = .verticalBar }
        #expect(bar.type("\u{1C}") == "")
        #expect(bar.type("|") == "U")
        var separator = Bench { $0.acceptedABRD = .fileSeparator }
        #expect(separator.type("|") == "")
        #expect(separator.type("\u{1C}") == "U")
    }

    @Test("may have Silicon Labs' bootloader 1.1")
    func siliconLabs() {
        var bench = Bench { $0.bootloader = .siliconLabs }
        #expect(bench.type("\u{1C}") == "Enter 'U'\r\n")
        #expect(bench.type("|") == "U")
        #expect(bench.type("U").hasPrefix("\r\nWELCOME TO SILICON LABS\r\nBootLoader Version 1.1\r\n"))
    }

    @Test("may print blank lines before everything")
    func blankLines() {
        var bench = Bench { $0.extraBlankLines = 2 }
        #expect(bench.type("|U") == "U\r\n\r\n" + Transcript.menu)
        #expect(bench.type("1") == "1\r\n\r\n\r\nLoading...\r\n")
        #expect(bench.settle() == "\r\n\r\nLoading Done\r\n")
        #expect(bench.command("at+rsi_nonsense") == "\r\n\r\nERROR FFF8\r\n")
        #expect(bench.command(Transcript.opermode) == "\r\n\r\nOK\r\n")
        #expect(bench.settle() == "\r\n\r\nbt_loaded\r\n")
    }

    @Test("may warn before the menu")
    func bootWarnings() {
        var bench = Bench { $0.bootWarnings = [.configurationNotSaved, .checksumFailed] }
        #expect(
            bench.type("|U")
                == "U\r\nLAST CONFIGURATION NOT SAVED\r\n\r\nBOOTUP OPTIONS CHECKSUM FAILED\r\n" + Transcript.menu)
    }

    @Test("may leave the NUL out of its version, which may be another")
    func version() {
        var bench = Bench.withFirmware {
            $0.nulInVersionReply = false
            $0.firmwareVersion = "1611.2.12.0.3"
        }
        #expect(bench.command("at+rsi_fwversion?") == "OK1611.2.12.0.3\r\n")
    }

    @Test("may send common errors in binary, but never Bluetooth's")
    func binaryErrors() {
        var bench = Bench.withFirmware { $0.commonErrors = .binary }
        #expect(bench.command("at+rsibt_getlocalbdaddr?") == "ERROR\u{21}\u{0}\r\n")
        #expect(bench.command("at+rsi_nonsense") == "ERROR\u{F8}\u{FF}\r\n")
        _ = bench.command(Transcript.opermode) + bench.settle()
        #expect(bench.command("at+rsibt_nonsense") == "ERROR 4FF8\r\n")
    }

    @Test("may load Bluetooth without a word")
    func unannouncedBluetooth() {
        var bench = Bench.withFirmware { $0.bluetoothStart = .unannounced }
        #expect(bench.command(Transcript.opermode) == "OK\r\n")
        #expect(bench.settle() == "")
        #expect(bench.command(Transcript.start) == "OK\r\n")
    }

    @Test("may never load Bluetooth")
    func missingBluetooth() {
        var bench = Bench.withFirmware { $0.bluetoothStart = .never }
        #expect(bench.command(Transcript.opermode) == "OK\r\n")
        #expect(bench.settle() == "")
        #expect(bench.command(Transcript.start) == "ERROR 4D03\r\n")
    }

    @Test("may reject adv_type 131 and accept 128")
    func rejectedType() {
        var bench = Bench.withBluetooth { $0.nonConnectableRejection = 0x4E11 }
        #expect(bench.command(Transcript.start) == "ERROR 4E11\r\n")
        #expect(bench.command("at+rsibt_advertise=1,128,0,0,0,160,160,0,7") == "OK\r\n")
        #expect(bench.emulator.air.type == 128)
    }

    @Test("may disallow stopping what is stopped")
    func disallowedStop() {
        var bench = Bench.withBluetooth { $0.stopWhileStoppedIsDisallowed = true }
        #expect(bench.command(Transcript.stop) == "ERROR 4E0C\r\n")
        #expect(bench.command("at+rsibt_scan=0,0,0,0,100,10") == "ERROR 4E0C\r\n")
    }

    @Test("may print Invalid Option before it loads")
    func invalidOptionNoise() {
        var bench = Bench {
            $0.initialState = .menu
            $0.invalidOptionNoise = true
        }
        #expect(bench.type("1") == Transcript.invalidOption + "1\r\nLoading...\r\n")
    }

    @Test("may print an event between a command and its OK")
    func eventBeforeOK() {
        var bench = Bench.withBluetooth { $0.eventBeforeOK = true }
        let event =
            "AT+RSIBT_ADVRTISE,addr_type:1,addr:47-AC-F8-C0-C1-D8,RSSI:-63,Type:0,adv_data_len:A,"
            + "adv_data:2,1,1A,6,9,48,65,6C,6C,6F\r\n"
        #expect(bench.command("at+rsibt_getlocalbdaddr?") == event + "OK 88-DA-1A-E8-06-6F\r\n")
        #expect(bench.command("at+rsibt_nonsense") == "ERROR 4FF8\r\n")
    }

    @Test("takes as long as the options say")
    func delays() {
        var bench = Bench {
            $0.initialState = .menu
            $0.loadingDelay = .seconds(1)
            $0.bluetoothLoadingDelay = .seconds(2)
            $0.resetDelay = .seconds(3)
        }
        var delays: [Duration] = []
        for text in ["1", Transcript.opermode + "\r\n", "at+rsi_reset\r\n"] {
            _ = bench.type(text)
            delays += bench.scheduled.map(\.delay)
            _ = bench.settle()
        }
        #expect(delays == [.seconds(1), .seconds(2), .seconds(3)])
    }

    @Test("may be found stuck in binary mode")
    func binaryMode() {
        var bench = Bench { $0.initialState = .binaryMode }
        #expect(bench.command("|at+rsi_fwversion?") == "")
    }

    @Test("may bypass the bootloader after each reset")
    func bypass() {
        var bench = Bench { $0.bypassesBootloader = true }
        #expect(bench.command("at+rsi_reset") == "OK\r\n")
        _ = bench.settle()
        #expect(bench.command("at+rsi_fwversion?") == "OK1610.2.5.2.0.4\0\r\n")
    }

    @Test("may have another address")
    func address() {
        var bench = Bench.withBluetooth { $0.address = BluetoothAddress(bits: 0x80C9_5500_000A) }
        #expect(bench.command("at+rsibt_getlocalbdaddr?") == "OK 80-C9-55-00-00-0A\r\n")
    }

    @Test("may reset itself once, silently, after a number of commands")
    func silentReset() {
        var bench = Bench.withBluetooth { $0.silentResetAfterCommands = 2 }
        #expect(bench.command(Transcript.start) == "OK\r\n")
        #expect(bench.emulator.air.advertising)
        #expect(bench.command("at+rsi_nonsense") == "ERROR FFF8\r\n")
        #expect(!bench.emulator.air.advertising)
        #expect(bench.command("at+rsi_fwversion?") == "")
        let answers = Transcript.session.map { bench.type($0) + bench.settle() }
        #expect(answers.last == "OK\r\n")
    }

    @Test("may be mute")
    func mute() {
        var bench = Bench { $0.isMute = true }
        #expect(Transcript.session.map { bench.type($0) + bench.settle() }.joined() == "")
    }

    @Test("may deliver one byte at a time")
    func oneBytePerChunk() {
        var bench = Bench.withBluetooth { $0.oneBytePerChunk = true }
        #expect(bench.command("at+rsibt_getdevstate?") == "OK 0\r\n")
        #expect(bench.chunks == "OK 0\r\n".utf8.map { [$0] })
    }

    @Test("may corrupt every Nth byte")
    func corruption() {
        var bench = Bench.withBluetooth { $0.corruptedBytePeriod = 3 }
        #expect(bench.command("at+rsibt_getdevstate?") == "OK\u{7A}0\r\u{50}")
    }

    @Test("may lose every Nth byte")
    func loss() {
        var bench = Bench.withBluetooth { $0.droppedBytePeriod = 3 }
        #expect(bench.command("at+rsibt_getdevstate?") == "OK0\r")
    }

    @Test("may have no firmware, so that nothing is ever done loading")
    func missingImage() {
        var bench = Bench {
            $0.initialState = .menu
            $0.imageIsMissing = true
        }
        #expect(bench.type("1") == "1\r\nLoading...\r\n")
        #expect(bench.settle() == "Invalid Firmware\r\n\r\nEnter Next Command\r\n")
        #expect(bench.type("x") == Transcript.invalidOption)
    }

    @Test("may reset itself several times, counted over all its lives")
    func silentResets() {
        var bench = Bench.withBluetooth { $0.silentResets = [1, 3] }
        #expect(bench.command("at+rsi_fwversion?") == "OK1610.2.5.2.0.4\0\r\n")
        _ = bench.type("|U1") + bench.settle()
        #expect(bench.command("at+rsi_fwversion?").hasPrefix("OK"))
        #expect(bench.command(Transcript.opermode) == "OK\r\n")
        #expect(bench.emulator.resetCount == 2)
        #expect(bench.type("|") == "U")
    }

    @Test("may take its time for each reply, in the right order, and reset itself only after it")
    func responseDelay() {
        var bench = Bench.withFirmware {
            $0.responseDelay = .milliseconds(10)
            $0.silentResets = [3]
        }
        #expect(bench.command("at+rsi_fwversion?") == "")
        #expect(bench.command("at+rsi_nonsense") == "")
        #expect(bench.scheduled.map(\.delay) == [.milliseconds(10), .milliseconds(10)])
        #expect(bench.settle() == "OK1610.2.5.2.0.4\0\r\nERROR FFF8\r\n")
        #expect(bench.command(Transcript.opermode) == "")
        #expect(bench.emulator.resetCount == 0)
        #expect(bench.settle() == "OK\r\n")
        #expect(bench.emulator.resetCount == 1)
    }

    @Test("forgets the replies of an earlier life")
    func delayedReplyAcrossReset() {
        var bench = Bench.withFirmware { $0.responseDelay = .milliseconds(10) }
        _ = bench.command("at+rsi_fwversion?")
        bench.reset()
        #expect(bench.settle() == "")
    }

    @Test("may tell its name without the length, or not at all")
    func localNameReply() {
        var bench = Bench.withBluetooth { $0.localNameReply = .nameOnly }
        #expect(bench.command("at+rsibt_getlocalname?") == "OK RS9116W\r\n")
        bench = Bench.withBluetooth { $0.localNameReply = .refused }
        #expect(bench.command("at+rsibt_getlocalname?") == "ERROR 4FF8\r\n")
    }

    @Test("may refuse a name")
    func refusedName() {
        var bench = Bench.withBluetooth { $0.refusesLocalName = 0x4E62 }
        #expect(bench.command("at+rsibt_setlocalname=1,a") == "ERROR 4E62\r\n")
    }

    @Test("may say of its state nothing but zero")
    func zeroState() {
        var bench = Bench.withBluetooth { $0.deviceStateIsAlwaysZero = true }
        _ = bench.command(Transcript.start)
        #expect(bench.command("at+rsibt_getdevstate?") == "OK 0\r\n")
    }

    @Test("may refuse other data while it advertises")
    func refusedData() {
        var bench = Bench.withBluetooth { $0.advertisingDataWhileAdvertising = .refused }
        #expect(bench.command("at+rsibt_setadvertisedata=1,1") == "OK\r\n")
        _ = bench.command(Transcript.start)
        #expect(bench.command("at+rsibt_setadvertisedata=1,2") == "ERROR 4E0C\r\n")
        #expect(bench.emulator.air.data == [1])
    }
}

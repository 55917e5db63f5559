import BeaconModel
import ModuleEmulator
import TestValues
import Testing

@Suite("An HM-10 that varies")
struct HM10VariationTests {
    @Test("may be a clone that needs line ends and answers with them")
    func lineEnds() {
        var bench = HM10Bench {
            $0.needsLineEnd = true
            $0.measuredPowerCommand = .mea
        }
        #expect(bench.command("AT") == "")
        #expect(bench.command("\r\n") == "OK\r\n")
        #expect(bench.command("AT\r\nAT+MEA0xC4\r\n") == "OK\r\nOK+Set:0xC4\r\n")
        #expect(bench.command("AT+MEA?\r\n") == "OK+Get:0xC4\r\n")
        #expect(bench.command("AT+MEAS?\r\n") == "")
        #expect(bench.command("AT\n") == "")
    }

    @Test("may take any style and answer in the same")
    func anyStyle() {
        var bench = HM10Bench { $0.acceptsAnyStyle = true }
        #expect(bench.command("AT") == "OK")
        #expect(bench.command("at\r\n") == "OK\r\n")
        #expect(bench.command("at+marj0X00ff\r\n") == "OK+Set:0x00FF\r\n")
        #expect(bench.command("at+ibe0e2c56db5") == "OK+Set:0xE2C56DB5")
        #expect(bench.command("At+NameAbc") == "OK+Set:Abc")
    }

    @Test("may end its replies with a line end")
    func repliesWithLineEnd() {
        var bench = HM10Bench { $0.repliesWithLineEnd = true }
        #expect(bench.command("AT") == "OK\r\n")
    }

    @Test("may be too old for some commands")
    func oldFirmware() {
        var bench = HM10Bench {
            $0.hasBeaconUUID = false
            $0.hasAdvertisingType = false
            $0.measuredPowerCommand = .missing
            $0.firmwareVersion = "HMSoft V517"
        }
        for command in ["AT+IBE0?", "AT+IBE0E2C56DB5", "AT+ADTY3", "AT+ADTY?", "AT+MEAS?", "AT+MEA?"] {
            #expect(bench.command(command) == "")
        }
        #expect(bench.command("AT+IBEA1") == "OK+Set:1")
        #expect(bench.command("AT+VERR?") == "HMSoft V517")
    }

    @Test("may be mute")
    func mute() {
        var bench = HM10Bench { $0.isMute = true }
        #expect(bench.command("AT") == "")
    }

    @Test("may deliver, corrupt and lose single bytes")
    func line() {
        var bench = HM10Bench { $0.oneBytePerChunk = true }
        _ = bench.command("AT")
        #expect(bench.chunks == [[0x4F], [0x4B]])
        bench = HM10Bench { $0.corruptedBytePeriod = 2 }
        #expect(bench.command("AT") == "O\u{11}")
        bench = HM10Bench { $0.droppedBytePeriod = 2 }
        #expect(bench.command("AT") == "O")
    }

    @Test("may have another address and another delay")
    func others() {
        var bench = HM10Bench {
            $0.address = BluetoothAddress(bits: 0x0A)
            $0.rebootDelay = .seconds(2)
            $0.commandGap = .milliseconds(80)
            $0.baud = 300
        }
        #expect(bench.command("AT+ADDR?") == "OK+ADDR:00000000000A")
        _ = bench.type("AT+RESET")
        #expect(bench.scheduled.map(\.delay) == [.milliseconds(80)])
        _ = bench.fireNext() + bench.fireNext()
        #expect(bench.scheduled.map(\.delay) == [.seconds(2)])
    }

    @Test("reads and sends garbage at another rate")
    func garbage() {
        var bench = HM10Bench()
        bench.baud = 115_200
        #expect(bench.command("AT") == "")
        _ = bench.type("AT")
        bench.baud = 9600
        #expect(bench.command("AT") == "")
        #expect(bench.command("AT") == "OK")
    }

    @Test("never traps, whatever arrives, and understands the next command")
    func hostileInput() {
        var generator = SeededGenerator("random bytes to the HM-10")
        let alphabet = Array("AT+IBEAMRJNOSVDYPWU0123456789x?\r\n".utf8)
        for needsLineEnd in [false, true] {
            var bench = HM10Bench { $0.needsLineEnd = needsLineEnd }
            let end = needsLineEnd ? "\r\n" : ""
            for round in 0..<3000 {
                let count = Int.random(in: 0...200, using: &generator)
                let bytes = (0..<count).map { _ in
                    round % 2 == 0
                        ? UInt8.random(in: 0...255, using: &generator) : alphabet.randomElement(using: &generator) ?? 0
                }
                _ = bench.type(bytes: (round % 3 == 0 ? Array("AT+".utf8) : []) + bytes) + bench.settle()
                #expect(bench.emulator.air.data.count <= 31)
            }
            _ = bench.command(end)
            #expect(bench.command("AT" + end) == "OK" + end, generator.comment)
        }
    }
}

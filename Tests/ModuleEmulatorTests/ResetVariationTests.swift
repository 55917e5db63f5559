import Testing

@testable import ModuleEmulator

/// What `at+rsi_reset`, stopping and starting may do on other firmware.
@Suite struct ResetVariationTests {
    private func module(_ change: (inout RS9116Emulator.Options) -> Void) -> RS9116Emulator {
        var options = RS9116Emulator.Options()
        options.initialState = .atMode(opermodeDone: true)
        change(&options)
        return RS9116Emulator(options: options)
    }

    private func answer(_ module: inout RS9116Emulator, _ command: String) -> String {
        let outputs = module.receive(Array((command + "\r\n").utf8))
        for case .schedule(let timer, _) in outputs { _ = module.fire(timer) }
        return outputs.map { if case .send(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { "" } }
            .joined()
    }

    private static let start = "at+rsibt_advertise=1,131,0,0,0,160,160,0,7"
    private static let stop = "at+rsibt_advertise=0,131,0,0,0,160,160,0,7"

    @Test("A reset by command works with or without a word, is ignored, or is refused")
    func softReset() {
        let expected: [(RS9116Emulator.Options.SoftReset, String, Int)] = [
            (.works, "OK\r\n", 1), (.worksSilently, "", 1), (.ignored, "OK\r\n", 0), (.refused, "ERROR FFF8\r\n", 0),
        ]
        for (way, text, resets) in expected {
            var module = module { $0.softReset = way }
            #expect(answer(&module, "at+rsi_reset") == text)
            #expect(module.resetCount == resets)
        }
    }

    @Test("Only the forms of stopping that an option names stop")
    func stopForms() {
        let expected: [(RS9116Emulator.Options.StopForm, full: Bool, short: Bool)] = [
            (.allParameters, true, false), (.statusOnly, false, true), (.either, true, true),
        ]
        for (form, full, short) in expected {
            for (command, stops) in [(Self.stop, full), ("at+rsibt_advertise=0", short)] {
                var module = module { $0.stopForm = form }
                _ = answer(&module, Self.start)
                #expect(answer(&module, command) == (stops ? "OK\r\n" : "ERROR 4E12\r\n"))
                #expect(module.air.advertising != stops)
            }
        }
    }

    @Test("A second start is refused, or taken")
    func doubleStart() {
        var refusing = module { _ in }
        _ = answer(&refusing, Self.start)
        #expect(answer(&refusing, Self.start) == "ERROR 4E0C\r\n")
        var taking = module { $0.doubleStart = .accepted }
        _ = answer(&taking, Self.start)
        #expect(answer(&taking, Self.start) == "OK\r\n")
        #expect(taking.air.advertising)
    }

    @Test("A lost reply is lost, but what was told is done")
    func lostReply() {
        var module = module { $0.lostReplies = [1] }
        #expect(answer(&module, Self.start) == "")
        #expect(module.air.advertising)
        #expect(answer(&module, Self.stop) == "OK\r\n")
    }

    @Test("An opermode with another transmit power can be refused; that of the examples isn't")
    func power() {
        func mode(_ bits: String) -> String {
            var module = module {
                $0.initialState = .atMode(opermodeDone: false)
                $0.powerInOpermodeRejection = 0x26
            }
            return answer(&module, "at+rsi_opermode=851968,0,1,2147483648,2150629376,3221225472,0," + bits)
        }
        #expect(mode("1075773440").hasPrefix("OK"))
        #expect(mode("1074528256") == "ERROR 0026\r\n")
    }
}

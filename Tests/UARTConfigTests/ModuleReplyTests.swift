import Testing

@testable import UARTConfig

@Suite struct ModuleReplyTests {
    private func parse(_ text: String) -> [ModuleReply] { parse(Array(text.utf8)) }

    private func parse(_ bytes: [UInt8]) -> [ModuleReply] {
        var parser = ModuleReplyParser()
        return parser.receive(bytes)
    }

    @Test("OK may have data after a space, after none, or no data")
    func ok() {
        #expect(
            parse("OK\r\nOK 88-DA-1A-E8-06-6F\r\nOK1610.2.4.0.0.34\r\n")
                == [.ok(""), .ok("88-DA-1A-E8-06-6F"), .ok("1610.2.4.0.0.34")])
    }

    @Test("A NUL inside a reply is dropped")
    func nul() { #expect(parse("OK1610.2.5.2.0.4\0\r\n") == [.ok("1610.2.5.2.0.4")]) }

    @Test("A NUL may be anywhere in a reply's words", arguments: ["ER\0ROR 4E0C", "ERROR\0 4E0C", "\0ERROR 4E\0\00C"])
    func nulInError(reply: String) {
        #expect(parse(reply + "\r\n") == [.error(RS9116ErrorCode(rawValue: 0x4E0C))])
    }

    @Test("A NUL may be inside OK and bt_loaded")
    func nulInWords() { #expect(parse("O\0K 1\r\nbt_\0loaded\r\n") == [.ok("1"), .bluetoothLoaded]) }

    @Test("A NUL between the line's ends leaves no carriage return")
    func nulInLineEnd() { #expect(parse("OK 88-DA-1A-E8-06-6F\r\0\n") == [.ok("88-DA-1A-E8-06-6F")]) }

    @Test("What a terminal would obey doesn't come through")
    func escapes() {
        #expect(
            parse("OK\u{1B}[2J\u{1B}]0;x\u{7}1610\u{9B}2\u{202E}\r\n") == [.ok("?[2J?]0;x?1610?2?")])
    }

    @Test("A Bluetooth error is four hexadecimal digits")
    func bluetoothError() { #expect(parse("ERROR 4E0C\r\n") == [.error(RS9116ErrorCode(rawValue: 0x4E0C))]) }

    @Test("A common error is two raw bytes, the lower one first, also when one of them is NUL")
    func commonError() {
        #expect(
            parse(Array("ERROR".utf8) + [0x21, 0x00, 0x0D, 0x0A]) == [.error(RS9116ErrorCode(rawValue: 0x0021))])
        #expect(
            parse(Array("ERROR".utf8) + [0xF8, 0xFF, 0x0D, 0x0A]) == [.error(RS9116ErrorCode(rawValue: 0xFFF8))])
    }

    @Test("Events and bt_loaded are told from replies")
    func events() {
        #expect(
            parse("bt_loaded\r\nAT+RSIBT_LE_DISCONNECTED 6B-63-FE-FE-3D-FD,4E13\r\n\r\nnoise\r\n")
                == [
                    .bluetoothLoaded, .event("AT+RSIBT_LE_DISCONNECTED 6B-63-FE-FE-3D-FD,4E13"), .text("noise"),
                ])
    }

    @Test("Bytes may come one at a time")
    func chunks() {
        var parser = ModuleReplyParser()
        let replies = "OK\r\nERROR 4D09\r\n".utf8.flatMap { parser.receive([$0]) }
        #expect(replies == [.ok(""), .error(RS9116ErrorCode(rawValue: 0x4D09))])
    }

    @Test("An endless line is dropped and costs bounded memory")
    func endlessLine() {
        var parser = ModuleReplyParser()
        for _ in 0..<1000 { #expect(parser.receive(Array(repeating: 0x41, count: 4096)) == []) }
        #expect(parser.receive(Array("\r\nOK\r\n".utf8)) == [.ok("")])
    }
}

import BeaconModel
import Testing

@testable import ModuleDialogues

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

    // MARK: Reports

    private static let report =
        "AT+RSIBT_ADVRTISE,addr_type:1,addr:47-AC-F8-C0-C1-D8,RSSI:-63,Type:0,adv_data_len:2,adv_data:2,1\r\n"
    private static let reception = ModuleReception(
        address: BluetoothAddress(bits: 0x47AC_F8C0_C1D8), rssi: RSSI(dBm: -63), data: [2, 1])

    @Test("A report in the middle of a reply, wherever, costs neither")
    func reportWithinReply() {
        for reply in ["OK 88-DA-1A-E8-06-6F\r\n", "ERROR 4E0C\r\n", "bt_loaded\r\n", "OK1610.2.5.2.0.4\0\r\n"] {
            let whole = Array(reply.utf8)
            let expected = parse(whole)
            for cut in 1..<whole.count {
                let found = parse(Array(whole[..<cut]) + Array((Self.report + Self.report).utf8) + Array(whole[cut...]))
                #expect(found.filter { $0 != .report(Self.reception) } == expected, "\(reply) at \(cut)")
                #expect(found.count == 3)
            }
        }
    }

    @Test("A report that was cut short is none, and is no reply; the one behind it is whole")
    func truncatedReport() {
        for length in 14..<(Self.report.utf8.count - 1) {
            let found = parse(Array(Self.report.utf8.prefix(length)) + Array(Self.report.utf8))
            #expect(found == [.report(nil), .report(Self.reception)], "\(length)")
        }
    }

    @Test("A device that doesn't say who it is can be told")
    func anonymous() {
        let text = Self.report.replacing("addr_type:1", with: "addr_type:FF")
        guard case .report(let found?)? = parse(text).first else {
            Issue.record("no report")
            return
        }
        #expect(found.isAnonymous)
        #expect(!Self.reception.isAnonymous)
    }

    @Test(
        "What isn't as it should be in a report makes it unreadable",
        arguments: [
            ("adv_data_len:2", "adv_data_len:3"), ("adv_data_len:2", "adv_data_len:20"), ("47-AC", "47AC"),
            ("adv_data:2,1", "adv_data:2,1G"), ("adv_data:2,1", "adv_data:2,"), ("ADVRTISE", "ADVRTISED"),
            (",adv_data:2,1", ""),
        ])
    func malformed(part: String, other: String) {
        #expect(parse(Self.report.replacing(part, with: other)) == [.report(nil)])
    }
}

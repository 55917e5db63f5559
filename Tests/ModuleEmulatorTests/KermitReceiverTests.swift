import TestValues
import Testing

@testable import ModuleEmulator

@Suite("The Kermit receiver")
struct KermitReceiverTests {
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Feeds bytes; gives the answers as text.
    private static func feed(_ receiver: inout KermitReceiver, _ bytes: [UInt8]) -> KermitReceiver.Answer {
        bytes.reduce(into: KermitReceiver.Answer()) { whole, byte in
            let answer = receiver.receive(byte)
            whole.bytes += answer.bytes
            if let outcome = answer.outcome { whole.outcome = outcome }
        }
    }

    private static func feed(_ receiver: inout KermitReceiver, _ packets: [[UInt8]]) -> KermitReceiver.Answer {
        feed(&receiver, packets.flatMap(\.self))
    }

    @Test("takes the shortest session, each packet acknowledged by number")
    func shortest() {
        var receiver = KermitReceiver(limit: 100)
        let packets = TestKermitSender.packets([0x41])
        let answers = packets.map { Self.text(Self.feed(&receiver, $0).bytes) }
        // Length, number, type, data, check: computed by hand from the protocol manual.
        #expect(
            answers == [
                "\u{1}, Y~% @-#N1 9\r", "\u{1}#!Y?\r", "\u{1}#\"Y@\r", "\u{1}##YA\r", "\u{1}#$YB\r",
            ])
    }

    @Test("that stalls answers nothing from there on, but heeds a sender that gives up")
    func stall() {
        var receiver = KermitReceiver(limit: 100, stall: 3)
        var sender = TestKermitSender()
        let packets = [sender.packet("S"), sender.packet("F", [0x61]), sender.packet("D", Array("abc".utf8))]
        for packet in packets { #expect(!Self.feed(&receiver, packet).bytes.isEmpty) }
        #expect(Self.feed(&receiver, sender.packet("D", Array("def".utf8))) == KermitReceiver.Answer())
        #expect(Self.feed(&receiver, sender.packet("E", Array("enough".utf8))).outcome == .failed)
    }

    @Test("gives the file back byte for byte")
    func wholeFile() {
        var receiver = KermitReceiver(limit: 100_000)
        #expect(Self.feed(&receiver, TestKermitSender.packets(TestFirmware.body)).outcome == .file(TestFirmware.body))
    }

    @Test("accepts attributes, and ignores what lies between packets")
    func attributes() {
        var receiver = KermitReceiver(limit: 100)
        var sender = TestKermitSender()
        let noise = Array("kermit -r\r\n".utf8)
        let packets = [
            noise, sender.packet("S"), sender.packet("F", Array("a".utf8)), sender.packet("A", Array("#A".utf8)),
            noise, sender.packet("D", Array("x".utf8)), sender.packet("Z"), sender.packet("B"),
        ]
        let answer = Self.feed(&receiver, packets)
        #expect(answer.outcome == .file(Array("x".utf8)))
        #expect(Self.text(answer.bytes).contains("\u{1}$\"YY"))
    }

    @Test("refuses a damaged packet and takes it the second time", arguments: 0..<6)
    func damage(position: Int) throws {
        var receiver = KermitReceiver(limit: 100)
        var sender = TestKermitSender()
        _ = Self.feed(&receiver, [sender.packet("S"), sender.packet("F", [0x61])])
        let packet = sender.packet("D", Array("ab".utf8))
        var damaged = packet
        damaged[position + 1] ^= 0x80
        #expect(Self.text(Self.feed(&receiver, damaged).bytes).hasPrefix("\u{1}#\"N5\r"))
        #expect(Self.text(Self.feed(&receiver, packet).bytes) == "\u{1}#\"Y@\r")
        #expect(Self.feed(&receiver, [sender.packet("Z"), sender.packet("B")]).outcome == .file(Array("ab".utf8)))
    }

    @Test("acknowledges a repeated packet again without taking it twice, the last one too")
    func repetition() {
        var receiver = KermitReceiver(limit: 100)
        let packets = TestKermitSender.packets(Array("abc".utf8))
        var outcomes: [KermitReceiver.Outcome] = []
        for packet in packets {
            let first = Self.feed(&receiver, packet)
            if let outcome = first.outcome { outcomes.append(outcome) }
            let second = Self.feed(&receiver, packet)
            #expect(second.bytes == first.bytes)
            #expect(second.outcome == nil)
        }
        #expect(outcomes == [.file(Array("abc".utf8))])
    }

    @Test("refuses a packet from elsewhere in the sequence")
    func wrongNumber() {
        var receiver = KermitReceiver(limit: 100)
        #expect(Self.text(Self.feed(&receiver, TestKermitSender.packet(5, "S")).bytes).hasPrefix("\u{1}# N3"))
        #expect(Self.feed(&receiver, TestKermitSender.packet(0, "S")).outcome == nil)
    }

    @Test("reads eighth-bit prefixes only when the sender has asked for them")
    func eighthBit() {
        let data = Array("&A&#A#&##~!".utf8)
        var plain = KermitParameters(Array("~% @-#Y1 ".utf8))
        #expect(plain.decode(data, .standard) == Array("&A&".utf8) + [1] + Array("&#~!".utf8))
        #expect(plain.reply == Array("~% @-#N1 ".utf8))
        plain = KermitParameters(Array("~% @-#&1~".utf8))
        #expect(plain.decode(data, .standard) == [0xC1, 0x81] + Array("&#~!".utf8))
        #expect(plain.reply == Array("~% @-#Y1 ".utf8))
        #expect(plain.decode(Array("a#".utf8), .standard) == nil)
        #expect(plain.decode(Array("a&".utf8), .standard) == nil)
    }

    @Test("may read whatever follows # as a control character")
    func alwaysControl() {
        let parameters = KermitParameters()
        #expect(parameters.decode(Array("#c##".utf8), .alwaysControl) == Array("#c".utf8))
        #expect(parameters.decode(Array("#c##".utf8), .standard) == Array("c#".utf8))
        var receiver = KermitReceiver(limit: 100_000, prefixing: .alwaysControl)
        let packets = TestKermitSender.packets(TestFirmware.body, alwaysControl: true)
        #expect(Self.feed(&receiver, packets).outcome == .file(TestFirmware.body))
    }

    @Test("uses the sender's end of line and control prefix")
    func otherParameters() {
        var receiver = KermitReceiver(limit: 100)
        var sender = TestKermitSender()
        #expect(Self.feed(&receiver, sender.packet("S", Array("~% @*!".utf8))).bytes.last == 0x0A)
        let rest = [sender.packet("F"), sender.packet("D", Array("!M#M".utf8)), sender.packet("Z"), sender.packet("B")]
        #expect(Self.feed(&receiver, rest).outcome == .file([13] + Array("#M".utf8)))
    }

    @Test("fails at an E packet, at a file that is discarded and at one that is too long")
    func failures() {
        var receiver = KermitReceiver(limit: 2)
        #expect(Self.feed(&receiver, TestKermitSender.packet(9, "E", Array("no".utf8))).outcome == .failed)
        receiver = KermitReceiver(limit: 2)
        let answer = Self.feed(&receiver, TestKermitSender.packets([1, 2, 3]))
        #expect(answer.outcome == .failed)
        #expect(Self.text(answer.bytes).contains("Ethe file is too long"))
        receiver = KermitReceiver(limit: 2)
        var sender = TestKermitSender()
        let discarded = [
            sender.packet("S"), sender.packet("F"), sender.packet("D", [0x41]), sender.packet("Z", [0x44]),
            sender.packet("B"),
        ]
        #expect(Self.feed(&receiver, discarded).outcome == .failed)
    }

    @Test("fails at packets out of order", arguments: ["F", "D", "Z", "B", "X", "A"])
    func order(type: String) {
        var receiver = KermitReceiver(limit: 2)
        #expect(Self.feed(&receiver, TestKermitSender.packet(0, Character(type))).outcome == .failed)
    }

    /// In an encoded packet, after the mark.
    private static let lengthIndex = 1

    @Test("never traps, whatever arrives, and gets every file through a line that damages bytes")
    func noise() {
        var generator = SeededGenerator("noise to the Kermit receiver")
        var receiver = KermitReceiver(limit: 1000)
        for _ in 0..<100_000 { _ = receiver.receive(UInt8.random(in: 0...255, using: &generator)) }
        receiver = KermitReceiver(limit: 100_000)
        let file = Array(TestFirmware.body.prefix(5000))
        var outcome: KermitReceiver.Outcome?
        for packet in TestKermitSender.packets(file) {
            for _ in 0..<1000 {
                var noisy = packet
                // One damaged byte, which the check of six bits finds for sure. A damaged length, or a mark within the
                // packet, would move the check to another byte, which passes one time in 64.
                if Bool.random(using: &generator),
                    let index = noisy.indices.filter({ $0 != Self.lengthIndex }).randomElement(using: &generator)
                {
                    let damaged = noisy[index] ^ 1 << UInt8.random(in: 0...7, using: &generator)
                    if damaged != KermitPacket.mark { noisy[index] = damaged }
                }
                let answer = Self.feed(&receiver, noisy)
                outcome = outcome ?? answer.outcome
                if answer.bytes.count > 3, answer.bytes[2] == packet[2], answer.bytes[3] == UInt8(ascii: "Y") { break }
            }
        }
        #expect(outcome == .file(file), generator.comment)
    }
}

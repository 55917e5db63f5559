import BeaconModel
import ModuleEmulator
import TestValues
import Testing

@testable import RecordContract

@Suite struct MessageTagTests {
    private static let site = SiteKey(secret: Array(0..<32))
    private static let old = SiteKey(secret: Array(1..<33))
    private static let gateway = "mcgill/trottier/3/gw-3a"

    private func key(_ gateway: String = gateway) throws -> SigningKey {
        try #require(Self.site).gatewayKey(gateway)
    }

    private func verifier(isRequired: Bool = true) throws -> MessageVerifier {
        MessageVerifier(keys: [try #require(Self.site), try #require(Self.old)], isRequired: isRequired)
    }

    private func record() throws -> [UInt8] {
        try #require(Fixtures.records([.ended]).first).encoded(historical: false)
    }

    private func signed() throws -> [UInt8] {
        MessageTag.adding(to: try record(), key: try key(), for: .record)
    }

    @Test func `A gateway's key is that of its name alone, and a file of it is read again`() throws {
        let key = try key()
        #expect(SigningKey(file: Array((key.hexadecimal + "\n").utf8)) == key)
        #expect(SigningKey(file: Array(key.hexadecimal.uppercased().utf8)) == key)
        #expect(try key != self.key("mcgill/trottier/3/gw-3b"))
        #expect(try key != #require(Self.old).gatewayKey(Self.gateway))
        #expect(try key != #require(Self.site).commandKey(Self.gateway))
        for text in ["", "ab", String(repeating: "g", count: 64), key.hexadecimal + "00", key.hexadecimal + "\nx"] {
            #expect(SigningKey(file: Array(text.utf8)) == nil, "\(text)")
        }
        #expect(SiteKey(secret: Array(repeating: 1, count: 15)) == nil)
    }

    @Test func `A record is signed by a last member of 31 bytes, and nothing else of it changes`() throws {
        let (record, signed) = (try record(), try signed())
        #expect(signed.count - record.count == 31 && MessageTag.cost == 31)
        #expect(signed.starts(with: record.dropLast()))
        #expect(signed.suffix(32).starts(with: Array(",\"tag\":\"".utf8)) && signed.suffix(2) == Array("\"}".utf8)[...])
        struct Tagged: Decodable { var tag: String }
        #expect(try JSON.decode(Tagged.self, from: signed).tag.count == 22)
    }

    /// The numbers are those of Python's `hmac`.
    @Test func `The tag is the one that anybody can compute who has the key`() throws {
        let key = try #require(SigningKey(file: Array(String(repeating: "0b", count: 32).utf8)))
        let signed = MessageTag.adding(to: Array(#"{"a":1}"#.utf8), key: key, for: .record)
        #expect(String(decoding: signed, as: UTF8.self) == #"{"a":1,"tag":"xEbOxsGjmIhwYQxvtr0xWQ"}"#)
        let site = try #require(SiteKey(secret: Array(repeating: 0x0B, count: 32)))
        #expect(
            site.gatewayKey("a/b/c/d").hexadecimal == "5bab44539246b67d4937dfed89192aad15aba62e9b9655cc22f507242cd6d4e9"
        )
    }

    @Test func `What isn't exactly what the gateway signed is refused, whichever byte differs`() throws {
        var generator = SeededGenerator("a changed byte of a record")
        let signed = try signed()
        let verifier = try verifier()
        #expect(verifier.verdict(on: signed, of: Self.gateway, for: .record) == .genuine)
        for index in signed.indices {
            var changed = signed
            changed[index] ^= UInt8.random(in: 1...255, using: &generator)
            let verdict = verifier.verdict(on: changed, of: Self.gateway, for: .record)
            #expect(verdict != .genuine && verdict != .unsigned, "byte \(index), \(generator.comment)")
        }
        for length in 0..<signed.count {
            let verdict = verifier.verdict(on: Array(signed[..<length]), of: Self.gateway, for: .record)
            #expect(verdict != .genuine && verdict != .unsigned, "\(length) bytes")
        }
        for further in [" ", "\n", "}", ",\"tag\":\"x\"}"] {
            let longer = signed + Array(further.utf8)
            #expect(verifier.verdict(on: longer, of: Self.gateway, for: .record) != .genuine)
        }
    }

    @Test func `A tag is of one gateway, one kind of message and, of a command, one topic`() throws {
        let signed = try signed()
        let verifier = try verifier()
        #expect(verifier.verdict(on: signed, of: "mcgill/trottier/3/gw-3b", for: .record) == .refused(.forged))
        #expect(verifier.verdict(on: signed, of: Self.gateway, for: .health) == .refused(.forged))
        let key = try key()
        let command = MessageTag.adding(to: Array(#"{"a":1}"#.utf8), key: key, for: .command(topic: "t/reset"))
        #expect(MessageTag.verdict(on: command, keys: [key], for: .command(topic: "t/reset")) == .genuine)
        #expect(MessageTag.verdict(on: command, keys: [key], for: .command(topic: "t/provision")) == .forged)
    }

    @Test
    func `What an older key of the site signed is believed for as long as it is there`()
        throws
    {
        let before = MessageTag.adding(
            to: try record(), key: try #require(Self.old).gatewayKey(Self.gateway), for: .record)
        #expect(try verifier().verdict(on: before, of: Self.gateway, for: .record) == .genuine)
        let later = MessageVerifier(keys: [try #require(Self.site)], isRequired: false)
        #expect(later.verdict(on: before, of: Self.gateway, for: .record) == .refused(.forged))
    }

    @Test func `Unsigned records are taken only where that is allowed, and wrongly signed ones never`() throws {
        let record = try record()
        #expect(try verifier().verdict(on: record, of: Self.gateway, for: .record) == .refused(.unsigned))
        let lenient = try verifier(isRequired: false)
        #expect(lenient.verdict(on: record, of: Self.gateway, for: .record) == .unsigned)
        var forged = try signed()
        forged[forged.count - 3] = forged[forged.count - 3] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        #expect(lenient.verdict(on: forged, of: Self.gateway, for: .record) == .refused(.forged))
        // At another place, or spaced, it is no signature.
        let text = String(decoding: try signed(), as: UTF8.self)
        let moved = "{\(text.suffix(32).dropFirst().dropLast()),\(text.dropFirst().dropLast(32))}"
        for other in [moved, text.replacing(",\"tag\":", with: ", \"tag\":"), text + " "] {
            #expect(lenient.verdict(on: Array(other.utf8), of: Self.gateway, for: .record) == .refused(.misplaced))
        }
    }

    @Test func `Random bytes are never believed, and never trap`() throws {
        var generator = SeededGenerator("random messages")
        let verifier = try verifier(isRequired: false)
        let signed = try signed()
        for _ in 0..<3000 {
            var message = (0..<Int.random(in: 0...80, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            // With a piece of a true one at its end, so that the form is met at times.
            message += signed.suffix(Int.random(in: 0...40, using: &generator))
            #expect(verifier.verdict(on: message, of: Self.gateway, for: .record) != .genuine, generator.comment)
            _ = MessageTag.adding(to: message, key: try key(), for: .record)
        }
    }

    @Test func `Keys don't show themselves`() throws {
        let key = try key()
        #expect("\(key) \(String(reflecting: key))".contains(key.hexadecimal.prefix(8)) == false)
        let verifier = try verifier()
        #expect(!String(reflecting: verifier).contains("SecureBytes"))
    }
}

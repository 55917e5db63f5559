import BeaconModel
import Evidence
import Matching
import RecordContract
import TestValues
import Testing

@Suite struct SignalsReaderTests {
    private static let gateway = "mcgill/trottier/3/gw-3a"
    private static let noon: Int64 = 1_605_441_600

    /// The contract's examples: beacons and phones, a deaf gateway, a remote receiver.
    private static func examples() throws -> [String] {
        String(decoding: try Repository.read("Tests/Contract/examples/signals.jsonl"), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    private func signals(_ text: String) throws -> SignalsRecord {
        try RecordReader.signals(Array(text.utf8), gateway: Self.gateway)
    }

    private func defect(_ text: String) -> String? {
        do throws(RecordReader.Defect) {
            _ = try RecordReader.signals(Array(text.utf8), gateway: Self.gateway)
            return nil
        } catch {
            return error.found
        }
    }

    @Test func `The contract's examples are read: beacons, phones, a deaf gateway and a remote receiver`() throws {
        let messages = try Self.examples().map(signals)
        try #require(messages.count == 3)
        #expect(messages.map(\.boot) == [3, 3, 3] && messages.map(\.number) == [1, 2, 3])
        #expect(messages.map(\.second) == [Self.noon, Self.noon + 1, Self.noon])
        #expect(messages.map(\.listened) == [1, 0, 1])
        #expect(messages.map(\.clockIsSynchronized) == [true, false, true])
        #expect(messages.map(\.position) == [.init(x: 1.5, y: 2, z: 2.4), .init(x: 1.5, y: 2, z: 2.4), nil])
        #expect(messages.map(\.place.room) == ["3060", "3060", "3061"])
        #expect(messages.map(\.receiver) == [Self.gateway, Self.gateway, Self.gateway + "/kitchen"])
        #expect(messages.allSatisfy { $0.gateway == Self.gateway })
        let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
        #expect(
            messages[0].subjects.map(\.identity.description) == [
                "badge:\(uuid)/7/2603", "badge:\(uuid)/7/9", "badge:\(uuid)/8/4",
                "exposure-notification:b052ef51482f903485677d5a2f57b19a", "herald:f3b367cec840641fb47d83cf8314e80c",
            ])
        #expect(messages[0].subjects.map(\.count) == [12, 6, 9999, 3, 1])
        #expect(messages[0].subjects.map(\.rssi) == [-71.3, nil, -110, -80.3, -93])
        #expect(messages[1].subjects.isEmpty)
    }

    @Test(
        "What isn't a message of signals is said",
        arguments: [
            (#""boot":3"#, #""boot":0"#, "has a boot or number of 0; both count from 1"),
            (#""number":1"#, #""number":0"#, "has a boot or number of 0; both count from 1"),
            (#""number":1"#, #""number":9007199254740992"#, "has a boot or number of 2^53 or more"),
            (#""number":1"#, #""number":-1"#, "is not JSON, or has an impossible number"),
            (#""number":1,"#, "", "has no number"),
            (#""gateway":"gw-3a""#, #""gateway":"gw-3b""#, "names another gateway than its topic"),
            (#""gateway":"gw-3a""#, #""gateway":"../gw""#, "names an invalid place"),
            (
                #""listenedSeconds":1"#, #""listenedSeconds":1.1"#,
                "has listenedSeconds outside 0 to 1"
            ),
            (#""listenedSeconds":1"#, #""listenedSeconds":-0.1"#, "has listenedSeconds outside 0 to 1"),
            (#""listenedSeconds":1"#, #""listenedSeconds":0"#, "has subjects, but listenedSeconds of 0"),
            ("12:00:00.000Z", "12:00:00.500Z", "has no valid time, or one that is not a whole second"),
            ("2020-11-15T12:00:00.000Z", "soon", "has no valid time, or one that is not a whole second"),
            ("2020-11-15", "2100-11-15", "has a time after the year 2099"),
            (#""x":1.5"#, #""x":1e300"#, "has a position more than 100 km from the origin of the plan"),
            (#""x":1.5"#, #""x":"1""#, "has a value of the wrong type in place.position.x"),
            (#""counts":[6,12]"#, #""counts":[6]"#, "has columns of different lengths in subjects"),
            (#""rssi":[null,-71.3]"#, #""rssi":[null]"#, "has columns of different lengths in subjects"),
            (#""counts":[6,12]"#, #""counts":[6,0]"#, "has a count outside 1 to 9999"),
            (#""counts":[6,12]"#, #""counts":[6,10000]"#, "has a count outside 1 to 9999"),
            (#""rssi":[null,-71.3]"#, #""rssi":[null,-300]"#, "has an impossible rssi"),
            (#""rssi":[null,-71.3]"#, #""rssi":[null,20.1]"#, "has an impossible rssi"),
            (#""minors":[9,2603]"#, #""minors":[9,70000]"#, "is not JSON, or has an impossible number"),
            (
                #""kind":"beacon","major":7"#, #""kind":"teleporter","major":7"#,
                "has subjects of an unknown kind, or without ids"
            ),
            (
                "b052ef51482f903485677d5a2f57b19a", "B052ef51482f903485677d5a2f57b19a",
                "has a subject whose id is not 32 lower-case hexadecimal digits"
            ),
            (
                #""clock":"synchronized""#, #""clock":"stopped""#,
                "has a clock that is neither synchronized nor unsynchronized"
            ),
        ])
    func defects(part: String, replacement: String, found: String) throws {
        let text = try #require(Self.examples().first)
        try #require(text.contains(part))
        #expect(defect(text.replacing(part, with: replacement)) == found)
    }

    @Test func `What isn't JSON, is too long or has too many subjects is refused`() throws {
        for text in ["", "{", "[]", "null", "\u{0}", String(repeating: "[", count: 60_000)] {
            #expect(defect(text) != nil, "\(text.prefix(10))")
        }
        let text = try #require(Self.examples().last)
        #expect(defect(text + String(repeating: " ", count: 65_536)) == "is longer than 65536 bytes")
        func message(_ count: Int) -> String {
            func column(_ value: (Int) -> String) -> String { (1...count).map(value).joined(separator: ",") }
            return
                text
                .replacing(#""minors":[2603]"#, with: #""minors":[\#(column { "\($0)" })]"#)
                .replacing(#""counts":[7]"#, with: #""counts":[\#(column { _ in "1" })]"#)
                .replacing(#""rssi":[-64.5]"#, with: #""rssi":[\#(column { _ in "-9" })]"#)
        }
        #expect(try signals(message(2000)).subjects.count == 2000)
        #expect(defect(message(2001)) != nil)
    }

    @Test func `Whatever byte is damaged, the message is read or refused, within its bounds`() throws {
        var generator = SeededGenerator("damaged signals")
        let examples = try Self.examples().map { Array($0.utf8) }
        for _ in 0..<3_000 {
            guard var bytes = examples.randomElement(using: &generator) else { return }
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = .random(in: .min ... .max, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(UInt8(ascii: "9"), at: index)
                }
            }
            guard let read = try? RecordReader.signals(bytes, gateway: Self.gateway) else { continue }
            #expect(read.gateway == Self.gateway, generator.comment)
            #expect((0...1).contains(read.listened) && read.boot > 0 && read.number > 0, generator.comment)
            #expect((0...RecordReader.latestStart).contains(read.second), generator.comment)
            #expect(read.subjects.allSatisfy { (1...9999).contains($0.count) }, generator.comment)
            #expect(read.subjects.allSatisfy { ($0.rssi ?? 0) >= -127 && ($0.rssi ?? 0) <= 20 }, generator.comment)
        }
    }

    @Test func `A signed message is believed as signals, and not when it was changed or signed as a record`() throws {
        let text = Array(try #require(Self.examples().first).utf8)
        let site = try #require(SiteKey(secret: Array(repeating: 7, count: 32)))
        let verifier = MessageVerifier(keys: [site], isRequired: true)
        let key = site.gatewayKey(Self.gateway)
        let signed = MessageTag.adding(to: text, key: key, for: .signals)
        #expect(try !RecordReader.checkSignature(signed, of: Self.gateway, for: .signals, verifier))
        #expect(try RecordReader.signals(signed, gateway: Self.gateway).subjects.count == 5)
        var changed = signed
        changed[10] ^= 1
        let asRecord = MessageTag.adding(to: text, key: key, for: .record)
        for bytes in [text, changed, asRecord] {
            #expect(throws: RecordReader.Defect.self) {
                try RecordReader.checkSignature(bytes, of: Self.gateway, for: .signals, verifier)
            }
        }
    }
}

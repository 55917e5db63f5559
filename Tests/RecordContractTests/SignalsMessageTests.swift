import BeaconModel
import TestValues
import Testing

@testable import RecordContract

@Suite struct SignalsMessageTests {
    private static let pseudonymizer = Pseudonymizer(secret: Array("0123456789abcdef".utf8))

    private func factory(_ pseudonymizer: Pseudonymizer? = nil) -> SignalsFactory {
        SignalsFactory(place: Fixtures.place, boot: 3, topics: Fixtures.topics, pseudonymizer: pseudonymizer)
    }

    private func text(_ message: SignalsMessage) -> String {
        String(decoding: message.message(signedWith: nil).payload, as: UTF8.self)
    }

    private func beacon(_ minor: UInt16, major: UInt16 = 7) -> Subject {
        .beacon(BeaconID(uuid: Fixtures.uuid, major: major, minor: minor))
    }

    private func phone(_ bits: UInt128) -> Subject { .exposureNotification(RollingProximityIdentifier(bits: bits)) }

    private func heard(_ subject: Subject, _ count: UInt32 = 1, _ rssi: Double? = -70) -> Readings.Heard {
        .init(subject: subject, count: count, rssi: rssi)
    }

    private func signals(
        _ subjects: [Readings.Heard], listened: Duration = .seconds(1), startedAt: Timestamp = Fixtures.noon
    ) -> Signals {
        Signals(startedAt: startedAt, listened: listened, subjects: subjects)
    }

    @Test("Signals are published as the examples of the contract are: beacons and phones, nobody, a remote receiver")
    func examples() throws {
        var factory = factory(Self.pseudonymizer)
        var receiver = Fixtures.place
        (receiver.ear, receiver.room, receiver.position, receiver.beacon) = ("kitchen", "3061", nil, nil)
        let messages =
            factory.messages(
                for: signals([
                    heard(beacon(2603), 12, -71.26), heard(beacon(9), 6, nil), heard(beacon(4, major: 8), 10_000, -110),
                    heard(phone(5), 3, -80.25), heard(.contactUser(.herald, 6), 1, -93),
                ]),
                clockIsSynchronized: true)
            + factory.messages(
                for: signals([], listened: .zero, startedAt: Fixtures.noon + .seconds(1)), clockIsSynchronized: false)
            + factory.messages(for: signals([heard(beacon(2603), 7, -64.5)]), at: receiver, clockIsSynchronized: true)
        let examples = try Repository.read("Tests/Contract/examples/signals.jsonl")
        let lines = String(decoding: examples, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(messages.map(text) == lines)
        #expect(messages.map(\.payload.number) == [1, 2, 3])
        for message in messages.map({ $0.message(signedWith: nil) }) {
            #expect(message.topic == "beacons/v1/mcgill/trottier/3/gw-3a/signals")
            #expect(message.qualityOfService == .atMostOnce)
            #expect(!message.isRetained)
        }
    }

    @Test("Signals have the pseudonyms that readings of the day have")
    func pseudonyms() throws {
        var factory = factory(Self.pseudonymizer)
        let id = Self.pseudonymizer.pseudonym(
            of: RollingProximityIdentifier(bits: 5), site: "mcgill", day: "2020-11-15")
        #expect(factory.messages(for: signals([heard(phone(5))]), clockIsSynchronized: true).map(text)[0].contains(id))
        let tomorrow = signals([heard(phone(5))], startedAt: Fixtures.noon + .seconds(86_400))
        #expect(!factory.messages(for: tomorrow, clockIsSynchronized: true).map(text)[0].contains(id))
    }

    @Test("No address, code or identifier of a phone is in any message, and without a key no phone is")
    func privacy() {
        let address = BluetoothAddress(bits: 0xC011_2233_4401)
        var subjects = ContactApp.allCases.flatMap { [Subject.contactApp($0, address), .contactUser($0, 123_456_789)] }
        subjects.append(phone(0x0011_2233_4455_6677_8899_AABB_CCDD_EEFF))
        for key in [Self.pseudonymizer, nil] {
            var factory = factory(key)
            let text = factory.messages(for: signals(subjects.map { heard($0) }), clockIsSynchronized: true).map(text)
                .joined().lowercased()
            for secret in ["22:33:44", "112233", "c01122334401", "123456789", "00112233"] {
                #expect(!text.contains(secret))
            }
            #expect(text.contains(#""subjects":[]"#) == (key == nil))
        }
    }

    @Test("A subject costs at most 12 bytes beside its name", arguments: [false, true])
    func size(ofPhones: Bool) throws {
        let name = ofPhones ? "\"\",".utf8.count + 32 : "65535,".utf8.count
        func bytes(_ count: Int) throws -> Int {
            var factory = factory(Self.pseudonymizer)
            let subjects = (0..<count).map { number in
                heard(ofPhones ? phone(UInt128(number)) : beacon(UInt16(65_535 - number)), .max, -100.45)
            }
            let messages = factory.messages(for: signals(subjects), clockIsSynchronized: true)
            try #require(messages.count == 1)
            return messages[0].message(signedWith: nil).payload.count
        }
        let (few, many) = (try bytes(100), try bytes(500))
        #expect(many - few <= 400 * (name + 12), "\(many) - \(few)")
        #expect(many <= 32_768)
    }

    @Test("More than 500 subjects are in several messages of one second, with different subjects")
    func parts() {
        var factory = factory()
        let messages = factory.messages(
            for: signals((0..<1001).map { heard(beacon(UInt16($0))) }), clockIsSynchronized: true)
        #expect(messages.map(\.payload.number) == [1, 2, 3])
        #expect(Set(messages.map(\.payload.time)) == ["2020-11-15T12:00:00.000Z"])
        #expect(messages.map { $0.payload.subjects.first?.minors?.count } == [500, 500, 1])
        #expect(messages.flatMap { $0.payload.subjects.flatMap { $0.minors ?? [] } } == Array(0..<1001))
    }

    @Test("A signed message is genuine as signals, and as nothing else")
    func signature() throws {
        var factory = factory()
        let message = try #require(factory.messages(for: signals([heard(beacon(1))]), clockIsSynchronized: true).first)
        let site = try #require(SiteKey(secret: Array(repeating: 7, count: 32)))
        let key = site.gatewayKey("mcgill/trottier/3/gw-3a")
        let signed = message.message(signedWith: key).payload
        #expect(signed.count == message.message(signedWith: nil).payload.count + MessageTag.cost)
        #expect(MessageTag.verdict(on: signed, keys: [key], for: .signals) == .genuine)
        #expect(MessageTag.verdict(on: signed, keys: [key], for: .record) == .forged)
        #expect(MessageTag.verdict(on: signed, keys: [key], for: .health) == .forged)
    }
}

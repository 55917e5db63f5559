import BeaconModel
import TestValues
import Testing

@testable import RecordContract

@Suite struct ReadingsRecordTests {
    private static let pseudonymizer = Pseudonymizer(secret: Array("0123456789abcdef".utf8))

    private func text(_ record: Record) -> String {
        String(decoding: record.encoded(historical: false), as: UTF8.self)
    }

    private func beacon(_ minor: UInt16, major: UInt16 = 7) -> Subject {
        .beacon(BeaconID(uuid: Fixtures.uuid, major: major, minor: minor))
    }

    private func readings(
        _ subjects: [Readings.Heard], listened: Duration = .milliseconds(59_840), startedAt: Timestamp = Fixtures.noon
    ) -> Readings {
        Readings(
            startedAt: startedAt, interval: .seconds(60), decidedAt: startedAt + .milliseconds(60_021),
            listened: listened,
            adapters: [
                .init(adapter: Adapter(index: 0), listened: listened),
                .init(adapter: Adapter(index: 1), listened: .zero),
            ],
            subjects: subjects)
    }

    private func heard(_ subject: Subject, _ count: UInt32 = 1, _ rssi: Double? = -70) -> Readings.Heard {
        .init(subject: subject, count: count, rssi: rssi)
    }

    private func phone(_ bits: UInt128) -> Subject { .exposureNotification(RollingProximityIdentifier(bits: bits)) }

    @Test("Readings are published as the examples of the contract are: beacons and phones, nobody, a remote receiver")
    func examples() throws {
        var factory = Fixtures.factory(pseudonymizer: Self.pseudonymizer)
        var receiver = Fixtures.place
        (receiver.ear, receiver.room, receiver.position, receiver.beacon) = ("kitchen", "3061", nil, nil)
        let records =
            factory.records(
                for: readings([
                    heard(beacon(2603), 12, -71.26), heard(beacon(9), 60, nil),
                    heard(beacon(4, major: 8), 10_000, -110),
                    heard(phone(5), 3, -80.25), heard(.contactUser(.herald, 6), 1, -93),
                ]),
                clockIsSynchronized: true)
            + factory.records(
                for: readings([], listened: .zero, startedAt: Fixtures.noon + .seconds(60)), clockIsSynchronized: false)
            + factory.records(
                for: readings([heard(beacon(2603), 7, -64.5)], listened: .seconds(60)), at: receiver,
                clockIsSynchronized: true)
        let examples = try Repository.read("Tests/Contract/examples/readings.jsonl")
        let lines = String(decoding: examples, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(records.map(text) == lines)
        #expect(records.allSatisfy { $0.topic == "beacons/v1/mcgill/trottier/3/gw-3a/readings" })
        #expect(records.map(\.sequence) == [1, 2, 3])
        #expect(records.allSatisfy { $0.outboxRecord.priority == .readings })
    }

    @Test("The order in which subjects were found out changes nothing")
    func order() {
        var generator = SeededGenerator("readings order")
        let subjects = (0..<40).flatMap { number in
            [heard(beacon(UInt16(number), major: UInt16(number % 3))), heard(phone(UInt128(number)))]
        }
        func texts(_ subjects: [Readings.Heard]) -> [String] {
            var factory = Fixtures.factory(pseudonymizer: Self.pseudonymizer)
            return factory.records(for: readings(subjects), clockIsSynchronized: true).map(text)
        }
        #expect(texts(subjects) == texts(subjects.shuffled(using: &generator)))
    }

    @Test("A subject costs at most 12 bytes beside its name", arguments: [false, true])
    func size(ofPhones: Bool) throws {
        let name = ofPhones ? "\"\",".utf8.count + 32 : "65535,".utf8.count
        func bytes(_ count: Int) throws -> Int {
            var factory = Fixtures.factory(pseudonymizer: Self.pseudonymizer)
            let subjects = (0..<count).map { number in
                heard(ofPhones ? phone(UInt128(number)) : beacon(UInt16(65_535 - number)), .max, -100.45)
            }
            let records = factory.records(for: readings(subjects), clockIsSynchronized: true)
            try #require(records.count == 1)
            return records[0].encoded(historical: false).count
        }
        let (few, many) = (try bytes(100), try bytes(500))
        #expect(many - few <= 400 * (name + 12), "\(many) - \(few)")
        #expect(many <= 32_768)
    }

    @Test("More than 500 subjects are in several records, each complete by itself, with different subjects")
    func parts() {
        var factory = Fixtures.factory()
        let subjects = (0..<1001).map { heard(beacon(UInt16($0))) }
        let records = factory.records(for: readings(subjects), clockIsSynchronized: true)
        #expect(records.map(\.sequence) == [1, 2, 3])
        var minors: [UInt16] = []
        for record in records {
            let data = ReceivedReadings(record)?.data
            #expect(data?.startedAt == "2020-11-15T12:00:00.000Z")
            #expect(data?.listenedSeconds == 59.8)
            let group = data?.subjects.first
            #expect(data?.subjects.count == 1 && group?.major == 7)
            #expect(group?.counts.count == group?.minors?.count && group?.rssi.count == group?.minors?.count)
            minors += group?.minors ?? []
        }
        #expect(minors == Array(0..<1001))
        #expect(records.map { ReceivedReadings($0)?.data.subjects.first?.minors?.count } == [500, 500, 1])
    }

    @Test("A group that 500 subjects divide has its name in both records")
    func dividedGroups() {
        var factory = Fixtures.factory()
        let subjects = (0..<300).map { heard(beacon($0, major: 1)) } + (0..<300).map { heard(beacon($0, major: 2)) }
        let records = factory.records(for: readings(subjects), clockIsSynchronized: true)
        #expect(records.map { ReceivedReadings($0)?.data.subjects.map(\.major) } == [[1, 2], [2]])
    }

    @Test("No address, code or identifier of a phone is in any record")
    func privacy() {
        var factory = Fixtures.factory(pseudonymizer: Self.pseudonymizer)
        let address = BluetoothAddress(bits: 0xC011_2233_4401)
        var subjects = ContactApp.allCases.flatMap { [Subject.contactApp($0, address), .contactUser($0, 123_456_789)] }
        subjects.append(phone(0x0011_2233_4455_6677_8899_AABB_CCDD_EEFF))
        let texts = factory.records(for: readings(subjects.map { heard($0) }), clockIsSynchronized: true).map(text)
        let text = texts.joined().lowercased()
        for secret in ["22:33:44", "112233", "c01122334401", "123456789", "00112233"] {
            #expect(!text.contains(secret))
        }
        let ids = texts.joined().split(separator: "\"").filter { $0.utf8.count == 32 }
        #expect(Set(ids).count == subjects.count)
    }

    @Test("A phone has the pseudonym that interaction records of the day have")
    func pseudonyms() throws {
        var factory = Fixtures.factory(pseudonymizer: Self.pseudonymizer)
        let event = InteractionEvent(
            kind: .started, time: Fixtures.noon, interaction: Fixtures.interaction(subject: phone(5)))
        let record = factory.record(for: event, clockIsSynchronized: true)
        let interaction = try #require(record)
        let id = Self.pseudonymizer.pseudonym(
            of: RollingProximityIdentifier(bits: 5), site: "mcgill", day: "2020-11-15")
        #expect(text(interaction).contains(id))
        #expect(factory.records(for: readings([heard(phone(5))]), clockIsSynchronized: true).map(text)[0].contains(id))
        let tomorrow = readings([heard(phone(5))], startedAt: Fixtures.noon + .seconds(86_400))
        #expect(!factory.records(for: tomorrow, clockIsSynchronized: true).map(text)[0].contains(id))
    }

    @Test("The order of phones is that of their pseudonyms")
    func orderOfPhones() {
        var factory = Fixtures.factory(pseudonymizer: Self.pseudonymizer)
        let records = factory.records(
            for: readings((0..<50).map { heard(phone(UInt128($0))) }), clockIsSynchronized: true)
        let ids = records.compactMap { ReceivedReadings($0)?.data.subjects.first?.ids }.flatMap { $0 }
        #expect(ids.count == 50)
        #expect(ids == ids.sorted())
    }

    @Test("Without a key phones are left out, and the record is there")
    func phonesWithoutKey() {
        var factory = Fixtures.factory()
        let records = factory.records(for: readings([heard(phone(5))]), clockIsSynchronized: true)
        #expect(records.map { ReceivedReadings($0)?.data.subjects.count } == [0])
    }

    @Test("No adapter listened for longer than the interval, nor for less than nothing")
    func limits() {
        var factory = Fixtures.factory()
        let records =
            factory.records(for: readings([], listened: .seconds(61)), clockIsSynchronized: true)
            + factory.records(for: readings([], listened: .seconds(-1)), clockIsSynchronized: true)
        #expect(records.map { ReceivedReadings($0)?.data.listenedSeconds } == [60, 0])
    }
}

/// As much as a test reads of a record.
private struct ReceivedReadings: Decodable {
    var data: Payload

    struct Payload: Decodable {
        var startedAt: String
        var listenedSeconds: Double
        var subjects: [Group]
    }

    struct Group: Decodable {
        var major: UInt16?
        var minors: [UInt16]?
        var ids: [String]?
        var counts: [Int]
        var rssi: [Double?]
    }

    init?(_ record: Record) {
        guard let read = try? JSON.decode(Self.self, from: record.encoded(historical: false)) else { return nil }
        self = read
    }
}

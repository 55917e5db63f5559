import Evidence
import Matching
import TestValues
import Testing

@Suite struct ReadingsRecordReaderTests {
    /// The contract's examples: beacons and phones, a deaf gateway, a remote receiver.
    private static func examples() throws -> [String] {
        String(decoding: try Repository.read("Tests/Contract/examples/readings.jsonl"), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    private struct OtherRecord: Error {}

    private func readings(_ text: String) throws -> ReadingsRecord {
        guard case .readings(let record) = try RecordReader.read(Array(text.utf8)) else {
            throw OtherRecord()
        }
        return record
    }

    @Test func `The contract's examples are read: beacons, phones, a deaf gateway and a remote receiver`() throws {
        let records = try Self.examples().map(readings)
        try #require(records.count == 3)
        let noon: Int64 = 1_605_441_600
        #expect(records.map(\.start) == [noon, noon + 60, noon] && records.map { $0.end - $0.start } == [60, 60, 60])
        #expect(records.map(\.listened) == [59.8, 0, 60])
        #expect(records.map(\.clockIsSynchronized) == [true, false, true])
        let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
        #expect(
            records[0].subjects.map(\.identity.description) == [
                "badge:\(uuid)/7/2603", "badge:\(uuid)/7/9", "badge:\(uuid)/8/4",
                "exposure-notification:b052ef51482f903485677d5a2f57b19a", "herald:f3b367cec840641fb47d83cf8314e80c",
            ])
        #expect(records[0].subjects.map(\.count) == [12, 60, 9999, 3, 1])
        #expect(records[0].subjects.map(\.rssi) == [-71.3, nil, -110, -80.3, -93])
        #expect(records[1].subjects.isEmpty)
        #expect(
            records[2].receiver == "mcgill/trottier/3/gw-3a/kitchen" && records[2].gateway == "mcgill/trottier/3/gw-3a")
        #expect(records[2].place.room == "3061")
    }

    @Test(
        "What isn't a record of readings is said",
        arguments: [
            (
                #""endedAt":"2020-11-15T12:01:00.000Z""#, #""endedAt":"2020-11-15T12:05:00.000Z""#,
                "does not last 30 to 120 seconds"
            ),
            (
                #""endedAt":"2020-11-15T12:01:00.000Z""#, #""endedAt":"2020-11-15T11:59:00.000Z""#,
                "does not last 30 to 120 seconds"
            ),
            (
                #""endedAt":"2020-11-15T12:01:00.000Z","#, "",
                "lacks one of startedAt, endedAt, listenedSeconds, subjects"
            ),
            (
                #""listenedSeconds":59.8,"place""#, #""listenedSeconds":-1,"place""#,
                "has listenedSeconds below 0 or above its duration"
            ),
            (
                #""listenedSeconds":59.8,"place""#, #""listenedSeconds":3600,"place""#,
                "has listenedSeconds below 0 or above its duration"
            ),
            (
                #""listenedSeconds":59.8,"place""#, #""listenedSeconds":0,"place""#,
                "has subjects, but listenedSeconds of 0"
            ),
            (#""counts":[60,12]"#, #""counts":[60]"#, "has columns of different lengths in subjects"),
            (#""rssi":[null,-71.3]"#, #""rssi":[null]"#, "has columns of different lengths in subjects"),
            (#""counts":[60,12]"#, #""counts":[60,0]"#, "has a count outside 1 to 9999"),
            (#""counts":[60,12]"#, #""counts":[60,10000]"#, "has a count outside 1 to 9999"),
            (#""rssi":[null,-71.3]"#, #""rssi":[null,-300]"#, "has an impossible rssi"),
            (
                #""kind":"beacon","major":7"#, #""kind":"teleporter","major":7"#,
                "has subjects of an unknown kind, or without ids"
            ),
            (#""major":7,"#, "", "lacks the uuid, major or minors of beacons"),
            (
                "b052ef51482f903485677d5a2f57b19a", "B052ef51482f903485677d5a2f57b19a",
                "has a subject whose id is not 32 lower-case hexadecimal digits"
            ),
            (
                "b052ef51482f903485677d5a2f57b19a", "x/y",
                "has a subject whose id is not 32 lower-case hexadecimal digits"
            ),
        ])
    func defects(part: String, replacement: String, found: String) throws {
        let text = try #require(Self.examples().first)
        try #require(text.contains(part))
        let error = #expect(throws: RecordReader.Defect.self) { try readings(text.replacing(part, with: replacement)) }
        #expect(error?.found == found)
    }

    // 2,001 of them in 16 kB.
    @Test func `A record with more subjects than a gateway puts into one is refused`() throws {
        let text = try #require(Self.examples().last)
        func record(_ count: Int) -> String {
            func column(_ value: (Int) -> String) -> String { (1...count).map(value).joined(separator: ",") }
            return
                text
                .replacing(#""minors":[2603]"#, with: #""minors":[\#(column { "\($0)" })]"#)
                .replacing(#""counts":[7]"#, with: #""counts":[\#(column { _ in "1" })]"#)
                .replacing(#""rssi":[-64.5]"#, with: #""rssi":[\#(column { _ in "-9" })]"#)
        }
        #expect(try readings(record(2000)).subjects.count == 2000)
        let error = #expect(throws: RecordReader.Defect.self) { try readings(record(2001)) }
        #expect(error?.found.contains("2000") == true || error?.found.hasPrefix("lacks") == true)
    }

    @Test func `Any bytes are a record or a defect`() throws {
        var random = SeededGenerator("records of readings")
        for example in try Self.examples() {
            RecordReaderTests.readDamaged(Array(example.utf8), times: 3000, &random)
        }
    }
}

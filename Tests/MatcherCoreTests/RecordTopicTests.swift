import Testing

@testable import MatcherCore

@Suite struct RecordTopicTests {
    @Test func `Records and health of a gateway are told by their topics`() {
        let root = "beacons/v1/campus/main/1/east"
        #expect(RecordTopic(root + "/beacon/u/1/1/interaction", prefix: "beacons")?.kind == .record)
        #expect(RecordTopic(root + "/health", prefix: "beacons")?.kind == .health)
        #expect(RecordTopic(root + "/health", prefix: "beacons")?.gateway == "campus/main/1/east")
        #expect(RecordTopic(root + "/status", prefix: "beacons") == nil)
    }

    @Test(
        "Who can be no gateway isn't heard",
        arguments: [
            "campus/main/1/\(String(repeating: "e", count: 4000))", "campus/main/1/Ea st", "campus//1/east",
            "campus/main/1/\u{e9}st",
        ])
    func strange(gateway: String) {
        #expect(RecordTopic("beacons/v1/\(gateway)/health", prefix: "beacons") == nil)
    }
}

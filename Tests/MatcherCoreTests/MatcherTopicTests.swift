import Matching
import RecordContract
import Testing

@testable import MatcherCore

@Suite struct MatcherTopicTests {
    @Test func `Where a subject is told has a form in the table of topics`() {
        let topic = NoticeTopic.topic(prefix: "beacons", key: "0123456789abcdef0123456789abcdef")
        #expect(TopicAccess.of(topic, prefix: "beacons")?.name == "exposure")
    }

    @Test func `How full a floor and a room are is said on topics of the table`() {
        let floor = FloorName(site: "campus", building: "main", floor: "1")
        let documents = [
            OccupancyDocument(floor, Occupancy([]), isHeard: true, now: 0),
            OccupancyDocument(Room(name: "HB 2.11"), on: floor, Occupancy([]), isHeard: true, now: 0),
        ]
        let topics = OccupancyDocument.topics(of: documents, prefix: "beacons").map { $0.topic }
        #expect(
            topics.map { TopicAccess.of($0, prefix: "beacons")?.name } == ["occupancy", "occupancy-room"])
    }
}

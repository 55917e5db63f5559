import FloorPlans
import MatcherCore
import Matching
import Testing

@Suite struct LocationTopicsTests {
    private let badge = LiveHall.badge(1)
    private let keys = [LiveHall.badge(1): "0123456789abcdef0123456789abcdef"]

    private func position(_ place: LivePosition.Place, floor: String = "campus/hb/1", x: Double = 1) -> LivePosition {
        LivePosition(
            subject: badge, floor: floor, place: place, probability: 0.9, position: PlanPoint(x: x, y: 1), radius: 2,
            since: 0, heardAt: 0)
    }

    private let topic = "beacons/v1/campus/hb/1/subject/0123456789abcdef0123456789abcdef/location"

    @Test func aPlaceIsPublishedWhenItChangesAndEveryHalfMinute() {
        var topics = LocationTopics(prefix: "beacons")
        let first = position(.room("A"))
        #expect(topics.replace(with: [first], keys: keys, now: 0) == [.publish(topic: topic, first)])
        // A step within the room is no change.
        #expect(topics.replace(with: [position(.room("A"), x: 4)], keys: keys, now: 10) == [])
        let next = position(.room("B"))
        #expect(topics.replace(with: [next], keys: keys, now: 12) == [.publish(topic: topic, next)])
        #expect(topics.replace(with: [next], keys: keys, now: 41) == [])
        #expect(topics.replace(with: [next], keys: keys, now: 42) == [.publish(topic: topic, next)])
    }

    @Test func aTopicIsEmptiedWhenTheSubjectLeavesItsFloorOrIsGone() {
        var topics = LocationTopics(prefix: "beacons")
        _ = topics.replace(with: [position(.room("A"))], keys: keys, now: 0)
        let upstairs = position(.floor, floor: "campus/hb/2")
        #expect(
            topics.replace(with: [upstairs], keys: keys, now: 1) == [
                .empty(topic: topic), .publish(topic: topic.replacing("/hb/1/", with: "/hb/2/"), upstairs),
            ])
        #expect(
            topics.replace(with: [], keys: keys, now: 2) == [.empty(topic: topic.replacing("/hb/1/", with: "/hb/2/"))])
        #expect(topics.count == 0)
    }

    @Test func aSubjectWithoutAKeyIsNotPublished() {
        var topics = LocationTopics(prefix: "beacons")
        #expect(topics.replace(with: [position(.room("A"))], keys: [:], now: 0) == [])
    }

    @Test func withoutKeysOnlyThoseWhoHaveLeftAreWithdrawn() {
        var topics = LocationTopics(prefix: "beacons")
        let place = position(.room("A"))
        _ = topics.replace(with: [place], keys: keys, now: 0)
        #expect(topics.withdraw(allBut: [place]) == [])
        #expect(topics.withdraw(allBut: [position(.floor, floor: "campus/hb/2")]) == [.empty(topic: topic)])
        #expect(topics.count == 0)
        _ = topics.replace(with: [place], keys: keys, now: 1)
        #expect(topics.withdraw(allBut: []) == [.empty(topic: topic)])
    }
}

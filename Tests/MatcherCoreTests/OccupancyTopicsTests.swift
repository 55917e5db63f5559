import Testing

@testable import MatcherCore

@Suite struct OccupancyTopicsTests {
    @Test func `Topics of rooms that are gone are named once, and those that came back are none of them`() {
        var topics = OccupancyTopics()
        #expect(topics.replace(with: ["f", "f/101", "f/102"]) == [])
        #expect(topics.replace(with: ["f", "f/101", "f/102"]) == [])
        #expect(topics.replace(with: ["f", "f/103"]) == ["f/101", "f/102"])
        #expect(topics.replace(with: ["f", "f/103"]) == [])
        #expect(topics.replace(with: ["f", "f/101"]) == ["f/103"])
        #expect(topics.replace(with: []) == ["f", "f/101"])
    }
}

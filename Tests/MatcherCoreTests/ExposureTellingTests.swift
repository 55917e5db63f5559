import Matching
import Testing

@testable import MatcherCore

@Suite struct ExposureTellingTests {
    private static let day: Int64 = 20_783
    private static let midnight = day * 86_400

    // One until midnight had been told of the next day alone.
    @Test(
        "An exposure is told on each day on which it was",
        arguments: [
            (-3600, 0, [day - 1]), (-3600, 1, [day - 1, day]), (0, 0, [day]), (0, 3600, [day]),
            (-3600, 2 * 86_400 + 60, [day - 1, day, day + 1, day + 2]),
        ] as [(Int64, Int64, [Int64])])
    func days(start: Int64, end: Int64, days: [Int64]) throws {
        let badge = try #require(SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/2"))
        let telling = ExposureTelling(
            policy: try #require(Policy.shipped("six-metre-five-minute")), retention: 14, phoneDelay: nil)
        let exposure = ExposureSummary(
            subject: badge, place: 1, start: Self.midnight + start, end: Self.midnight + end, minutes: 60)
        let told = telling.told([exposure], to: badge, now: Self.midnight + 3 * 86_400)
        #expect(told.days == days.sorted(by: >))
    }
}

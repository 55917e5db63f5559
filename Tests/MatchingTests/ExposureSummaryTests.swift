import Testing

@testable import Matching

@Suite("What an exposed subject may know of an exposure") struct ExposureSummaryTests {
    private func exposure(_ missing: [Explanation.Missing], _ way: Exposure.Way) -> Exposure {
        Exposure(
            subject: 7, place: 3, start: 60, end: 660, sharedSeconds: 600, minutes: 9.5, range: 50...200,
            probability: 0.75, way: way,
            explanation: Explanation(
                windows: [], omittedWindows: 0, infectiousness: 1, reportType: 1, missing: missing, together: nil))
    }

    @Test func `It is where and when the exposure was, how long, and in which way it was found`() throws {
        let ben = try #require(SubjectIdentity("phone:ben"))
        for way in [Exposure.Way.beacon, .together] {
            #expect(
                ExposureSummary(exposure([], way), of: ben)
                    == ExposureSummary(
                        subject: ben, place: 3, start: 60, end: 660, minutes: 9.5, clockIsDoubtful: false, way: way))
        }
    }

    @Test func `Of all that was missing only the clock casts doubt on it`() throws {
        let ben = try #require(SubjectIdentity("phone:ben"))
        #expect(ExposureSummary(exposure([.onset, .clock], .beacon), of: ben).clockIsDoubtful)
        #expect(!ExposureSummary(exposure([.distances(2), .onset], .beacon), of: ben).clockIsDoubtful)
    }
}

import Matching
import Testing

@testable import Matcher

@Suite struct WebhookRefusalsTests {
    private let subject = SubjectIdentity("phone:ann")
    private let start = ContinuousClock.now

    @Test func `Somebody whom a webhook refuses is due again after a minute, and then ever more rarely`() throws {
        let subject = try #require(subject)
        var refusals = WebhookRefusals()
        #expect(refusals.isDue(subject, at: start))
        var time = start
        for minutes in [1, 2, 4, 8, 16, 32, 60, 60] {
            refusals.refused(subject, at: time)
            let next = time + .seconds(60 * minutes)
            #expect(!refusals.isDue(subject, at: next - .seconds(1)))
            #expect(refusals.isDue(subject, at: next))
            time = next
        }
        refusals.taken(subject)
        #expect(refusals.isDue(subject, at: start))
    }
}

import Matching
import Testing

@testable import MatcherCore

@Suite struct WebhookRefusalsTests {
    private let subject = SubjectIdentity("phone:ann")
    private let start = ContinuousClock.now

    @Test func `Somebody whom a webhook refuses is due again after a minute, and then ever more rarely`() throws {
        let subject = try #require(subject)
        let notice = Notice(subject: subject, content: nil, changed: 1)
        var refusals = WebhookRefusals()
        #expect(refusals.isDue(notice, at: start))
        var time = start
        for minutes in [1, 2, 4, 8, 16, 32, 60, 60] {
            refusals.refused(notice, at: time)
            let next = time + .seconds(60 * minutes)
            #expect(!refusals.isDue(notice, at: next - .seconds(1)))
            #expect(refusals.isDue(notice, at: next))
            time = next
        }
        #expect(refusals.isDue(.init(subject: subject, content: nil, changed: 2), at: time - .seconds(1)))
        refusals.taken(subject)
        #expect(refusals.isDue(notice, at: start))
    }
}

import Matching
import Testing

@testable import MatcherCore

@Suite("Which notices a webhook is offered when") struct WebhookScheduleTests {
    private let start = ContinuousClock.now
    private let content = NoticeContent(
        level: .high, label: "", days: 1, latest: nil, policy: "further", policyVersion: "1")

    private func notice(_ name: String, _ content: NoticeContent?) throws -> Notice {
        Notice(subject: try #require(SubjectIdentity(kind: "phone", id: name)), content: content, changed: 1)
    }

    @Test func `A notice is offered for ten seconds, and then other work has its turn`() throws {
        let (schedule, ann) = (WebhookSchedule(), try notice("ann", content))
        for (seconds, turn) in [(0, .offer(content)), (9, .offer(content)), (10, .pause), (60, .pause)]
            as [(Int, WebhookSchedule.Turn)]
        {
            #expect(
                schedule.turn(of: ann, hasWebhook: true, start: start, now: start + .seconds(seconds)) == turn,
                "\(seconds)")
        }
    }

    @Test func `Nothing is offered without a webhook, or when nothing is left to report, however late`() throws {
        let schedule = WebhookSchedule()
        let later = start + .seconds(60)
        let (ann, ben) = (try notice("ann", content), try notice("ben", nil))
        #expect(schedule.turn(of: ann, hasWebhook: false, start: start, now: later) == .settle)
        #expect(schedule.turn(of: ben, hasWebhook: true, start: start, now: later) == .settle)
    }

    @Test func `A refused notice is skipped for a minute, and delivers others`() throws {
        var schedule = WebhookSchedule()
        let (ann, ben) = (try notice("ann", content), try notice("ben", content))
        #expect(schedule.take(.refused, to: ann, at: start) == .next)
        #expect(schedule.last == ann)
        #expect(schedule.turn(of: ann, hasWebhook: true, start: start, now: start) == .skip)
        #expect(schedule.turn(of: ben, hasWebhook: true, start: start, now: start) == .offer(content))
        let later = start + .seconds(60)
        #expect(schedule.turn(of: ann, hasWebhook: true, start: later, now: later) == .offer(content))
    }

    @Test func `A webhook that doesn't answer is asked again the next time, after the notice that it didn't take`()
        throws
    {
        var schedule = WebhookSchedule()
        let ann = try notice("ann", content)
        #expect(schedule.take(.unavailable, to: ann, at: start) == .stop)
        #expect(schedule.last == ann)
        #expect(schedule.turn(of: ann, hasWebhook: true, start: start, now: start) == .offer(content))
        schedule.finish()
        #expect(schedule.last == nil)
    }

    @Test func `A notice that was taken is forgotten with its refusals`() throws {
        var schedule = WebhookSchedule()
        let ann = try notice("ann", content)
        _ = schedule.take(.refused, to: ann, at: start)
        #expect(schedule.take(.taken, to: ann, at: start) == .delivered)
        schedule.delivered(ann)
        #expect(schedule.turn(of: ann, hasWebhook: true, start: start, now: start) == .offer(content))
        _ = schedule.take(.refused, to: ann, at: start)
        let later = start + .seconds(59)
        #expect(schedule.turn(of: ann, hasWebhook: true, start: later, now: later) == .skip)
    }
}

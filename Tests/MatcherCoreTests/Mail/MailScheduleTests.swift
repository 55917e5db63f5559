import MatcherCore
import Testing

@Suite("Schedule of e-mails") struct MailScheduleTests {
    @Test("Pauses double, up to two hours") func pauses() {
        let pauses = (1...10).map { MailSchedule.next(after: $0, now: 1000) - 1000 }
        #expect(pauses == [60, 120, 240, 480, 960, 1920, 3840, 7200, 7200, 7200])
        for tries in [Int.min, -1, 0] { #expect(MailSchedule.next(after: tries, now: 0) == 60) }
        #expect(MailSchedule.next(after: .max, now: 0) == 7200)
    }

    @Test("An e-mail is given up after three days") func lifetime() {
        #expect(!MailSchedule.isOver(created: 0, now: 3 * 86_400 - 1))
        #expect(MailSchedule.isOver(created: 0, now: 3 * 86_400))
    }

    @Test("In a minute there are at most 60 e-mails") func rate() {
        var rate = MailRate()
        let taken = (0..<60).map { rate.take(at: Int64($0 / 2)) }
        #expect(taken.allSatisfy { $0 })
        // The last is of a clock that was set back.
        let later = [59, 60, 60, 60, -1000].map { rate.take(at: $0) }
        #expect(later == [false, true, true, false, true])
    }

    @Test(
        "What concerns the client concerns all e-mails, and what concerns one e-mail no others",
        arguments: [
            (MailAnswer.Stage.envelope, 550, MailAnswer.refused("x")), (.content, 552, .refused("x")),
            (.envelope, 451, .later("x")), (.content, 452, .later("x")), (.envelope, 421, .unavailable("x")),
            (.envelope, 530, .unavailable("x")), (.connection, 535, .unavailable("x")),
            (.connection, 554, .unavailable("x")), (.connection, 454, .unavailable("x")),
            (.content, 250, .unavailable("x")),
        ] as [(MailAnswer.Stage, Int, MailAnswer)])
    func answers(stage: MailAnswer.Stage, code: Int, answer: MailAnswer) {
        #expect(MailAnswer(refusedAt: stage, code: code, text: "x") == answer)
    }
}

import Testing

@testable import Publishing

@Suite struct AcknowledgementBatchTests {
    /// A batch of a window of 8, with messages 1 to `count` sent.
    private func sent(_ count: Int32) -> AcknowledgementBatch {
        var batch = AcknowledgementBatch()
        batch.accept(window: 8)
        for number in 1...count {
            batch.willPublish()
            batch.published(number)
        }
        return batch
    }

    @Test("A few acknowledgements are held back while more are expected; a share of the window is reported")
    func share() {
        var batch = sent(4)
        #expect(batch.report(all: false) == .nothing)
        batch.answered(1, isTaken: true)
        #expect(batch.report(all: false) == .heldBack)
        batch.answered(2, isTaken: true)
        #expect(batch.report(all: false) == .due)
        #expect(batch.take() == [1, 2])
    }

    @Test("The last acknowledgement is reported at once, and any if asked for")
    func last() {
        var batch = sent(2)
        batch.answered(1, isTaken: true)
        #expect(batch.report(all: true) == .due)
        #expect(batch.take() == [1])
        batch.answered(2, isTaken: true)
        #expect(batch.report(all: false) == .due)
    }

    @Test("The owner is told once until it has taken the numbers, with all that have come meanwhile")
    func told() {
        var batch = sent(3)
        batch.answered(1, isTaken: true)
        #expect(batch.report(all: true) == .due)
        batch.answered(2, isTaken: true)
        #expect(batch.report(all: true) == .nothing)
        #expect(batch.take() == [1, 2])
        #expect(batch.report(all: true) == .nothing)
        batch.answered(3, isTaken: true)
        #expect(batch.report(all: true) == .due)
    }

    @Test("A rejection is an answer and no acknowledgement")
    func rejected() {
        var batch = sent(2)
        batch.answered(1, isTaken: false)
        #expect(batch.report(all: true) == .nothing)
        #expect(batch.answered == 1)
        #expect(batch.sight(isAccepted: true, delivered: 0, isSending: false).awaited == 1)
    }

    @Test("A message that the library doesn't take is expected no longer")
    func notPublished() {
        var batch = sent(1)
        batch.willPublish()
        batch.answered(1, isTaken: true)
        #expect(batch.report(all: false) == .heldBack)
        batch.notPublished()
        #expect(batch.report(all: false) == .due)
    }

    @Test("An answer may come before the number is known")
    func early() {
        var batch = AcknowledgementBatch()
        batch.willPublish()
        batch.answered(1, isTaken: true)
        batch.published(1)
        #expect(batch.report(all: false) == .due)
        #expect(batch.sight(isAccepted: true, delivered: 0, isSending: false).awaited == 0)
    }

    @Test("Only subscriptions that were asked for are answered")
    func subscriptions() {
        var batch = AcknowledgementBatch()
        var wasAsked = batch.answeredSubscription(1)
        #expect(!wasAsked)
        batch.willSubscribe()
        batch.subscribed(1)
        wasAsked = batch.answeredSubscription(1)
        #expect(wasAsked)
        wasAsked = batch.answeredSubscription(1)
        #expect(!wasAsked)
    }

    @Test("Before the broker accepts the connection no answer is awaited")
    func sight() {
        var batch = sent(2)
        batch.receive()
        #expect(batch.sight(isAccepted: false, delivered: 3, isSending: true).awaited == 0)
        #expect(
            batch.sight(isAccepted: true, delivered: 3, isSending: true)
                == AnswerWatch.Sight(
                    awaited: 2, answered: 0, answeredInOrder: 0, received: 1, delivered: 3, isSending: true))
    }
}

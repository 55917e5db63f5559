import Testing

@testable import Publishing

@Suite struct AnswerWatchTests {
    private static let start = AnswerWatch.Sight(
        awaited: 3, answered: 10, answeredInOrder: 10, delivered: 1000, isSending: false)

    /// The look at which the connection is given up, of the first 50.
    private func givenUp(_ change: (inout AnswerWatch.Sight, Int) -> Void) -> Int? {
        var watch = AnswerWatch()
        var sight = Self.start
        return (0..<50).first { look in
            change(&sight, look)
            return watch.isMute(sight)
        }
    }

    @Test("A broker that answers nothing is given up, signs of life or not")
    func mute() {
        #expect(givenUp { _, _ in } == AnswerWatch.looks)
        // A ping, which has been confirmed by the time of the look.
        #expect(givenUp { sight, _ in sight.delivered += 2 } == AnswerWatch.looks)
    }

    @Test("A single lost answer is noticed while others come")
    func oneLost() {
        #expect(
            givenUp { sight, _ in
                sight.answered += 100
                sight.delivered += 50_000
                sight.isSending = true
            } == AnswerWatch.looks)
    }

    @Test("A slow line isn't given up as long as bytes arrive, one that stands still is")
    func slowLine() {
        #expect(
            givenUp { sight, _ in
                sight.delivered += 100
                sight.isSending = true
            } == nil)
        #expect(givenUp { sight, _ in sight.isSending = true } == AnswerWatch.looks)
    }

    @Test("A broker that answers now and then is kept, and the count begins anew after each answer")
    func slowBroker() {
        #expect(
            givenUp { sight, look in
                guard look % (AnswerWatch.looks - 1) == 0 else { return }
                sight.answered += 1
                sight.answeredInOrder += 1
            } == nil)
    }

    @Test("Who awaits nothing gives nothing up, and what is sent after a pause has all its time")
    func idle() {
        #expect(givenUp { sight, _ in sight.awaited = 0 } == nil)
        #expect(givenUp { sight, look in sight.awaited = look < 20 ? 0 : 1 } == 20 + AnswerWatch.looks)
    }

    @Test("A consumer whose session brings what was kept for it waits for the answer behind that")
    func backlog() {
        #expect(givenUp { sight, _ in sight.received += 1 } == nil)
    }
}

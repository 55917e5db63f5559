import Testing

@testable import Publishing

@Suite struct AwaitedAnswersTests {
    @Test("Answers in their order, out of it, and before the sender knows the number are each counted once")
    func order() {
        var answers = AwaitedAnswers()
        for number in 1...3 as ClosedRange<Int32> { answers.sent(number) }
        answers.answered(2)
        #expect((answers.answered, answers.answeredInOrder, answers.count) == (1, 0, 2))
        answers.answered(1)
        #expect((answers.answered, answers.answeredInOrder, answers.count) == (2, 1, 1))
        answers.answered(4)
        answers.sent(4)
        #expect((answers.answered, answers.answeredInOrder, answers.count) == (3, 1, 1))
        answers.answered(3)
        #expect((answers.answered, answers.answeredInOrder, answers.count) == (4, 2, 0))
    }
}

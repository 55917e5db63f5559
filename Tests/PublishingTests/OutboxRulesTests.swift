import RecordContract
import Testing

@testable import Publishing

@Suite struct OutboxRulesTests {
    @Test("Only updated records are delayed, and only if a delay is set")
    func delays() {
        let rules = OutboxRules(writeDelay: .seconds(1))
        #expect(OutboxPriority.allCases.filter(rules.delays) == [.updated])
        #expect(!OutboxRules(writeDelay: nil).delays(.updated))
        #expect(!OutboxRules(writeDelay: .zero).delays(.updated))
    }
}

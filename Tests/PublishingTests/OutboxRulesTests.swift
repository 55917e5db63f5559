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

    @Test("On a card writes are delayed by a second, elsewhere not at all, and by what is configured on both")
    func writeDelayOfMedium() {
        #expect(OutboxRules.writeDelay(nil, isOnCard: true) == .seconds(1))
        #expect(OutboxRules.writeDelay(nil, isOnCard: false) == nil)
        #expect(OutboxRules.writeDelay(.zero, isOnCard: true) == .zero)
        #expect(OutboxRules.writeDelay(.milliseconds(500), isOnCard: false) == .milliseconds(500))
    }
}

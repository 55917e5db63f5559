import Testing
import Watching

@Suite struct ReadinessRuleTests {
    private let rule = ReadinessRule()

    @Test("A program that does what it is for is ready at once")
    func working() { #expect(rule.isReady(.working, after: .zero)) }

    @Test("A program that waits for a person is ready after ten seconds")
    func waiting() {
        #expect(!rule.isReady(.waiting, after: .seconds(9)))
        #expect(rule.isReady(.waiting, after: .seconds(10)))
    }

    @Test("A program that is still starting is ready after a minute", arguments: [Vitality.starting, .stuck("x")])
    func starting(vitality: Vitality) {
        #expect(!rule.isReady(vitality, after: .seconds(59)))
        #expect(rule.isReady(vitality, after: .seconds(60)))
    }
}

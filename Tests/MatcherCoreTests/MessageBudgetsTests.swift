import Testing

@testable import MatcherCore

@Suite("How many messages of a gateway are looked at") struct MessageBudgetsTests {
    @Test func `The backlog of three days of a busy floor is looked at, while further records come`() {
        // A hundredth of it, of a hundredth of the budget, in a hundredth of an hour.
        var limit = MessageBudgets.standardRecords
        limit.burst /= 100
        var budgets = MessageBudgets(records: limit)
        var over = 0
        for second in 0..<36 {
            for _ in 0..<(72 * 17 + 17) where budgets.takes("g", at: second) != .within { over += 1 }
        }
        #expect(over == 0)
    }

    @Test func `What a flood brings beyond is left, and others' records aren't`() {
        var budgets = MessageBudgets(records: .init(interval: .milliseconds(10), burst: 1000))
        let flood = (0..<5000).count { _ in budgets.takes("thief", at: 0) == .within }
        #expect(flood == 1000)
        #expect(budgets.takes("other", at: 0) == .within)
        #expect(budgets.takes("thief", .health, at: 0) == .within)
        // Then 100 a second.
        let later = (0..<5000).count { _ in budgets.takes("thief", at: 3) == .within }
        #expect(later == 300)
    }

    // 100 of 65 kB a second had taken longer than they took to be sent.
    @Test func `A message counts as many times as it is long`() {
        var budgets = MessageBudgets(records: .init(interval: .milliseconds(10), burst: 1000))
        let flood = (0..<5000).count { _ in
            budgets.take(.record, bytes: 60_000, of: "thief", at: .zero) == .within
        }
        #expect(flood == 33)
        #expect(budgets.take(.record, bytes: 1300, of: "other", at: .zero) == .within)
    }

    @Test func `Of a gateway it is said once an hour, with how many were left`() {
        var budgets = MessageBudgets(records: .init(interval: .seconds(100_000), burst: 1))
        #expect(budgets.takes("g", at: 0) == .within)
        #expect(budgets.takes("g", at: 1) == .over(1))
        #expect(budgets.takes("g", at: 2) == .over(nil))
        #expect(budgets.takes("g", at: 3600) == .over(nil))
        #expect(budgets.takes("g", at: 3601) == .over(3))
        #expect(budgets.takes("h", at: 3601) == .within)
        #expect(budgets.takes("h", at: 3601) == .over(1))
    }

    @Test func `Health messages have a budget of their own`() {
        var budgets = MessageBudgets()
        let taken = (0..<10_000).count { _ in budgets.takes("g", .health, at: 0) == .within }
        #expect(taken == 2000)
        #expect(budgets.takes("g", .health, at: 30) == .within)
        #expect(budgets.takes("g", at: 0) == .within)
    }

    @Test func `Invented gateways fill no memory, and those that were there keep their budgets`() {
        var budgets = MessageBudgets(records: .init(interval: .seconds(1), burst: 100))
        for _ in 0..<10 { _ = budgets.takes("honest", at: 0) }
        var within = 0
        for number in 0..<50_000 where budgets.takes("invented-\(number)", at: 0) == .within { within += 1 }
        #expect(budgets.count <= MessageBudgets.most + 1)
        // Those beyond share one.
        #expect(within == MessageBudgets.most - 1 + 100)
        let honest = (0..<200).count { _ in budgets.takes("honest", at: 0) == .within }
        #expect(honest == 90)
        // Idle ones make room.
        #expect(budgets.takes("newcomer", at: 7200) == .within)
        #expect(budgets.count == 1)
    }
}

extension MessageBudgets {
    // Mutating calls don't go into expectations.
    fileprivate mutating func takes(_ gateway: String, _ kind: RecordTopic.Kind = .record, at second: Int) -> Finding {
        take(kind, of: gateway, at: .seconds(second))
    }
}

import Testing

@testable import Publishing
@testable import RecordContract
@testable import RecordContractTests

@Suite struct OutboxPriorityTests {
    @Test("Updates are given up first, then readings, then beginnings, then ends")
    func order() {
        #expect(OutboxPriority.allCases.sorted() == [.updated, .readings, .started, .ended])
    }

    @Test("What is on the disk is read as what was written")
    func stored() {
        let topics: [OutboxPriority: String] = [.readings: Fixtures.topics.readings]
        for priority in OutboxPriority.allCases {
            let topic = topics[priority] ?? Fixtures.topics.interaction(Fixtures.badge)
            #expect(OutboxPriority(stored: priority.stored, topic: topic) == priority)
        }
    }

    @Test("The numbers on the disk are those that versions before readings know", arguments: [0, 1, 2] as [UInt8])
    func numbers(stored: UInt8) {
        let before: [OutboxPriority] = [.updated, .started, .ended]
        #expect(OutboxPriority(stored: stored, topic: "t/interaction") == before[Int(stored)])
        #expect(OutboxPriority.allCases.allSatisfy { $0.stored <= 2 })
    }

    @Test("A number that nobody has written is none")
    func unknown() {
        #expect(OutboxPriority(stored: 3, topic: "t/readings") == nil)
    }
}

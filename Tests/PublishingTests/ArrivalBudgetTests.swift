import Testing

@testable import Publishing
@testable import RecordContract

@Suite struct ArrivalBudgetTests {
    @Test("Messages wait up to a number of them and a number of bytes; further ones are dropped and counted")
    func bounds() {
        var budget = ArrivalBudget()
        for _ in 0..<ArrivalBudget.mostWaiting.messages {
            let isAdmitted = budget.admit(1)
            #expect(isAdmitted)
        }
        var isAdmitted = budget.admit(1)
        #expect(!isAdmitted)
        budget = ArrivalBudget()
        isAdmitted = budget.admit(ArrivalBudget.mostWaiting.bytes)
        #expect(isAdmitted)
        isAdmitted = budget.admit(1)
        #expect(!isAdmitted)
    }

    @Test("A message that is read makes room, and tells how many were dropped since the last")
    func taken() {
        var budget = ArrivalBudget()
        var isAdmitted = budget.admit(ArrivalBudget.mostWaiting.bytes)
        #expect(isAdmitted)
        isAdmitted = budget.admit(5)
        #expect(!isAdmitted)
        budget.drop()
        #expect(budget.taken(ArrivalBudget.mostWaiting.bytes) == 2)
        isAdmitted = budget.admit(5)
        #expect(isAdmitted)
        #expect(budget.taken(5) == 0)
    }

    @Test("A batch is read on while it has messages and room, and begins anew once it is taken")
    func batch() {
        let message = MQTTMessage(topic: "t", payload: [])
        var batch = ReceivedBatch()
        #expect(!batch.isOpen)
        batch.add(message, size: 1)
        #expect(batch.isOpen)
        batch.add(message, size: ReceivedBatch.largest.bytes)
        #expect(!batch.isOpen)
        #expect(batch.take().count == 2)
        #expect(batch.take().isEmpty)
        for _ in 0..<ReceivedBatch.largest.messages { batch.add(message, size: 1) }
        #expect(!batch.isOpen)
    }
}

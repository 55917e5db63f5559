import InteractionStore
import Matching
import TestValues
import Testing

@testable import EvidenceTests

@Suite("Slots in the list of positives") struct PositiveSlotTests {
    private func report(_ names: [String], in store: InteractionStore) throws {
        for name in names {
            let report = PositiveReport(
                reference: name, received: morning, positive: PositiveCase(reportType: .confirmed),
                subjects: [.init(identity: phone(name), since: 0, until: morning)],
                entries: [.init(scheme: "id", value: name)])
            _ = try store.add(report)
        }
    }

    @Test(arguments: Backend.installed)
    func `Slots are drawn among those that are free, and stay when others come`(backend: Backend) async throws {
        try await backend.withStore { store in
            var random = SeededGenerator("slots of the list")
            let slots: Range<Int64> = 64..<96
            var same = random
            let drawn = Array(slots).shuffled(using: &same).prefix(3)
            try report(["ann", "ben", "cleo"], in: store)
            try store.publish(scheme: "id", slots: slots, using: &random)
            let first = try store.published(scheme: "id", slots: slots)
            #expect(drawn.map { first[$0] } == ["ann", "ben", "cleo"], random.comment)
            try report(["dan"], in: store)
            try store.publish(scheme: "id", slots: slots, using: &random)
            let second = try store.published(scheme: "id", slots: slots)
            #expect(second.count == 4 && second.filter { $0.value != "dan" } == first, random.comment)
        }
    }

    // Each of 8 slots is the only report's in an eighth of the epochs: that one is in none of 200 has a probability of 1e-11.
    @Test func `A report that is alone may be in any slot`() async throws {
        try await Backend.sqlite.withStore { store in
            var random = SeededGenerator("any slot of the list")
            var counts: [Int64: Int] = [:]
            for epoch in 0..<Int64(200) {
                try report(["r\(epoch)"], in: store)
                let slots = epoch * 8..<epoch * 8 + 8
                try store.publish(scheme: "id", slots: slots, using: &random)
                for slot in try store.published(scheme: "id", slots: slots).keys { counts[slot % 8, default: 0] += 1 }
            }
            #expect(counts.count == 8 && counts.values.reduce(0, +) == 200, random.comment)
        }
    }
}

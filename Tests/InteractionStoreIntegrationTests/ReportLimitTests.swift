import InteractionStore
import Matching
import SystemIO
import TestSupport
import Testing

@testable import EvidenceTests

@Suite("How many reports a subject has", .timeLimit(.minutes(5))) struct ReportLimitTests {
    // Twenty at once had left sixty-two.
    @Test(arguments: Backend.installed)
    func `Of reports that come at once no more are kept than may be`(backend: Backend) async throws {
        try await backend.with { location in
            _ = try InteractionStore.open(location)
            let added = try await withThrowingTaskGroup(of: Int.self) { group in
                for thread in 0..<8 {
                    group.addTask {
                        try await DedicatedThread.run(name: "reports") {
                            Result {
                                let store = try InteractionStore.open(location)
                                return try (0..<4).count { number in
                                    let report = PositiveReport(
                                        reference: "\(thread)-\(number)", received: morning,
                                        positive: PositiveCase(reportType: .confirmed),
                                        subjects: [.init(identity: phone("ann"), since: 0, until: morning)])
                                    return try store.add(report, limit: 10, of: [phone("ann")]).number != nil
                                }
                            }
                        }.get()
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(added == 10)
            #expect(try InteractionStore.open(location).reportCount(of: phone("ann")) == 10)
        }
    }
}

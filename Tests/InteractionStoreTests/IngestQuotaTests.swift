import Testing

@testable import InteractionStore

@Suite("How much of a day a gateway may have stored") struct IngestQuotaTests {
    @Test func `A gateway that has had all of a day gets nothing more of it, and others and other days do`() {
        var quota = IngestQuota(limit: 1000)
        #expect(quota.takes(600, of: "one", day: 1) == true)
        quota.commit()
        #expect(!quota.isExhausted("one", day: 1))
        #expect(quota.takes(600, of: "one", day: 1) == true)
        #expect(quota.isExhausted("one", day: 1))
        #expect(quota.takes(1, of: "one", day: 1) == false)
        #expect(quota.takes(1, of: "one", day: 2) == true)
        #expect(quota.takes(1, of: "other", day: 1) == true)
        quota.commit()
        quota.forget(before: 2)
        #expect(quota.takes(600, of: "one", day: 1) == true)
    }

    @Test func `What couldn't be stored, and comes again, counts once`() {
        var quota = IngestQuota(limit: 1000)
        for _ in 0..<10 {
            #expect(quota.takes(900, of: "one", day: 1) == true)
            quota.rollBack()
        }
        #expect(quota.takes(900, of: "one", day: 1) == true)
    }
}

extension IngestQuota {
    // Mutating calls don't go into expectations.
    fileprivate mutating func takes(_ bytes: Int64, of gateway: String, day: Int64) -> Bool {
        take(bytes, of: gateway, day: day)
    }
}

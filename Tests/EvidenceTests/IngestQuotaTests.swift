import Testing

@testable import Evidence

@Suite("How much of a day a gateway may have stored") struct IngestQuotaTests {
    @Test func `A gateway that has had all of a day gets nothing more of it, and others and other days do`() {
        var quota = IngestQuota(limit: 1000)
        #expect(quota.takes(600, of: "one", day: 1) == true)
        quota.commit()
        #expect(!quota.isExhausted("one", .init(told: 1, received: 1)))
        #expect(quota.takes(600, of: "one", day: 1) == true)
        #expect(quota.isExhausted("one", .init(told: 1, received: 1)))
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

    // A matcher that doesn't know the time refuses no day.
    @Test func `Who spreads what it says over many days has the room of eight on the day on which it comes`() {
        var quota = IngestQuota(limit: 1000)
        let taken = (1...100).filter { quota.takes(1000, of: "one", day: Int64($0), received: 200) }
        #expect(taken.count == 8)
        #expect(quota.takes(1000, of: "other", day: 1, received: 200) == true)
        #expect(quota.takes(1000, of: "one", day: 50, received: 201) == true)
    }

    // As many as two remote receivers say of 2,000 invented badges, in the least number of records.
    @Test func `What settling makes of invented badges counts before it is made`() {
        var quota = IngestQuota(limit: 1_200_000)
        let blocks = (0..<Int64(96)).filter { block in
            let taken = [1, 2].map { _ in quota.takesReadings(2000, "one", block: block) }
            quota.commit()
            return taken == [true, true]
        }
        // 200,100 bytes for each record, and once 270,000 for the company.
        #expect(blocks == [0, 1])
        #expect(quota.takesReadings(2000, "other", block: 0) == true)
    }

    @Test func `A gateway that has 500 badges in reach all day has room, also with three receivers that hear 170`() {
        for (receivers, badges) in [(1, 500), (4, 170)] {
            var quota = IngestQuota()
            for minute in 0..<1440 {
                for _ in 0..<receivers {
                    #expect(quota.takesReadings(badges, "one", block: Int64(minute / 15)) == true)
                }
                quota.commit()
            }
            // A quarter of the room is left for what else it tells.
            #expect(quota.takes(64_000_000, of: "one", day: 1) == true)
            #expect(!quota.isExhausted("one", .init(told: 1, received: 9)))
        }
    }

    @Test func `What couldn't be stored of readings comes again, and its company counts once`() {
        var quota = IngestQuota(limit: 300_000)
        for _ in 0..<5 {
            #expect(quota.takesReadings(100, "one", block: 1) == true)
            quota.rollBack()
        }
        #expect(quota.takesReadings(100, "one", block: 1) == true)
        #expect(quota.takesReadings(100, "one", block: 1) == true)
        #expect(!quota.isExhausted("one", .init(told: 1, received: 9)))
        #expect(quota.takesReadings(100, "one", block: 2) == true)
        #expect(quota.isExhausted("one", .init(told: 1, received: 9)))
    }

    @Test func `What was stored before counts once, for its day and as if it had come on it`() {
        var quota = IngestQuota(limit: 10 * IngestQuota.interaction)
        #expect(!quota.hasCounted(1))
        quota.count(["one": 10, "two": 9], storedOf: 1)
        quota.count(["two": 9], storedOf: 1)
        #expect(quota.hasCounted(1) && !quota.hasCounted(2))
        #expect(quota.takes(1, of: "one", day: 1) == false)
        #expect(quota.takes(1, of: "two", day: 1) == true)
        #expect(quota.takes(1, of: "three", day: 1) == true)
        #expect(quota.takes(1, of: "one", day: 2) == true)
        quota.count(["one": 80], storedOf: 9)
        #expect(quota.takes(1, of: "one", day: 2, received: 9) == false)
        quota.rollBack()
        #expect(quota.takes(1, of: "one", day: 1) == false)
        quota.forget(before: 2)
        #expect(!quota.hasCounted(1) && quota.hasCounted(9))
    }

    @Test func `A gateway has 255 remote receivers a day, and those that it has stay`() {
        var quota = IngestQuota()
        let admitted = (1...300).filter { quota.admitsReceiver("one/\($0)", of: "one", on: 7) }
        #expect(admitted == Array(1...255))
        #expect(quota.admitsReceiver("one/1", of: "one", on: 7) == true)
        #expect(quota.admitsReceiver("one", of: "one", on: 7) == true)
        #expect(quota.admitsReceiver("other/1", of: "other", on: 7) == true)
        #expect(quota.admitsReceiver("one/300", of: "one", on: 8) == true)
    }
}

extension IngestQuota {
    // Mutating calls don't go into expectations.
    fileprivate mutating func takes(_ bytes: Int64, of gateway: String, day: Int64, received: Int64 = 9) -> Bool {
        take(bytes, of: gateway, Days(told: day, received: received))
    }

    fileprivate mutating func takesReadings(_ subjects: Int, _ gateway: String, block: Int64) -> Bool {
        takeReadings(of: subjects, inBlocks: [block], and: 0, of: gateway, Days(told: 1, received: 9))
    }

    fileprivate mutating func admitsReceiver(_ receiver: String, of gateway: String, on day: Int64) -> Bool {
        admits(receiver: receiver, of: gateway, on: day)
    }
}

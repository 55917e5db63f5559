import RecordContract
import Testing

@testable import MatcherCore

@Suite struct GapWatchTests {
    private func progress(_ stored: [UInt64], boot: UInt64 = 1, last: UInt64? = nil) -> StoredProgress {
        var progress = StoredProgress()
        for sequence in stored { progress.stored(.init(boot: boot, sequence: sequence)) }
        if let last { progress.given([.init(boot: boot, sequence: last)]) }
        return progress
    }

    private func said(
        _ watch: inout GapWatch, _ progress: StoredProgress, _ times: ClosedRange<Int64>
    ) -> [(Int64, UInt64)] {
        stride(from: times.lowerBound, through: times.upperBound, by: 600).flatMap { now in
            watch.missing(["g": progress], now: now).map { (now, $0.records) }
        }
    }

    @Test func `What is missing is said once, when it has stayed for an hour, and each time when it is more`() {
        var watch = GapWatch()
        let first = said(&watch, progress([3, 6]), 0...9000)
        #expect(first.map(\.0) == [3600] && first.map(\.1) == [2])
        // Another gap, while the first one is open.
        let next = said(&watch, progress([3, 6, 8]), 9600...20_000)
        #expect(next.map(\.0) == [9600 + 3600] && next.map(\.1) == [3])
        // In another boot, and at the end of one.
        let end = said(&watch, progress([3, 6, 8], last: 12), 20_400...30_000)
        #expect(end.map(\.0) == [20_400 + 3600] && end.map(\.1) == [7])
    }

    @Test func `A gap that closes in time isn't said`() {
        var watch = GapWatch()
        #expect(said(&watch, progress([3, 6]), 0...3000).isEmpty)
        #expect(said(&watch, progress([3, 4, 5, 6]), 3600...9000).isEmpty)
    }

    @Test func `Records without health are said after a quarter of an hour, and again after six hours`() {
        var watch = GapWatch()
        var said: [Int64] = []
        for now in stride(from: Int64(0), through: 30_000, by: 60) {
            watch.heard(recordsOf: ["g", "h"], healthOf: ["h", "nobody"], now: now)
            if now % 600 == 0, watch.silent(now: now) == ["g"] { said.append(now) }
        }
        #expect(said == [1200, 1200 + 21_600])
        // A gateway that is gone is silent altogether.
        #expect(watch.silent(now: 60_000).isEmpty)
    }

    @Test func `It is looked for gaps each ten minutes, also by a clock that was set back`() {
        var watch = GapWatch()
        let due = [1000, 1599, 1600, 10, 11].map { watch.isDue($0) }
        #expect(due == [true, false, true, true, false])
    }

    @Test func `Lost records are said at once, then with their sum after an hour`() {
        var watch = GapWatch()
        #expect(watch.lost(3, of: "g", now: 0) == 3)
        #expect(watch.lost(4, of: "g", now: 10) == nil)
        #expect(watch.lost(1, of: "h", now: 10) == 1)
        #expect(watch.lost(.max, of: "g", now: 20) == nil)
        #expect(watch.lost(5, of: "g", now: 3600) == .max)
        #expect(watch.lost(5, of: "g", now: 7200) == 5)
    }
}

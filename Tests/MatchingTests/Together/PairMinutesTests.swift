import Matching
import TestValues
import Testing

@Suite struct PairMinutesTests {
    /// 2026-11-02T09:00:00Z, the beginning of a block.
    private let morning: Int64 = 1_793_610_000

    private func minute(_ number: Int, _ level: UInt8) -> PairMinutes.Minute {
        .init(start: morning + 60 * Int64(number), level: SimilarityLevel(rawValue: level))
    }

    @Test func `Minutes are in the order of time, however they came, and the greater of two levels counts`() {
        let pair = PairMinutes([minute(40, 3), minute(2, 5), minute(16, 1), minute(2, 7), minute(40, 2)])
        #expect(pair.minutes(from: .none) == [minute(2, 7), minute(16, 1), minute(40, 3)])
    }

    @Test func `So many minutes are counted as there are`() {
        var random = SeededGenerator("minutes of a pair")
        let minutes = (0..<200).map { minute($0, UInt8(random.next() % 15)) }
        let pair = PairMinutes(minutes.shuffled(using: &random))
        for threshold in UInt8(0)...14 {
            let level = SimilarityLevel(rawValue: threshold)
            let wanted = minutes.filter { $0.level > .none && $0.level >= level }
            #expect(pair.minutes(from: level) == wanted, random.comment)
            #expect(pair.count(from: level) == wanted.count, random.comment)
        }
    }

    @Test func `The minutes of a block are those that have a level`() {
        var random = SeededGenerator("minutes of a block")
        for _ in 0..<200 {
            var levels = BlockLevels()
            var expected: UInt16 = 0
            for minute in 0..<15 where random.next() % 2 == 0 {
                levels[minute] = SimilarityLevel(rawValue: UInt8(random.next() % 15))
                if levels[minute] > .none { expected |= 1 << UInt16(minute) }
            }
            #expect(levels.minutes == expected, random.comment)
        }
    }

    @Test func `Of a block only minutes within bounds are left`() {
        var levels = BlockLevels()
        for minute in 0..<15 { levels[minute] = SimilarityLevel(rawValue: 9) }
        let block = ReadingBlock(containing: morning)
        let some = levels.within(block, since: morning + 61, until: morning + 300)
        #expect(some.indices.filter { some[$0] > .none } == [2, 3, 4])
        #expect(levels.within(block, since: morning, until: morning + 900) == levels)
        #expect(levels.within(block, since: morning + 900, until: morning + 1800).isEmpty)
    }
}

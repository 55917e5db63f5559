import Matching
import Testing

@Suite struct EncounterCutTests {
    /// The beginning of a block.
    private let start = ReadingBlock(number: 1_990_000).start

    private func meeting(_ positive: ClosedRange<Int64>, _ other: ClosedRange<Int64>, window: Int64 = 300)
        -> Encounter?
    {
        func stay(_ subject: Int64, _ minutes: ClosedRange<Int64>) -> Stay {
            Stay(
                subject: subject, place: 1, start: start + 60 * minutes.lowerBound,
                end: start + 60 * minutes.upperBound,
                distance: .init(centimetres: 100, lower: 50, upper: 200))
        }
        return Encounter(positive: stay(1, positive), other: stay(2, other), separation: 0, window: window)
    }

    private func cut(_ blocks: [Int64], at places: Set<Int64> = [1], unheard: Set<Int64> = []) -> EncounterCut {
        EncounterCut(
            compared: blocks.reduce(into: [:]) { $0[ReadingBlock(number: 1_990_000 + $1)] = places }, unheard: unheard)
    }

    private func minutes(_ parts: [Encounter]) -> [[Int64]] {
        parts.map { [($0.positive.start - start) / 60, ($0.positive.end - start) / 60] }
    }

    @Test func `Without readings everything is left`() throws {
        let encounter = try #require(meeting(0...60, 0...60))
        #expect(cut([]).parts(of: encounter) == [encounter])
    }

    @Test func `The quarters in which minutes were compared are left out`() throws {
        let encounter = try #require(meeting(5...70, 0...80))
        #expect(minutes(cut([1, 2]).parts(of: encounter)) == [[5, 15], [45, 70]])
        #expect(cut([0, 1, 2, 3, 4]).parts(of: encounter).isEmpty)
    }

    // A gateway that claimed to hear somebody loudly on another floor hid everybody whom they were with.
    @Test func `At a place of a floor where the positive wasn't compared distances count`() throws {
        let encounter = try #require(meeting(5...70, 0...80))
        #expect(cut([0, 1, 2, 3, 4], at: [2, 3]).parts(of: encounter) == [encounter])
        #expect(cut([0, 1, 2, 3, 4], at: [1, 2]).parts(of: encounter).isEmpty)
    }

    @Test func `A phone that reports beacons itself is judged by distances everywhere`() throws {
        let encounter = try #require(meeting(5...70, 0...80))
        #expect(cut([0, 1, 2, 3, 4], unheard: [2]).parts(of: encounter) == [encounter])
    }

    @Test func `Who came after the positive had left counts only where that end isn't cut away`() throws {
        let encounter = try #require(meeting(0...20, 22...40))
        #expect(cut([1]).parts(of: encounter).isEmpty)
        #expect(minutes(cut([0]).parts(of: encounter)) == [[15, 20]])
    }
}

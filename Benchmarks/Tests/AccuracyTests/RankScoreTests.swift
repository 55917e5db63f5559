import Testing

@testable import AccuracyBenchmark

@Suite("Ranking scores")
struct RankScoreTests {
    @Test("An order that separates the classes has an area of 1, its reverse 0, and equal ranks a half")
    func area() {
        #expect(RankScore.areaUnderCurve([(3, true), (2, true), (1, false)]) == 1)
        #expect(RankScore.areaUnderCurve([(1, true), (2, false), (3, false)]) == 0)
        #expect(RankScore.areaUnderCurve([(5, true), (5, false), (5, true)]) == 0.5)
        // Of four pairs three are in order and one is tied.
        #expect(RankScore.areaUnderCurve([(4, true), (2, true), (2, false), (1, false)]) == 3.5 / 4)
    }

    @Test("Those who were never heard tie at the end")
    func unheard() {
        #expect(RankScore.areaUnderCurve([(-60, true), (-.infinity, true), (-.infinity, false)]) == 0.75)
    }

    @Test("There is no area without one of the classes")
    func emptyClass() {
        #expect(RankScore.areaUnderCurve([(1, true)]) == nil)
        #expect(RankScore.areaUnderCurve([]) == nil)
        #expect(RankScore.bestThreshold([(1, false)]) == nil)
    }

    @Test("The threshold of least cost says yes to equal ranks alike")
    func threshold() {
        #expect(RankScore.bestThreshold([(4, true), (3, true), (3, false), (2, false), (1, false)]) == 3)
        #expect(RankScore.bestThreshold([(1, true), (2, false)]) == .infinity)
    }
}

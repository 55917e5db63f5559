import Testing

@testable import AccuracyBenchmark

@Suite("Scores of probabilities, decisions and distances")
struct ScoreTests {
    @Test("Brier, calibration error and log loss are those computed by hand")
    func probabilities() throws {
        var score = ProbabilityScore()
        score.add(0.8, true)
        score.add(0.85, false)
        score.add(0.2, false)
        let brier = try #require(score.brier)
        #expect(abs(brier - 0.8025 / 3) < 1e-12)
        // Two in the bin of 0.8 with one positive, one in that of 0.2 with none.
        let error = try #require(score.calibrationError)
        #expect(abs(error - 0.85 / 3) < 1e-12)
        // -(ln 0.8 + ln 0.15 + ln 0.8) / 3.
        let logLoss = try #require(score.logLoss)
        #expect(abs(logLoss - 0.781_135_696) < 1e-8)
    }

    @Test("Certainty that is wrong costs a finite log loss, and what isn't a number counts as 0")
    func wrongCertainty() throws {
        var score = ProbabilityScore()
        score.add(1, false)
        score.add(.nan, false)
        let logLoss = try #require(score.logLoss)
        #expect(logLoss < 10)
        #expect(score.brier == 0.5)
    }

    @Test("Precision, recall and cost are shares of the counts, and nothing of none")
    func decisions() {
        var decisions = Decisions()
        #expect(decisions.precision == nil && decisions.recall == nil && decisions.cost == nil)
        for (decision, truth) in [(true, true), (true, false), (false, true), (false, true), (false, false)] {
            decisions.add(decision, truth: truth)
        }
        #expect(decisions.precision == 0.5)
        #expect(decisions.recall == 1.0 / 3)
        #expect(decisions.cost == 2.0 / 3 + 0.5)
    }

    @Test("Errors, coverage and areas are of the distances that were given")
    func distances() throws {
        var score = DistanceScore()
        score.add(LogNormalPosterior(mean: 0, deviation: 0.5), truth: window(metres: 1))
        score.add(LogNormalPosterior(mean: 0, deviation: 0.5), truth: window(metres: 2))
        score.add(LogNormalPosterior(mean: 1, deviation: 0.5), truth: window(metres: 40))
        let error = try #require(score.medianError)
        #expect(abs(error - 1) < 1e-9)
        // 1 m is in both intervals; 2 m, 1.39 deviations away, in the wider one; 40 m in none.
        #expect(score.coverage68 == 1.0 / 3)
        #expect(score.coverage90 == 2.0 / 3)
        #expect(score.areas == [0.75, 1, 1, 1])
    }

    @Test("A point has no coverage and no probabilities, but decides")
    func points() {
        var score = DistanceScore()
        score.add(PointPosterior(metres: 1.8), truth: window(metres: 2))
        #expect(score.coverage90 == nil)
        #expect(score.probabilities[0].count == 0)
        #expect(score.decisions[0].recall == 1)
    }

    @Test("A distance that its label contradicts is scored by the label alone")
    func contradiction() {
        var score = DistanceScore()
        score.add(PointPosterior(metres: 9), truth: window(metres: 1.8, isWithinThreeMetres: false))
        #expect(score.meanError == nil)
        #expect(score.decisions[1].alarms == 0 && score.decisions[1].rejections == 1)
    }

    @Test("The normal distribution's quantiles are the inverse of its cumulative distribution")
    func normal() {
        #expect(abs(Normal.quantile(0.95) - 1.644_853_626_951) < 1e-9)
        #expect(abs(Normal.cumulative(Normal.quantile(0.16)) - 0.16) < 1e-12)
    }

    private func window(metres: Double, isWithinThreeMetres: Bool? = nil) -> DistanceWindow {
        DistanceWindow(
            dataSet: "s", group: "g", run: "r", link: .phone, packets: [Packet(time: 0, rssi: -60)], metres: metres,
            isWithinThreeMetres: isWithinThreeMetres)
    }
}

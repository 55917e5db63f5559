import Testing

@testable import ContactsBenchmark

@Suite("Scores of methods") struct MethodScoreTests {
    private func expect(_ value: Double?, _ wanted: Double) throws {
        let value = try #require(value)
        #expect(abs(value - wanted) < 1e-6)
    }

    private func score(_ pairs: [(isFound: Bool, score: Double, isContact: Bool)]) -> MethodScore {
        var score = MethodScore()
        for pair in pairs { score.add(Verdict(isContact: pair.isFound, score: pair.score), isContact: pair.isContact) }
        return score
    }

    // Two of three found are true, two of four true are found: F1 = 2 * 2 / (2 * 2 + 1 + 2) = 4 / 7.
    @Test func `Precision, recall and F1 count what is found and what is true`() throws {
        let score = self.score([
            (true, 9, true), (true, 8, true), (true, 7, false), (false, 2, true), (false, 1, true), (false, 0, false),
        ])
        try expect(score.precision, 0.666667)
        try expect(score.recall, 0.5)
        try expect(score.f1, 0.571429)
        try expect(score.baseRate, 0.666667)
        #expect(score.pairs == 6)
    }

    // At the first 1/1, at the third 2/3, at the fifth 3/5: (1 + 2/3 + 3/5) / 3.
    @Test func `Average precision is the mean of the precision at each contact`() throws {
        let score = self.score([
            (true, 5, true), (true, 4, false), (true, 3, true), (true, 2, false), (true, 1, true),
        ])
        try expect(score.averagePrecision, 0.755556)
    }

    // One contact at 2 of 2; then one of two at 3, all of which are taken at once: 1 * 1/1 and 1 * 2/3, in any order.
    @Test func `Equal scores are taken at once`() throws {
        let pairs = [(true, 5.0, true), (true, 1, true), (true, 1, false)]
        for pairs in [pairs, pairs.reversed()] {
            try expect(score(pairs).averagePrecision, 0.833333)
        }
        // Who says the same of all ranks like the base rate.
        #expect(
            score([(false, 0, true), (false, 0, false), (false, 0, false), (false, 0, false)]).averagePrecision == 0.25)
    }

    @Test func `Nothing can be said of nothing`() {
        let none = score([(false, 0, false)])
        #expect(none.precision == nil && none.recall == nil && none.f1 == nil && none.averagePrecision == nil)
        #expect(none.brier == nil && none.calibrationError == nil)
        #expect(MethodScore().baseRate == nil)
    }

    // (0.2^2 + 0.8^2 + 0.1^2 + 0.4^2) / 4. Bins: 0.8 and 0.8 with one contact, |1.6 - 1|; 0.1 with none; 0.6 with one, 0.4.
    @Test func `Brier score and calibration error are those of the definitions`() throws {
        var score = MethodScore()
        for (probability, isContact) in [(0.8, true), (0.8, false), (0.1, false), (0.6, true)] {
            score.add(Verdict(isContact: false, score: 0, probability: probability), isContact: isContact)
        }
        try expect(score.brier, 0.2125)
        try expect(score.calibrationError, 0.275)
        #expect(score.baseRateBrier == 0.25)
    }

    // 1 is in the last bin, and what is more than 1 is 1.
    @Test func `Certainty that is right costs nothing`() throws {
        var score = MethodScore()
        score.add(Verdict(isContact: true, score: 1, probability: 1), isContact: true)
        score.add(Verdict(isContact: true, score: 1, probability: 1.5), isContact: true)
        score.add(Verdict(isContact: false, score: 0, probability: 0), isContact: false)
        #expect(score.brier == 0 && score.calibrationError == 0)
    }

    @Test func `Who gives a probability of some pairs alone isn't scored by it`() {
        var score = MethodScore()
        score.add(Verdict(isContact: true, score: 1, probability: 1), isContact: true)
        score.add(Verdict(isContact: false, score: 0), isContact: false)
        #expect(score.brier == nil && score.calibrationError == nil)
    }
}

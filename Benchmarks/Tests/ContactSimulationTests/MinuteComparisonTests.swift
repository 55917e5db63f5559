import Testing

@testable import ContactsBenchmark

@Suite("Minutes of two badges") struct MinuteComparisonTests {
    private func vector(_ heard: [(Int, Int, Double)]) -> MinuteVector {
        MinuteVector(heard.map { (gateway: $0.0, cell: .init(count: $0.1, mean: $0.2)) })
    }

    // 20 dB less is a tenth: (1, 0.1) / sqrt(1.01).
    @Test func `Amplitudes are relative to the strongest, and their squares add up to 1`() {
        let parts = vector([(3, 10, -60), (7, 10, -80)]).parts
        #expect(parts.map(\.gateway) == [3, 7])
        #expect(abs(parts[0].amplitude - 1 / 1.01.squareRoot()) < 1e-12)
        #expect(abs(parts[1].amplitude - 0.1 / 1.01.squareRoot()) < 1e-12)
    }

    // 3 of 20 packets are 0.15, half of 0.3; 6 of 20 count in full.
    @Test func `Who hears less than 30 % of the packets counts less`() {
        let parts = vector([(0, 20, -60), (1, 3, -60), (2, 6, -60)]).parts
        #expect(abs(parts[1].amplitude / parts[0].amplitude - 0.5) < 1e-12)
        #expect(abs(parts[2].amplitude / parts[0].amplitude - 1) < 1e-12)
    }

    // (1, 1) and (1, 0): 1 / sqrt(2). A badge that is 9 dB weaker is the same.
    @Test func `The cosine is that of the angle, whatever the badge's power`() throws {
        let both = vector([(0, 10, -60), (1, 10, -60)])
        let weak = vector([(0, 10, -69), (1, 10, -69)])
        let one = vector([(0, 10, -60)])
        #expect(try abs(#require(both.cosine(one)) - 0.5.squareRoot()) < 1e-12)
        #expect(try abs(#require(both.cosine(weak)) - 1) < 1e-12)
        #expect(both.cosine(one) == one.cosine(both))
    }

    @Test func `Vectors without a gateway in common have a cosine of 0, and one gateway alone says nothing`() {
        let here = vector([(0, 10, -60), (2, 10, -60)])
        let there = vector([(1, 10, -60), (3, 10, -60)])
        #expect(here.cosine(there) == 0)
        #expect(vector([(0, 10, -60)]).cosine(vector([(0, 3, -70)])) == nil)
        #expect(vector([(0, 10, -60)]).cosine(vector([(1, 3, -70)])) == 0)
    }

    @Test func `The strongest gateway is the one with the greatest mean`() {
        #expect(vector([(4, 1, -50), (5, 60, -55)]).strongest == 4)
        #expect(vector([(4, 9, -50), (5, 9, -50)]).strongest == 4)
        #expect(vector([]).strongest == nil && vector([]).parts.isEmpty)
    }

    /// Three gateways at 0, 10 and 20 m, and by minute, person and gateway what each hears.
    private func comparison(
        _ minutes: [[[Int8?]]], isLeftOut: (Int, Int) -> Bool = { _, _ in false }
    ) -> MinuteComparison {
        let people = minutes[0].count
        var tallies = (0..<3).map { _ in MinuteTally(people: people, minutes: minutes.count) }
        for (minute, persons) in minutes.enumerated() {
            for (person, gateways) in persons.enumerated() {
                for (gateway, rssi) in gateways.enumerated() {
                    if let rssi { tallies[gateway].add(person, minute: minute, rssi: rssi) }
                }
            }
        }
        return MinuteComparison(
            tallies, people: people, minutes: minutes.count, gateways: [(0, 0, 0), (10, 0, 0), (20, 0, 0)],
            isLeftOut: isLeftOut)
    }

    // Near in the minutes 0, 1 and 3, apart in 2; in 4 the second isn't heard.
    @Test func `Near minutes are counted, and the most of them in a row`() {
        let near: [[Int8?]] = [[-60, -70, nil], [-65, -75, nil]]
        let apart: [[Int8?]] = [[-60, -70, nil], [nil, -75, -60]]
        let common = comparison([near, near, apart, near, [[-60, -70, nil], [nil, nil, nil]]]).pairs[1, 0]
        #expect(common.minutes == 4 && common.minutes(0.86) == 3 && common.minutes(0.98) == 3)
        #expect(common.longestRun == 2 && common.sameStrongest == 3)
        #expect(common.meanCosine > 0.74 && common.meanCosine < 0.8)
    }

    // 6 dB less is 0.501: 1 / sqrt(1.251) = 0.894.
    @Test func `Each threshold has its own minutes`() {
        let common = comparison([[[-60, -66, nil], [-60, nil, nil]]]).pairs[0, 1]
        #expect(common.minutes(0.86) == 1 && common.minutes(0.88) == 1 && common.minutes(0.92) == 0)
        #expect(common.minutes(0.5) == 0)
    }

    // Amplitudes 1 and 0.1 put the first at 0.9 m, equal ones the second at 5 m.
    @Test func `Centroids are weighted by amplitudes`() {
        let pairs = comparison([[[-60, -80, nil], [-60, -80, nil], [-60, -60, nil]]]).pairs
        #expect(pairs[0, 1].centroids == 1 && pairs[0, 2].centroids == 0)
    }

    // Without gateway 1 the two know gateway 0 alone: no minute of the two at all.
    @Test func `A gateway that is left out counts for nobody`() {
        let minute: [[Int8?]] = [[-60, -62, nil], [-60, -62, nil]]
        let common = comparison([minute, minute]) { gateway, minute in gateway == 1 && minute == 1 }.pairs[0, 1]
        #expect(common.minutes == 1 && common.minutes(0.86) == 1 && common.sameStrongest == 2)
    }
}

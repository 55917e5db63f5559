import BeaconModel
import Glibc
import TestValues
import Testing

@testable import Proximity

@Suite("MutualDistance")
struct MutualDistanceTests {
    /// - Parameter deviation: of the natural logarithm.
    private func estimate(_ metres: Double, deviation: Double = 0) -> DistanceEstimate {
        let reach = exp(1.644_853_626_951_472_7 * deviation)
        return DistanceEstimate(
            metres: metres, lower: metres / reach, upper: metres * reach,
            probabilityWithin: Within(threeMetres: 0, sixMetres: 0))
    }

    @Test(
        "Of certain distances the probability is that of the angle",
        arguments: [
            // Equilateral triangle: 60° of 180°.
            (1, 1, 1, 1.0 / 3),
            // Right angles.
            (3, 4, 5, 0.5), (2.0.squareRoot(), 2.0.squareRoot(), 2, 0.5),
            // 120°: the law of cosines gives 1 + 4 + 2.
            (1, 2, 7.0.squareRoot(), 2.0 / 3),
            // Never and always.
            (1, 3.1, 2, 0), (3.1, 1, 2, 0), (1, 0.9, 2, 1), (0.01, 5, 5.02, 1),
        ] as [(Double, Double, Double, Double)])
    func worked(one: Double, other: Double, radius: Double, expected: Double) {
        let found = MutualDistance.probability(within: radius, estimate(one), estimate(other))
        #expect(abs(found - expected) < 1e-9)
    }

    @Test("Median and interval of certain distances are those of the angle's quantiles")
    func workedQuantiles() throws {
        let distance = try #require(MutualDistance(estimate(3), estimate(4)))
        #expect(abs(distance.metres - 5) < 1e-5)
        #expect(abs(distance.lower - (25 - 24 * cos(0.05 * .pi)).squareRoot()) < 1e-5)
        #expect(abs(distance.upper - (25 + 24 * cos(0.05 * .pi)).squareRoot()) < 1e-5)
    }

    @Test("At two places the probability is that of distances and both directions drawn at random")
    func separatedMonteCarlo() {
        var building = SimulatedBuilding(seed: 41, distances: [])
        for _ in 0..<20 {
            let medians = (0..<2).map { _ in Double.random(in: 0.3...6, using: &building.generator) }
            let deviations = (0..<2).map { _ in Double.random(in: 0.2...1, using: &building.generator) }
            let radius = Double.random(in: 1...6, using: &building.generator)
            let separation = Double.random(in: 0.5...6, using: &building.generator)
            let count = (0..<20_000).count { _ in
                let one = medians[0] * exp(deviations[0] * building.normal())
                let other = medians[1] * exp(deviations[1] * building.normal())
                let angles = (0..<2).map { _ in Double.random(in: 0...(2 * .pi), using: &building.generator) }
                let x = one * cos(angles[0]) - separation - other * cos(angles[1])
                let y = one * sin(angles[0]) - other * sin(angles[1])
                return x * x + y * y <= radius * radius
            }
            let found = MutualDistance.probability(
                within: radius, estimate(medians[0], deviation: deviations[0]),
                estimate(medians[1], deviation: deviations[1]), separation: separation)
            #expect(abs(found - Double(count) / 20_000) < 0.015, "\(medians) \(deviations) \(radius) \(separation)")
        }
    }

    // Two places 3 m apart; at 4 m of the one and at right angles, the other is 5 m away: half of the directions are nearer.
    @Test("Who is all but at the places is as far apart as they are")
    func separated() {
        let (one, other) = (estimate(0.001), estimate(0.001))
        #expect(MutualDistance.probability(within: 2.9, one, other, separation: 3) == 0)
        #expect(MutualDistance.probability(within: 3.1, one, other, separation: 3) == 1)
        let half = MutualDistance.probability(within: 5, estimate(4), other, separation: 3)
        #expect(abs(half - 0.5) < 0.01)
    }

    @Test("Probabilities and quantiles are those of distances and angles drawn at random")
    func monteCarlo() throws {
        var building = SimulatedBuilding(seed: 40, distances: [])
        for _ in 0..<30 {
            let medians = (0..<2).map { _ in Double.random(in: 0.3...6, using: &building.generator) }
            let deviations = (0..<2).map { _ in Double.random(in: 0.2...1, using: &building.generator) }
            let radius = Double.random(in: 1...3, using: &building.generator)
            var drawn = (0..<20_000).map { _ in
                let one = medians[0] * exp(deviations[0] * building.normal())
                let other = medians[1] * exp(deviations[1] * building.normal())
                let angle = Double.random(in: 0...(.pi), using: &building.generator)
                return max(0, one * one + other * other - 2 * one * other * cos(angle)).squareRoot()
            }
            drawn.sort()
            let share = Double(drawn.count { $0 <= radius }) / 20_000
            let (one, other) = (
                estimate(medians[0], deviation: deviations[0]), estimate(medians[1], deviation: deviations[1])
            )
            // Four standard deviations of the drawing, and the error that is promised.
            #expect(abs(MutualDistance.probability(within: radius, one, other) - share) < 0.014 + 0.005)
            let distance = try #require(MutualDistance(one, other))
            #expect(abs(distance.metres / drawn[10_000] - 1) < 0.1)
            #expect(abs(distance.lower / drawn[1000] - 1) < 0.1)
            #expect(abs(distance.upper / drawn[19_000] - 1) < 0.1)
        }
    }

    @Test("Who is asked first doesn't matter, and a larger radius is never less probable")
    func symmetry() {
        var generator = SeededGenerator("mutual distances")
        for _ in 0..<200 {
            let estimates = (0..<2).map { _ in
                estimate(
                    Double.random(in: 0.1...20, using: &generator),
                    deviation: Double.random(in: 0...1.5, using: &generator))
            }
            var last = 0.0
            for radius in stride(from: 0.0, through: 40, by: 2) {
                let one = MutualDistance.probability(within: radius, estimates[0], estimates[1])
                let other = MutualDistance.probability(within: radius, estimates[1], estimates[0])
                #expect(abs(one - other) < 1e-12, generator.comment)
                #expect(one >= last - 1e-12 && one <= 1 + 1e-12, generator.comment)
                last = one
            }
        }
    }

    @Test(
        "What isn't an estimate is near nobody",
        arguments: [(.nan, 1, 1), (1, .nan, 1), (1, 1, .infinity), (0, 0, 0), (1, 2, 0.5), (-1, 1, 1), (1e300, 1, 1)]
            as [(Double, Double, Double)])
    func impossible(metres: Double, lower: Double, upper: Double) {
        let wrong = DistanceEstimate(
            metres: metres, lower: lower, upper: upper, probabilityWithin: Within(threeMetres: 0, sixMetres: 0))
        #expect(MutualDistance.probability(within: 2, wrong, estimate(1)) == 0)
        #expect(MutualDistance(estimate(1), wrong) == nil)
    }

    @Test("The most extreme estimates give finite distances")
    func extremes() throws {
        let wide = DistanceEstimate(
            metres: 1, lower: 1e-6, upper: 1e6, probabilityWithin: Within(threeMetres: 0, sixMetres: 0))
        let distance = try #require(MutualDistance(wide, wide))
        #expect(distance.lower.isFinite && distance.metres.isFinite && distance.upper.isFinite)
        #expect(distance.lower <= distance.metres && distance.metres <= distance.upper)
    }
}

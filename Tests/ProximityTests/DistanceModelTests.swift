import BeaconModel
import Glibc
import Testing

@testable import Proximity

@Suite("DistanceModel")
struct DistanceModelTests {
    private static let models = DistanceModel.presets.map(\.model)

    /// The posterior by its definition: prior times likelihood, summed over a fine grid of log distances.
    private struct Grid {
        var cumulative: [(metres: Double, probability: Double)] = []

        init(_ model: DistanceModel, rssi: Double, variance: Double, measuredPower: Double) {
            let deviation = (model.shadowing * model.shadowing + variance).squareRoot()
            var sum = 0.0
            for step in -12_000...12_000 {
                let logMetres = Double(step) / 1000
                let prior = (logMetres - log(model.priorMedian)) / model.priorSpread
                let expected = measuredPower - 10 * model.exponent * logMetres / log(10)
                let likelihood = (rssi - expected) / deviation
                sum += exp(-0.5 * (prior * prior + likelihood * likelihood))
                cumulative.append((exp(logMetres), sum))
            }
            for index in cumulative.indices { cumulative[index].probability /= sum }
        }

        func quantile(_ probability: Double) -> Double {
            cumulative.first { $0.probability >= probability }?.metres ?? .infinity
        }

        func probability(within metres: Double) -> Double {
            cumulative.last { $0.metres <= metres }?.probability ?? 0
        }
    }

    @Test(
        "Median, interval and probabilities are those of prior and likelihood multiplied out on a grid",
        arguments: [(-59, 0), (-40, 2), (-75, 0), (-75, 25), (-95, 1.5), (-110, 0), (-1, 5)] as [(Double, Double)])
    func againstGrid(rssi: Double, variance: Double) {
        for model in Self.models {
            let grid = Grid(model, rssi: rssi, variance: variance, measuredPower: -62)
            let estimate = model.estimate(rssi: rssi, variance: variance, measuredPower: -62)
            #expect(abs(estimate.metres / grid.quantile(0.5) - 1) < 0.005)
            #expect(abs(estimate.lower / grid.quantile(0.05) - 1) < 0.005)
            #expect(abs(estimate.upper / grid.quantile(0.95) - 1) < 0.005)
            #expect(abs(estimate.probabilityWithin.threeMetres - grid.probability(within: 3)) < 0.005)
            #expect(abs(estimate.probabilityWithin.sixMetres - grid.probability(within: 6)) < 0.005)
        }
    }

    @Test("The RSSI that a beacon promises at 1 m is read as between 1 m and the prior's median")
    func atReference() {
        for model in Self.models {
            let estimate = model.estimate(rssi: -59, variance: 0, measuredPower: -59)
            #expect(estimate.metres > 1)
            #expect(estimate.metres < model.priorMedian)
            #expect(estimate.lower < 1 && 1 < estimate.upper)
        }
    }

    @Test("The RSSI at the prior's median distance is read as just that distance")
    func atPriorMedian() {
        for model in Self.models {
            let rssi = -59 - 10 * model.exponent * log10(model.priorMedian)
            #expect(abs(model.estimate(rssi: rssi, variance: 3, measuredPower: -59).metres - model.priorMedian) < 1e-9)
        }
    }

    @Test("Without a prior and without noise the distance is that of the path-loss formula")
    func pathLoss() {
        let model = DistanceModel(
            exponent: 2, shadowing: 0.001, priorMedian: 3, priorSpread: 1000, defaultMeasuredPower: -59)
        #expect(abs(model.estimate(rssi: -59, variance: 0, measuredPower: nil).metres - 1) < 1e-6)
        #expect(abs(model.estimate(rssi: -79, variance: 0, measuredPower: nil).metres - 10) < 1e-5)
        #expect(abs(model.estimate(rssi: -65, variance: 0, measuredPower: -45).metres - 10) < 1e-5)
    }

    @Test("A weaker signal is never nearer")
    func monotoneInRSSI() {
        for model in Self.models {
            let estimates = (-110..<0).map { model.estimate(rssi: Double($0), variance: 1, measuredPower: -59) }
            for (weaker, stronger) in zip(estimates, estimates.dropFirst()) {
                #expect(weaker.metres > stronger.metres)
                #expect(weaker.lower > stronger.lower)
                #expect(weaker.upper > stronger.upper)
                #expect(weaker.probabilityWithin.threeMetres <= stronger.probabilityWithin.threeMetres)
                #expect(weaker.probabilityWithin.sixMetres <= stronger.probabilityWithin.sixMetres)
            }
        }
    }

    @Test("A beacon that promises more at 1 m is farther away at the same RSSI")
    func monotoneInPower() {
        let metres = [-100, -80, -59, -40, 0].map {
            DistanceModel.general.estimate(rssi: -70, variance: 0, measuredPower: $0).metres
        }
        #expect(metres == metres.sorted())
        #expect(Set(metres).count == 5)
    }

    @Test("The median lies inside the interval, and all are positive")
    func intervalContainsMedian() {
        for model in Self.models {
            for rssi in -110..<0 {
                let estimate = model.estimate(rssi: Double(rssi), variance: 0, measuredPower: -59)
                #expect(0 < estimate.lower)
                #expect(estimate.lower < estimate.metres)
                #expect(estimate.metres < estimate.upper)
            }
        }
    }

    @Test("Weaker evidence widens the interval and draws the median to the prior's")
    func weakEvidence() {
        for model in Self.models {
            let estimates = [0, 1, 5, 25, 1000].map {
                model.estimate(rssi: -95, variance: $0, measuredPower: -59)
            }
            for (strong, weak) in zip(estimates, estimates.dropFirst()) {
                #expect(weak.upper / weak.lower > strong.upper / strong.lower)
                #expect(abs(log(weak.metres / model.priorMedian)) < abs(log(strong.metres / model.priorMedian)))
            }
        }
    }

    @Test("A negative variance counts as none")
    func negativeVariance() {
        let model = DistanceModel.general
        #expect(
            model.estimate(rssi: -70, variance: -50, measuredPower: -59)
                == model.estimate(rssi: -70, variance: 0, measuredPower: -59))
    }

    @Test("Probabilities grow with the radius and agree with the interval")
    func probabilities() {
        for model in Self.models {
            for rssi in -110..<0 {
                let estimate = model.estimate(rssi: Double(rssi), variance: 0, measuredPower: -59)
                let within = estimate.probabilityWithin
                #expect(within.threeMetres <= within.sixMetres)
                for (radius, probability) in [(3.0, within.threeMetres), (6.0, within.sixMetres)] {
                    #expect((0...1).contains(probability))
                    #expect((estimate.upper <= radius) == (probability >= 0.95))
                    #expect((estimate.lower <= radius) == (probability >= 0.05))
                    #expect((estimate.metres <= radius) == (probability >= 0.5))
                }
            }
        }
    }

    @Test("The most extreme values give finite distances")
    func extremes() {
        for model in Self.models {
            for rssi in [-127.0, -1, 0, 20, 127] {
                for power in [-128.0, -127, 0, 127] {
                    for variance in [0.0, 1e12] {
                        let estimate = model.estimate(rssi: rssi, variance: variance, measuredPower: power)
                        let distances = [estimate.lower, estimate.metres, estimate.upper]
                        #expect(distances.allSatisfy { $0.isFinite && $0 > 0 })
                        #expect((0...1).contains(estimate.probabilityWithin.threeMetres))
                        #expect((0...1).contains(estimate.probabilityWithin.sixMetres))
                    }
                }
            }
        }
    }

    @Test("A device that doesn't say its power has that of its kind")
    func defaultPower() {
        #expect(
            DistanceModel.general.estimate(rssi: -70, variance: 0, measuredPower: nil)
                == DistanceModel.general.estimate(rssi: -70, variance: 0, measuredPower: -59))
        #expect(DistanceModel.phoneToGateway.defaultMeasuredPower == -65.6)
    }

    // MARK: - ProximityClass

    @Test(
        "Immediate is up to 0.5 m, near up to 3 m, far beyond",
        arguments: [
            (0.01, ProximityClass.immediate), (0.5, .immediate), (0.501, .near), (3, .near), (3.001, .far), (500, .far),
        ])
    func proximityClass(metres: Double, expected: ProximityClass) {
        let estimate = DistanceEstimate(
            metres: metres, lower: metres / 2, upper: metres * 2,
            probabilityWithin: Within(threeMetres: 0, sixMetres: 0))
        #expect(ProximityClass(estimate) == expected)
    }

    @Test("Without a distance the proximity is unknown")
    func unknown() {
        #expect(ProximityClass(nil) == .unknown)
    }

    @Test("Proximities have the numbers of CLProximity and their names")
    func numbers() {
        let classes: [ProximityClass] = [.unknown, .immediate, .near, .far]
        #expect(classes.map(\.rawValue) == [0, 1, 2, 3])
        #expect(classes.map(\.name) == ["unknown", "immediate", "near", "far"])
    }
}

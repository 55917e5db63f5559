import RealModule

/// The likelihood of one window's readings in each cell of a floor, with the subject's power and the direction of its
/// body as unknowns.
///
/// A residual is `b + a cos φ + c sin φ` and noise, where `φ` is the direction of the receiver from the cell, `b` the
/// power, and `(a, c)` the body: all three have normal distributions. With the weights of the readings, the sum of `x
/// xᵀ` for `x = (1, cos φ, sin φ)` and the inverse prior variances make a matrix `M`, and the weighted residuals a
/// vector `g`. The logarithm of the likelihood without the unknowns is `-(Σ w e² - gᵀ M⁻¹ g) / 2 - ln(det M) / 2`.
struct CellLikelihood: Sendable {
    /// Logarithm of the likelihood by cell, without what is equal in all cells of the building.
    private(set) var logarithms: [Cells] = []
    /// Mean of the power's posterior distribution by cell, as a difference from what was known of it, in dB.
    private(set) var powers: [Cells] = []
    /// Its variance by cell in dB².
    private(set) var variances: [Cells] = []

    /// What readings add up to in a group of cells.
    private struct Sums {
        var weight = Cells.zero
        var cosine = Cells.zero
        var sine = Cells.zero
        var cosineSquared = Cells.zero
        var cosineSine = Cells.zero
        var residual = Cells.zero
        var residualCosine = Cells.zero
        var residualSine = Cells.zero
        var residualSquared = Cells.zero
        var logarithm = Cells.zero
    }

    /// What it counts that a receiver did not hear the subject: nothing where it would be weak, and up to the logarithm
    /// of the share of windows that receivers miss where it would be strong.
    private struct Unheard {
        private let start: Float
        private let slope: Float
        private let most: Float

        init(_ settings: RadioSettings, power: TransmitPower, share: Float) {
            start = Float(settings.surelyUnheard - power.mean)
            most = share * -.log(Float(settings.missed))
            slope = most / Float(settings.surelyHeard - settings.surelyUnheard)
        }

        /// Returns the loss of the logarithm where a level is expected.
        @inline(__always)
        func penalty(_ expected: Cells) -> Cells {
            ((expected - start) * slope).orGreater(.zero).orLess(Cells(repeating: most))
        }
    }

    /// Computes the likelihood of signals.
    ///
    /// - Parameters:
    ///   - silent: receivers that listened and did not hear the subject.
    ///   - maps: maps of all receivers on the floor.
    ///   - cells: number of cells of the floor.
    ///   - share: share of a reading that counts, from 0 to 1.
    ///   - power: what is known of the subject's power.
    mutating func compute(
        _ signals: [HeardSignal], silent: [Int], _ maps: [RadioMap], cells: Int, share: Float, power: TransmitPower,
        settings: RadioSettings
    ) {
        let groups = Cells.groups(cells)
        if logarithms.count != groups {
            logarithms = Array(repeating: .zero, count: groups)
            powers = logarithms
            variances = logarithms
        }
        let inversePower = Float(1 / power.variance)
        let inverseBody = Float(1 / (settings.bodyDeviation * settings.bodyDeviation))
        let silent = silent.filter { maps.indices.contains($0) && !maps[$0].mean.isEmpty }
        let unheard = Unheard(settings, power: power, share: share)
        logarithms.withUnsafeMutableBufferPointer { logarithms in
            powers.withUnsafeMutableBufferPointer { powers in
                variances.withUnsafeMutableBufferPointer { variances in
                    for group in 0..<groups {
                        var sums = Sums()
                        for signal in signals {
                            Self.add(Float(signal.rssi - power.mean), maps[signal.receiver], group, share, &sums)
                        }
                        (logarithms[group], powers[group], variances[group]) = Self.finish(
                            sums, inversePower: inversePower, inverseBody: inverseBody)
                        for receiver in silent {
                            logarithms[group] -= unheard.penalty(maps[receiver].mean[group])
                        }
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func add(_ rssi: Float, _ map: RadioMap, _ group: Int, _ share: Float, _ sums: inout Sums) {
        guard !map.mean.isEmpty else {
            let (weight, residual) = (map.usualPrecision * share, rssi - map.constant)
            sums.weight += weight
            sums.residual += weight * residual
            sums.residualSquared += weight * residual * residual
            sums.logarithm += map.usualLogPrecision * share
            return
        }
        var weight = Cells(repeating: map.usualPrecision * share)
        if map.precision.isEmpty {
            sums.logarithm += map.usualLogPrecision * share
        } else {
            weight = map.precision[group] * share
            sums.logarithm += map.logPrecision[group] * share
        }
        let residual = rssi - map.mean[group]
        let (cosine, sine) = (map.cosine[group], map.sine[group])
        let (weightedCosine, weightedSine, weighted) = (weight * cosine, weight * sine, weight * residual)
        sums.weight += weight
        sums.cosine += weightedCosine
        sums.sine += weightedSine
        sums.cosineSquared += weightedCosine * cosine
        sums.cosineSine += weightedCosine * sine
        sums.residual += weighted
        sums.residualCosine += weighted * cosine
        sums.residualSine += weighted * sine
        sums.residualSquared += weighted * residual
    }

    /// Takes the unknowns out: first the body, then the power.
    @inline(__always)
    private static func finish(
        _ sums: Sums, inversePower: Float, inverseBody: Float
    ) -> (logarithm: Cells, power: Cells, variance: Cells) {
        let cc = sums.cosineSquared + inverseBody
        let cs = sums.cosineSine
        let ss = sums.weight - sums.cosineSquared + inverseBody
        let determinant = cc * ss - cs * cs
        let inverse = 1 / determinant
        let (c, s) = (sums.cosine, sums.sine)
        let (ec, es) = (sums.residualCosine, sums.residualSine)
        // The body's share of the power, and what remains of the power.
        let kc = (ss * c - cs * s) * inverse
        let ks = (cc * s - cs * c) * inverse
        let pivot = sums.weight + inversePower - (c * kc + s * ks)
        let right = sums.residual - (ec * kc + es * ks)
        let body = (ss * ec * ec - 2 * (cs * ec * es) + cc * es * es) * inverse
        let variance = 1 / pivot
        let power = right * variance
        let squares = sums.residualSquared - body - right * power
        let logarithm = sums.logarithm - squares * 0.5 - (determinant * pivot).approximateLogarithm() * 0.5
        return (logarithm, power, variance)
    }
}

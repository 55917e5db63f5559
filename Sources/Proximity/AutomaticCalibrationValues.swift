import RealModule

extension AutomaticCalibration {
    /// Calibrated values.
    struct Values: Codable, Equatable, Sendable {
        /// Path-loss exponent, dimensionless.
        var exponent: Double
        /// Offsets in dB, by adapter number; always `Constants.mostAdapters`.
        var offsets: [Double]

        /// Returns the nearest values within the bounds, with those of `fallback` in place of values that are not
        /// finite.
        func bounded(else fallback: Values) -> Values {
            var values = fallback
            values.exponent = nearest(exponent, in: Constants.exponentBounds, else: fallback.exponent)
            for (index, offset) in offsets.prefix(Constants.mostAdapters).enumerated() {
                values.offsets[index] = nearest(offset, in: Constants.offsetBounds, else: fallback.offsets[index])
            }
            return values
        }

        /// Returns the values one step towards the target, at most the maximum change of one period. All parts move by
        /// the same share of their distance: a convex error decreases in a straight line towards its minimum, and need
        /// not if one part moves ahead of the others.
        func step(towards target: Values) -> Values {
            var share = 1.0
            share = min(share, Constants.exponentStep / max(abs(target.exponent - exponent), 1e-9))
            for (from, to) in zip(offsets, target.offsets) {
                share = min(share, Constants.offsetStep / max(abs(to - from), 1e-9))
            }
            var values = self
            values.exponent += share * (target.exponent - exponent)
            for index in offsets.indices { values.offsets[index] += share * (target.offsets[index] - offsets[index]) }
            return values.bounded(else: self)
        }

        /// Returns the predicted RSSI minus measured power, in dB, at the distance of the record.
        func prediction(_ record: Record, adapter: Int) -> Double { offsets[adapter] + exponent * record.gain }

        /// Returns an error in dB as a factor of distance.
        func distanceFactor(_ error: Double) -> Double { Double.pow(10, error / (10 * exponent)) }
    }
}

private func nearest(_ value: Double, in bounds: ClosedRange<Double>, else fallback: Double) -> Double {
    value.isFinite ? min(max(value, bounds.lowerBound), bounds.upperBound) : fallback
}

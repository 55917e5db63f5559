import RealModule

extension AutomaticCalibration {
    /// What is calibrated.
    struct Values: Codable, Equatable, Sendable {
        /// Dimensionless.
        var exponent: Double
        /// dB, of each adapter by its number; always `Constants.mostAdapters`.
        var offsets: [Double]

        /// The nearest values within the bounds; `fallback` instead of those that aren't numbers.
        func bounded(else fallback: Values) -> Values {
            var values = fallback
            values.exponent = nearest(exponent, in: Constants.exponentBounds, else: fallback.exponent)
            for (index, offset) in offsets.prefix(Constants.mostAdapters).enumerated() {
                values.offsets[index] = nearest(offset, in: Constants.offsetBounds, else: fallback.offsets[index])
            }
            return values
        }

        /// As far towards the target as one period may go. All parts go the same share of their ways: straight
        /// towards the minimum of a convex error it falls, and with one part ahead of the others it needn't.
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

        /// RSSI less measured power, in dB, at the distance of the record.
        func prediction(_ record: Record, adapter: Int) -> Double { offsets[adapter] + exponent * record.gain }

        /// An error in dB as a factor of distance.
        func distanceFactor(_ error: Double) -> Double { Double.pow(10, error / (10 * exponent)) }
    }
}

private func nearest(_ value: Double, in bounds: ClosedRange<Double>, else fallback: Double) -> Double {
    value.isFinite ? min(max(value, bounds.lowerBound), bounds.upperBound) : fallback
}

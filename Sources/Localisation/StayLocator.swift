/// Where a subject was, stay by stay, with its power learnt from all of its stays.
package enum StayLocator {
    /// Number of passes over the stays of a subject: the first learns its power.
    private static let passes = 2
    /// Least variance of the power in dB²: bodies and pockets differ from stay to stay.
    private static let leastVariance = 4.0
    /// Length of a stay in seconds from which it counts fully for the power.
    private static let fullStay = 600.0

    /// Locates stays.
    ///
    /// - Parameter power: what is known of the subject's power; `nil` for the preset of the model.
    /// - Returns: the stays that can be located, and what is known of the power afterwards.
    package static func locate(
        _ stays: [HeardStay], _ model: BuildingModel, power: TransmitPower? = nil, scratch: inout FilterScratch
    ) -> (stays: [LocatedStay], power: TransmitPower) {
        let deviation = model.settings.offsetDeviation
        let prior = power ?? TransmitPower(variance: deviation * deviation)
        var known = prior
        var located: [LocatedStay] = []
        for pass in 0..<passes {
            located = []
            var (precision, sum) = (1 / prior.variance, prior.mean / prior.variance)
            for stay in stays {
                guard let posterior = StayPosterior(stay, model, power: known, scratch: &scratch),
                    let result = LocatedStay(stay, model, posterior.floors)
                else { continue }
                located.append(result)
                // The stay's own observation, without what was known before.
                let weight = min(1, (stay.end - stay.start) / fullStay)
                let own = max(0, 1 / posterior.power.variance - 1 / known.variance)
                guard own > 0 else { continue }
                let mean = (posterior.power.mean / posterior.power.variance - known.mean / known.variance) / own
                let counted = min(own, 1 / leastVariance) * weight
                precision += counted
                sum += counted * mean
            }
            if pass == 0 {
                known = TransmitPower(mean: sum / precision, variance: max(leastVariance, 1 / precision))
            }
        }
        return (located, known)
    }
}

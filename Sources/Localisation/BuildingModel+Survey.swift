import FloorPlans

extension BuildingModel {
    /// Returns the model with what a survey found.
    ///
    /// - Parameter survey: readings at known positions; those of unknown receivers or floors, or outside the floor, are
    /// ignored.
    package func surveyed(_ survey: [SurveyReading]) -> BuildingModel {
        let residuals = surveyResiduals(survey)
        var model = self
        for floor in Set(residuals.keys.map(\.floor)).sorted() {
            for receiver in receivers.indices {
                let samples = ResidualProcess.samples(residuals[SurveyKey(floor: floor, receiver: receiver)] ?? [])
                // What was not heard on the survey is as unsure as if there had been none.
                let found =
                    ResidualProcess.predict(samples, grids[floor])
                    ?? (
                        Array(repeating: 0, count: grids[floor].count),
                        Array(repeating: Float(ResidualProcess.unknown(grids[floor])), count: grids[floor].count)
                    )
                model.correct(floor: floor, receiver: receiver, residual: found.residual, variance: found.variance)
            }
        }
        return model
    }

    /// Returns the residuals of a survey by floor and receiver, without the power of the badges that were carried.
    private func surveyResiduals(
        _ survey: [SurveyReading]
    ) -> [SurveyKey: [(position: PlanPoint, residual: Double)]] {
        var residuals: [(key: SurveyKey, badge: String, position: PlanPoint, residual: Double)] = []
        var powers: [String: (sum: Double, count: Double)] = [:]
        for reading in Self.uncensored(survey) {
            guard grids.indices.contains(reading.floor), receivers.indices.contains(reading.receiver),
                (-127...20).contains(reading.rssi), let cell = grids[reading.floor].index(of: reading.position),
                grids[reading.floor].rooms[cell] != FloorGrid.outside
            else { continue }
            guard !maps[reading.floor][reading.receiver].mean.isEmpty else { continue }
            let residual =
                reading.rssi - expected(floor: reading.floor, receiver: reading.receiver, cell: cell)
            residuals.append(
                (
                    SurveyKey(floor: reading.floor, receiver: reading.receiver), reading.badge, reading.position,
                    residual
                ))
            powers[reading.badge, default: (0, 0)].sum += residual
            powers[reading.badge]!.count += 1
        }
        return Dictionary(grouping: residuals, by: \.key).mapValues { values in
            values.map { value in
                let power = powers[value.badge]!
                return (value.position, value.residual - power.sum / power.count)
            }
        }
    }

    /// Returns the readings with the levels that they would have on average if weak packets were heard too.
    ///
    /// Of a weak signal only the strongest packets are heard, so that the mean of what is heard says too much. What
    /// receivers heard next to never at a spot is left out.
    private static func uncensored(_ survey: [SurveyReading]) -> [SurveyReading] {
        SurveyCheck.spots(survey).flatMap { spot in
            let counts = Dictionary(grouping: spot.readings, by: \.receiver).mapValues(\.count)
            let most = Double(counts.values.max() ?? 1)
            let excesses = counts.filter { Censoring.isTelling($0.value, of: most) }
                .mapValues { Censoring.excess(Double($0) / most) }
            return spot.readings.compactMap { reading -> SurveyReading? in
                guard let excess = excesses[reading.receiver] else { return nil }
                var reading = reading
                reading.rssi -= excess
                return reading
            }
        }
    }

    private struct SurveyKey: Hashable {
        var floor: Int
        var receiver: Int
    }
}

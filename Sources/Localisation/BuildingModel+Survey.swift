import FloorPlans

extension BuildingModel {
    /// Returns the model with what a survey found.
    ///
    /// - Parameter survey: readings at known positions; those of unknown receivers or floors, or outside the floor, are ignored.
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
                        Array(repeating: Float(ResidualProcess.unknown), count: grids[floor].count)
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
        for reading in survey {
            guard grids.indices.contains(reading.floor), receivers.indices.contains(reading.receiver),
                (-127...20).contains(reading.rssi), let cell = grids[reading.floor].index(of: reading.position),
                grids[reading.floor].rooms[cell] != FloorGrid.outside
            else { continue }
            let map = maps[reading.floor][reading.receiver]
            guard map.mean.indices.contains(cell) else { continue }
            let residual = reading.rssi - Double(map.mean[cell])
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

    private struct SurveyKey: Hashable {
        var floor: Int
        var receiver: Int
    }
}

import FloorPlans

/// A building's model with its survey, if cross-validation says that the survey improves it.
package struct SurveyedModel: Sendable {
    /// The model: with the survey if that is an improvement, without it otherwise.
    package let model: BuildingModel
    package let outcome: Outcome

    /// What has become of a survey.
    package enum Outcome: Equatable, Sendable {
        /// There is no survey.
        case none
        /// There are too few spots with readings for a cross-validation.
        case tooFew(spots: Int)
        /// The survey makes the model worse, and is not used.
        case refused(SurveyCheck)
        /// The survey is used. `floors` are those of whose rooms half have a spot, as indexes of the plans.
        case used(SurveyCheck, floors: Set<Int>)
    }

    /// Share of the rooms of a floor that must have a spot for the floor to count as surveyed.
    private static let leastRooms = 0.5

    /// Creates the model.
    ///
    /// - Parameters:
    ///   - plain: the model without a survey.
    ///   - spots: spots of the building; those of other floors and receivers are ignored.
    package init(_ plain: BuildingModel, _ spots: [SurveySpot]) {
        let readings = spots.flatMap { $0.readings(plain) }
        guard !readings.isEmpty else {
            (model, outcome) = (plain, .none)
            return
        }
        guard let check = SurveyCheck(plain, readings) else {
            (model, outcome) = (plain, .tooFew(spots: SurveyCheck.spots(readings).count))
            return
        }
        guard check.isImprovement else {
            (model, outcome) = (plain, .refused(check))
            return
        }
        model = plain.surveyed(readings)
        outcome = .used(check, floors: Self.floors(readings, plain))
    }

    /// Floors that count as surveyed, as indexes of the plans.
    package var floors: Set<Int> { if case .used(_, let floors) = outcome { floors } else { [] } }

    private static func floors(_ readings: [SurveyReading], _ model: BuildingModel) -> Set<Int> {
        let rooms = Dictionary(grouping: readings, by: \.floor).mapValues { readings in
            Set(
                readings.compactMap { reading -> Int16? in
                    let grid = model.grids[reading.floor]
                    return grid.index(of: reading.position).map { grid.rooms[$0] }.flatMap { $0 >= 0 ? $0 : nil }
                })
        }
        return Set(
            rooms.filter { floor, rooms in
                Double(rooms.count) >= leastRooms * Double(model.plans[floor].rooms.count)
            }.keys)
    }
}

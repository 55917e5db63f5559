import FloorPlans

/// A building's model with what modules and surveys say of it.
///
/// A survey is used if cross-validation says that it improves the model. Modules at known positions are used anyway,
/// unless a survey of their floor says that they make the model worse.
package struct SurveyedModel: Sendable {
    /// The model with what is used.
    package let model: BuildingModel
    /// What has become of the survey.
    package let outcome: Outcome
    /// Number of modules that are used.
    package let modules: Int
    /// Floors that count as surveyed, as indexes of the plans: half of their rooms have a spot that is used.
    package let floors: Set<Int>

    /// What has become of a survey.
    package enum Outcome: Equatable, Sendable {
        /// There is no survey.
        case none
        /// There are too few spots with readings for a cross-validation.
        case tooFew(spots: Int)
        /// The survey makes the model worse, and is not used.
        case refused(SurveyCheck)
        case used(SurveyCheck)
    }

    /// Share of the rooms of a floor that must have a spot for the floor to count as surveyed.
    private static let leastRooms = 0.5

    /// Creates the model.
    ///
    /// - Parameters:
    ///   - plain: the model without a survey.
    ///   - spots: spots of the building; those of other floors and receivers are ignored.
    package init(_ plain: BuildingModel, _ spots: [SurveySpot]) {
        let walked = spots.filter { $0.module == nil }.flatMap { $0.readings(plain) }
        let fixed = spots.filter { $0.module != nil }.flatMap { $0.readings(plain) }
        var readings = fixed
        if let alone = SurveyCheck(plain, walked) {
            let floors = Set(walked.map(\.floor))
            let (near, elsewhere) = (
                fixed.filter { floors.contains($0.floor) }, fixed.filter { !floors.contains($0.floor) }
            )
            let best = Self.best(plain, walked, near, alone: alone)
            outcome = best.check.map { .used($0) } ?? .refused(alone)
            readings = best.readings + elsewhere
        } else {
            outcome = walked.isEmpty ? .none : .tooFew(spots: SurveyCheck.spots(walked).count)
        }
        model = readings.isEmpty ? plain : plain.surveyed(readings)
        modules = Set(readings.map(\.badge).filter { $0.hasPrefix(SurveySpot.modulePrefix) }).count
        floors = Self.floors(readings, plain)
    }

    /// Returns the readings by which the spots of a survey are found best, and the check of the survey if it is among
    /// them.
    private static func best(
        _ plain: BuildingModel, _ walked: [SurveyReading], _ fixed: [SurveyReading], alone: SurveyCheck
    ) -> (readings: [SurveyReading], check: SurveyCheck?) {
        guard !fixed.isEmpty else { return alone.isImprovement ? (walked, alone) : ([], nil) }
        if let both = SurveyCheck(plain, walked, with: fixed), both.isImprovement,
            !alone.isImprovement || both.after.score > alone.after.score
        {
            return (walked + fixed, both)
        }
        if alone.isImprovement { return (walked, alone) }
        let modules = SurveyCheck(plain, walked, with: fixed, learns: false)
        return (modules?.isImprovement == true ? fixed : [], nil)
    }

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

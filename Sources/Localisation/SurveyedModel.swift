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
        if let check = SurveyCheck(plain, walked) {
            let surveyed = Set(walked.map(\.floor))
            let choices = Self.choices(
                plain, walked, fixed.filter { surveyed.contains($0.floor) }, alone: check
            ).filter(\.check.isImprovement)
            let best = choices.max { $0.check.after.score < $1.check.after.score }
            readings = (best?.readings ?? []) + fixed.filter { !surveyed.contains($0.floor) }
            outcome = best.map { $0.learns ? .used($0.check) : .refused(check) } ?? .refused(check)
        } else {
            outcome = walked.isEmpty ? .none : .tooFew(spots: SurveyCheck.spots(walked).count)
        }
        model = readings.isEmpty ? plain : plain.surveyed(readings)
        modules = Set(readings.map(\.badge).filter { $0.hasPrefix(SurveySpot.modulePrefix) }).count
        floors = Self.floors(readings, plain)
    }

    /// Readings that a model can be made of, and how well it finds the spots of the survey.
    private struct Choice {
        var check: SurveyCheck
        var readings: [SurveyReading]
        /// Whether the survey itself is among the readings.
        var learns: Bool
    }

    private static func choices(
        _ plain: BuildingModel, _ walked: [SurveyReading], _ fixed: [SurveyReading], alone: SurveyCheck
    ) -> [Choice] {
        let first = Choice(check: alone, readings: walked, learns: true)
        guard !fixed.isEmpty, let both = SurveyCheck(plain, walked, with: fixed),
            let without = SurveyCheck(plain, walked, with: fixed, learns: false)
        else { return [first] }
        return [
            first, Choice(check: both, readings: walked + fixed, learns: true),
            Choice(check: without, readings: fixed, learns: false),
        ]
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

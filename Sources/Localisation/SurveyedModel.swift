import FloorPlans

/// A building's model with what modules and surveys say of it.
///
/// The survey of each floor is used if cross-validation says that it improves the model there. Modules at known
/// positions are used anyway, unless a survey of their floor says that they make the model worse.
package struct SurveyedModel: Sendable {
    /// The model with what is used.
    package let model: BuildingModel
    /// What has become of the survey of the building: it is used if that of a floor is.
    package let outcome: Outcome
    /// What has become of the survey of each floor that has one, by the indexes of the plans.
    package let outcomes: [Int: Outcome]
    /// Number of modules that are used.
    package let modules: Int
    /// Floors that count as surveyed, as indexes of the plans: half of their rooms have a spot that is used.
    package let floors: Set<Int>

    /// What has become of a survey.
    package enum Outcome: Equatable, Sendable {
        /// There is no survey.
        case none
        /// There are too few spots with readings for a cross-validation; of a building, those of its best floor.
        case tooFew(spots: Int)
        /// The survey makes the model worse, and is not used.
        case refused(SurveyCheck)
        case used(SurveyCheck)
    }

    /// Floors with a survey that is not used, as indexes of the plans, in order.
    package var leftOut: [Int] {
        outcomes.keys.sorted().filter { floor in
            switch outcomes[floor] {
            case .tooFew?, .refused?: return true
            default: return false
            }
        }
    }

    /// Share of the rooms of a floor that must have a spot for the floor to count as surveyed.
    private static let leastRooms = 0.5

    /// Creates the model.
    ///
    /// Each floor is judged by a model that knows nothing else: a good survey of one floor does not carry a wrong one
    /// of another, and a wrong one does not make spots of other floors harder to find. The floors take as long together
    /// as one check of the whole survey. If several are used, one more check is made of all that is used.
    ///
    /// A floor with too few spots for a check has none that can be trusted. It counts as a floor without a survey, so
    /// that its modules are used.
    ///
    /// - Parameters:
    ///   - plain: the model without a survey.
    ///   - spots: spots of the building; those of other floors and receivers are ignored.
    package init(_ plain: BuildingModel, _ spots: [SurveySpot]) {
        let walked = Dictionary(
            grouping: spots.filter { $0.module == nil }.flatMap { $0.readings(plain) }, by: \.floor)
        let fixed = Dictionary(
            grouping: spots.filter { $0.module != nil }.flatMap { $0.readings(plain) }, by: \.floor)
        var outcomes: [Int: Outcome] = [:]
        var choices: [Choice] = []
        var few = 0
        for (floor, own) in walked.sorted(by: { $0.key < $1.key }) {
            guard let alone = SurveyCheck(plain, own) else {
                let count = SurveyCheck.spots(own).count
                outcomes[floor] = Outcome.tooFew(spots: count)
                few = max(few, count)
                continue
            }
            let choice = Self.best(plain, floor, own, fixed[floor] ?? [], alone: alone)
            outcomes[floor] = choice.isUsed ? Outcome.used(choice.check) : Outcome.refused(choice.check)
            choices.append(choice)
        }
        var readings = choices.flatMap { $0.walked + $0.fixed }
        if choices.isEmpty {
            outcome = walked.isEmpty ? .none : .tooFew(spots: few)
        } else if choices.contains(where: \.isUsed) {
            let used = choices.filter(\.isUsed)
            let check = Self.together(plain, choices)
            if used.count == 1 || check.isImprovement {
                outcome = .used(check)
            } else {
                // Each floor is better by itself, and all of them together are not: none is trusted.
                outcome = .refused(check)
                for choice in used { outcomes[choice.floor] = Outcome.refused(check) }
                readings = choices.filter { !$0.isUsed }.flatMap(\.fixed)
            }
        } else {
            outcome = .refused(choices.count == 1 ? choices[0].check : SurveyCheck(sumOf: choices.map(\.check)))
        }
        let judged = Set(choices.map(\.floor))
        for (floor, own) in fixed.sorted(by: { $0.key < $1.key }) where !judged.contains(floor) { readings += own }
        self.outcomes = outcomes
        model = readings.isEmpty ? plain : plain.surveyed(readings)
        modules = Set(readings.map(\.badge).filter { $0.hasPrefix(SurveySpot.modulePrefix) }).count
        floors = Self.floors(readings, plain)
    }

    /// The readings of one floor that are used after the check of its survey.
    private struct Choice {
        var floor: Int
        /// Readings of the survey that are used; none if it is refused.
        var walked: [SurveyReading] = []
        /// Readings of modules that are used.
        var fixed: [SurveyReading] = []
        /// Check of the survey: with what is used, or alone if it is refused.
        var check: SurveyCheck

        /// Whether the survey is used.
        var isUsed: Bool { !walked.isEmpty }
    }

    /// Returns the readings by which the spots of a floor's survey are found best.
    ///
    /// Modules are added to a survey that helps only if they help as much as a survey must.
    private static func best(
        _ plain: BuildingModel, _ floor: Int, _ walked: [SurveyReading], _ fixed: [SurveyReading], alone: SurveyCheck
    ) -> Choice {
        let survey = Choice(floor: floor, walked: walked, check: alone)
        let nothing = Choice(floor: floor, check: alone)
        guard !fixed.isEmpty else { return alone.isImprovement ? survey : nothing }
        if let both = SurveyCheck(plain, walked, with: fixed), both.isImprovement,
            !alone.isImprovement || both.isImprovement(over: alone)
        {
            return Choice(floor: floor, walked: walked, fixed: fixed, check: both)
        }
        if alone.isImprovement { return survey }
        let modules = SurveyCheck(plain, walked, with: fixed, learns: false)
        return modules?.isImprovement == true ? Choice(floor: floor, fixed: fixed, check: alone) : nothing
    }

    /// Returns the check of all that is used together, at the spots of the surveys that are used.
    private static func together(_ plain: BuildingModel, _ choices: [Choice]) -> SurveyCheck {
        let used = choices.filter(\.isUsed)
        if used.count == 1 { return used[0].check }
        return SurveyCheck(plain, used.flatMap(\.walked), with: choices.flatMap(\.fixed))
            ?? SurveyCheck(sumOf: used.map(\.check))
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

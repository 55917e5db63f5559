import FloorPlans
import InteractionStore
import Localisation
import MatcherCore
import OperatorText
import Pages

/// Surveys of floors, as the commands `survey list` and `survey check` print them.
extension PageService {
    /// Number of rows of the table.
    private static let mostSpots = 100

    /// Shows the spots of surveys, and what became of the surveys in the models of live positions.
    func surveys(_ request: PageRequest) async throws -> PageAnswer {
        let (findings, isLive) = (await api.live.surveys, await api.live.isOn)
        let usesModules = configuration.localisation?.learnsFromModules ?? false
        let asked = request.query["from"]
        let (part, shown, floors) = try await api.work { store in
            let part = TablePart(asked: asked, of: try store.surveySpotCount(), most: Self.mostSpots)
            return (
                part, try store.surveySpots(from: part.range.lowerBound, limit: part.range.count),
                try store.surveyedFloors(withModules: usesModules)
            )
        }
        let words = SurveyWords(days: configuration.days, plans: configuration.localisation?.plans ?? [])
        return page(
            SurveysPage(
                request.frame("Surveys", route: .floors),
                buildings: isLive ? words.buildings(findings, surveyed: floors) : [],
                unknown: !isLive && part.count > 0 ? SurveyWords.unknown : nil,
                rows: shown.map { words.row($0) }, extent: part.extent("Spots"),
                nextPath: part.next.map { PageRoute.surveys.path(["from": "\($0)"]) }))
    }
}

/// Words of the page about surveys. Pure.
struct SurveyWords {
    var days: CalendarDays
    var plans: [FloorPlan]

    /// Returns what became of the survey of each building that has one.
    ///
    /// - Parameters:
    ///   - findings: findings of the models that were built.
    ///   - floors: floors with spots.
    func buildings(_ findings: [SurveyFindings], surveyed floors: [String]) -> [SurveysPage.Building] {
        let surveyed = Set(floors)
        let buildings = Set(plans.filter { surveyed.contains($0.path) }.map(\.buildingPath))
        return buildings.sorted().map { building in
            guard let found = findings.first(where: { $0.building == building }) else {
                return SurveysPage.Building(name: building, text: Self.unbuilt, figures: [], unsurveyed: nil)
            }
            if found.isNone {
                return SurveysPage.Building(name: building, text: Self.unheard, figures: [], unsurveyed: nil)
            }
            return SurveysPage.Building(
                name: building, text: found.text,
                figures: found.figures.map { .init(label: $0.label, without: $0.without, with: $0.with) },
                unsurveyed: found.unsurveyed)
        }
    }

    /// State of the survey of a building without a model.
    static let unbuilt =
        "not checked yet, because there is no model of this building. It is built within a minute, once a receiver of "
        + "the building has a position"

    /// State of a survey of which the model knows nothing.
    static let unheard =
        "not used. A new one counts within a minute; an older one was heard by no receiver that has a position now"

    /// Reason why nothing is known of what surveys improve.
    static let unknown =
        "What the surveys improve is known here while live positions are on. On the command line: beacon-matcher "
        + "survey check --config matcher.toml."

    /// Returns the row of a spot. Operators see no badges, so it says only that somebody carried one.
    func row(_ listed: InteractionStore.ListedSpot) -> SurveysPage.Row {
        let spot = listed.spot
        return SurveysPage.Row(
            number: "\(listed.number)", floor: spot.floor, room: spot.room(in: plans) ?? "none",
            x: Metres.text(spot.position.x), y: Metres.text(spot.position.y),
            time: DayWords(days: days).time(spot.startedAt), receivers: listed.receivers,
            source: spot.module.map { "module at \($0)" } ?? "somebody with a badge")
    }
}

import FloorPlans
import InteractionStore
import OperatorText
import Pages
import PlanImport

/// Floors that were found in another program's file.
struct FoundFloors: Sendable {
    var file: String
    var found: CompanionImport
    /// Reasons why the floors cannot be saved, in sentences.
    var problems: [String]

    /// Maximum number of mistakes that are shown.
    static let most = 50
    /// Largest text of all floors that is carried in a form, in bytes. Encoded for the form it can be three times as
    /// long.
    private static let largest = 1_000_000

    /// Reads a file of ESPresense-companion, and checks its floors among the others.
    static func read(
        _ bytes: [UInt8], name: String, site: String, building: String, among localisation: LocalisationSettings
    ) -> Result<FoundFloors, ConfigurationError> {
        do throws(ConfigurationError) {
            let found = try CompanionConverter.convert(
                YAMLTree.parse(bytes, path: name), path: name, site: site, building: building)
            return .success(
                FoundFloors(file: name, found: found, problems: problems(of: found.plans, among: localisation)))
        } catch {
            return .failure(error)
        }
    }

    /// Returns why floors cannot be saved beside the others, in sentences.
    static func problems(of plans: [FloorPlan], among localisation: LocalisationSettings) -> [String] {
        let drawn = localisation.drawn.compactMap { MergedPlans.plan($0.toml, path: $0.path) }
        let all = MergedPlans.merged(MergedPlans.merged(localisation.filePlans, drawn), plans)
        let buildings = Set(plans.map(\.buildingPath))
        let errors = FloorPlanCheck.problems(of: all.filter { buildings.contains($0.buildingPath) })
            .filter { $0.severity == .error }
        if FloorPlanFile.text(of: plans).utf8.count > largest {
            return [
                "The floors are too large to be saved here. Use beacon-matcher floors import, and name the file in the "
                    + "configuration."
            ]
        }
        let others = errors.count - most
        return errors.prefix(most).map { "\($0.location) \($0.found): \($0.remedy)." }
            + (others > 0 ? ["Further problems, not listed: \(others)."] : [])
    }

    /// Returns the page that shows them.
    ///
    /// - Parameter stored: drawn floors of the store.
    func page(_ frame: Frame, stored: [DrawnFloor], localisation: LocalisationSettings) -> FoundFloorsPage {
        let versions = Dictionary(stored.map { ($0.path, $0) }) { first, _ in first }
        let inFile = Set(localisation.filePlans.map(\.path))
        return FoundFloorsPage(
            frame, file: file,
            floors: found.plans.enumerated().map { index, plan in
                let drawn = versions[plan.path]
                let replaces =
                    drawn.map { "what \($0.by) drew of this floor" }
                    ?? (inFile.contains(plan.path) ? "the floor in the file of plans" : "nothing: it is new")
                return FoundFloorsPage.Floor(
                    place: plan.path, name: plan.shownName, roomCount: plan.rooms.count,
                    area: Format.fixed(plan.outline.area, 0) + " m²", replaces: replaces,
                    base: "\(drawn?.version ?? 0)",
                    drawing: FloorPlanDrawing(plan, styling: .external, id: "found-\(index)").svg)
            }, problems: problems, notes: found.notes.map(\.asSentence),
            nodes: found.nodes.prefix(Self.most * 4).map {
                .init(
                    label: $0.name, whereabouts: [$0.floor, $0.room].compactMap(\.self).joined(separator: ", "),
                    line: $0.configuration)
            }, plans: problems.isEmpty ? FloorPlanFile.text(of: found.plans) : nil)
    }
}

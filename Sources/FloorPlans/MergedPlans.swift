/// Plans of a file together with floors that were drawn elsewhere, which take the place of those with the same path.
package struct MergedPlans: Equatable, Sendable {
    package private(set) var plans: [FloorPlan]
    /// Drawn floors that count.
    package private(set) var drawn: Set<String> = []
    /// Why drawn floors do not count, in a sentence for each floor or building.
    package private(set) var warnings: [String] = []

    /// Merges plans. Drawn floors of a building do not count if its plans would contradict each other.
    ///
    /// - Parameters:
    ///   - file: plans without errors.
    ///   - drawn: paths of floors, each with a file of plans that has this floor alone.
    package init(file: [FloorPlan], drawn: [(path: String, toml: String)]) {
        plans = file
        var readable: [FloorPlan] = []
        for floor in drawn.sorted(by: { $0.path < $1.path }) {
            if let plan = Self.plan(floor.toml, path: floor.path) {
                readable.append(plan)
            } else {
                warnings.append(
                    "\(floor.path): the plan that was drawn on the page cannot be read, so it does not count; draw it "
                        + "again")
            }
        }
        for (building, floors) in Dictionary(grouping: readable, by: \.buildingPath).sorted(by: { $0.key < $1.key }) {
            let merged = Self.merged(plans, floors)
            let problems = FloorPlanCheck.problems(of: merged.filter { $0.buildingPath == building })
            if let error = problems.first(where: { $0.severity == .error }) {
                warnings.append(
                    "\(building): floors that were drawn on the page do not count, because they contradict other "
                        + "floors of the building: \(error.location): \(error.found)")
            } else {
                plans = merged
                self.drawn.formUnion(floors.map(\.path))
            }
        }
    }

    /// Returns what would be lost if a drawn floor were removed.
    ///
    /// - Parameters:
    ///   - path: the floor that would be removed.
    ///   - file: plans without errors.
    ///   - drawn: all drawn floors.
    /// - Returns: other drawn floors that would no longer count, and why, in sentences.
    package static func loss(
        withoutDrawn path: String, file: [FloorPlan], drawn: [(path: String, toml: String)]
    ) -> (floors: [String], reasons: [String]) {
        let before = MergedPlans(file: file, drawn: drawn)
        let after = MergedPlans(file: file, drawn: drawn.filter { $0.path != path })
        return (
            before.drawn.subtracting(after.drawn).subtracting([path]).sorted(),
            after.warnings.filter { !before.warnings.contains($0) }
        )
    }

    /// Returns the plan in a file that has one floor; `nil` if the file cannot be read, or has other floors.
    package static func plan(_ toml: String, path: String) -> FloorPlan? {
        guard let plans = try? FloorPlanFile.parse(toml, path: path), let plan = plans.first, plans.count == 1,
            plan.path == path
        else { return nil }
        return plan
    }

    /// Returns plans with floors in the places of those with the same path, or after all others.
    package static func merged(_ plans: [FloorPlan], _ floors: [FloorPlan]) -> [FloorPlan] {
        let byPath = Dictionary(floors.map { ($0.path, $0) }) { first, _ in first }
        let known = Set(plans.map(\.path))
        return plans.map { byPath[$0.path] ?? $0 } + floors.filter { !known.contains($0.path) }
    }
}

package import FloorPlans

/// Settings of the table `localisation`: the plans by which subjects are located.
package struct LocalisationSettings: Equatable, Sendable {
    /// Path of the file of floor plans.
    package var planFile: String
    package var plans: [FloorPlan]
    /// Warnings about the plans, each with its place in the file.
    package var warnings: [String]

    package init(planFile: String, plans: [FloorPlan], warnings: [String] = []) {
        self.planFile = planFile
        self.plans = plans
        self.warnings = warnings
    }
}

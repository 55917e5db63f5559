package import FloorPlans
package import MatcherCore

/// Settings of the table `localisation`: the plans by which subjects are located.
package struct LocalisationSettings: Equatable, Sendable {
    /// Path of the file of floor plans.
    package var planFile: String
    package var plans: [FloorPlan]
    /// Warnings about the plans, each with its place in the file.
    package var warnings: [String]
    /// Subjects that are located live.
    package var live: LivePolicy
    /// Kinds of subjects whose stays are located and stored; empty for none.
    package var settled: Set<String>
    /// Retention of located stays in days; `nil`: that of readings.
    package var stayRetention: Int64?
    /// Whether models are corrected by what receivers hear of each other's modules.
    package var learnsFromModules: Bool
    /// Whether phones that range beacons are told where they are.
    package var answersPhones: Bool
    /// Whether places of subjects are published by MQTT.
    package var publishes: Bool

    package init(
        planFile: String, plans: [FloorPlan], warnings: [String] = [], live: LivePolicy = LivePolicy(),
        settled: Set<String> = LivePolicy.locatableKinds, stayRetention: Int64? = nil, learnsFromModules: Bool = true,
        answersPhones: Bool = false, publishes: Bool = false
    ) {
        self.learnsFromModules = learnsFromModules
        self.answersPhones = answersPhones
        self.settled = settled
        self.stayRetention = stayRetention
        self.live = live
        self.publishes = publishes
        self.planFile = planFile
        self.plans = plans
        self.warnings = warnings
    }
}

package import FloorPlans
package import InteractionStore
package import MatcherCore

/// Settings of the table `localisation`: the plans by which subjects are located.
package struct LocalisationSettings: Equatable, Sendable {
    /// Path of the file of floor plans; `nil` if all floors are drawn on the page.
    package var planFile: String?
    /// Plans of the file.
    package let filePlans: [FloorPlan]
    /// Plans that count: those of the file, and those that were drawn on the page.
    package private(set) var plans: [FloorPlan]
    /// Floors that were drawn on the page.
    package private(set) var drawn: [DrawnFloor] = []
    /// Paths of drawn floors that count.
    package private(set) var drawnPaths: Set<String> = []
    /// Paths of drawn floors that do not count, in their order.
    package var uncounted: [String] { drawn.map(\.path).filter { !drawnPaths.contains($0) } }
    /// Warnings about the file, each with its place there, and about drawn floors that do not count.
    package var warnings: [String] { fileWarnings + drawnWarnings }
    /// Warnings about the file.
    private let fileWarnings: [String]
    /// Why drawn floors do not count.
    package private(set) var drawnWarnings: [String] = []
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
        planFile: String?, plans: [FloorPlan], warnings: [String] = [], live: LivePolicy = LivePolicy(),
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
        filePlans = plans
        fileWarnings = warnings
    }

    /// Returns these settings with floors that were drawn on the page, in the place of those before.
    package func with(_ drawn: [DrawnFloor]) -> LocalisationSettings {
        let merged = MergedPlans(file: filePlans, drawn: drawn.map { (path: $0.path, toml: $0.toml) })
        var settings = self
        settings.plans = merged.plans
        settings.drawn = drawn
        settings.drawnPaths = merged.drawn
        settings.drawnWarnings = merged.warnings
        return settings
    }
}

extension MatcherConfiguration {
    /// Returns this configuration with the floors that were drawn on the page.
    ///
    /// - Throws: `StoreError`.
    package func withDrawnFloors(of store: InteractionStore) throws -> MatcherConfiguration {
        guard let localisation else { return self }
        var configuration = self
        configuration.localisation = localisation.with(try store.drawnFloors())
        return configuration
    }
}

import Evidence
import FloorPlans
package import InteractionStore
package import Localisation
import MatcherCore
import Matching

/// Locating of stays in a store, one block of one building after the other.
package struct StayLocating: Sendable {
    private let store: SharedStore
    private let leader: StoreLeader?
    private var models: [String: Model] = [:]

    /// A building's model with what it was made of.
    private struct Model: Sendable {
        var plans: [FloorPlan]
        var sites: [ReceiverSite]
        var spots: [SurveySpot]
        var surveyed: SurveyedModel
    }

    /// What a step did.
    package struct Step: Sendable {
        /// Whether a block was located; otherwise there is nothing more to do now.
        package var isWorking = false
        /// Models that were made in this step, with what became of their surveys.
        package var models: [(building: String, model: SurveyedModel)] = []
        /// Buildings that failed, with the reason.
        package var failures: [(building: String, error: any Error)] = []
    }

    /// Whether blocks of late readings come first in the next step: they take turns with new ones.
    private var isTurnOfLate = false

    /// Time that gateways have to deliver readings after the end of a block, in seconds.
    private static let patience: Int64 = SettlingService.patience + 30

    /// Creates the locating for a process that is alone.
    package init(store: SharedStore) { self.init(store: store, leader: nil) }

    /// Creates the locating.
    ///
    /// - Parameter leader: says whether this process locates; `nil` if it does anyway.
    init(store: SharedStore, leader: StoreLeader?) {
        self.store = store
        self.leader = leader
    }

    /// Locates the stays of the next block of each building.
    ///
    /// - Parameters:
    ///   - earliest: start of the period in which stays are kept, in seconds since 1970.
    ///   - now: seconds since 1970.
    /// - Throws: `StoreError`.
    package mutating func step(_ settings: LocalisationSettings, earliest: Int64, now: Int64) throws -> Step {
        var step = Step()
        if let leader, try !leader.isThis() { return step }
        let buildings = Dictionary(grouping: settings.plans, by: \.buildingPath)
        models = models.filter { buildings[$0.key] != nil }
        for (building, plans) in buildings.sorted(by: { $0.key < $1.key }) {
            do {
                let task = try store.use {
                    try $0.nextBlock(
                        toLocateIn: building, from: earliest, before: now - Self.patience, prefersLate: isTurnOfLate)
                }
                guard let task else { continue }
                if let model = try refresh(building, plans, settings) { step.models.append((building, model)) }
                try locate(task, in: building, kinds: settings.settled, now: now)
                step.isWorking = true
            } catch {
                step.failures.append((building, error))
            }
        }
        isTurnOfLate.toggle()
        return step
    }

    /// Makes a building's model if its plans, receivers or survey have changed.
    ///
    /// - Returns: the new model; `nil` if it is the same.
    private mutating func refresh(
        _ building: String, _ plans: [FloorPlan], _ settings: LocalisationSettings
    ) throws -> SurveyedModel? {
        let (positions, survey, offsets) = try store.use {
            (
                try $0.receiverPositions(), try $0.usableSurvey(withModules: settings.learnsFromModules),
                try $0.usedOffsets()
            )
        }
        let sites = BuildingSites.sites(plans, positions.map { ($0.path, $0.position) }, offsets: offsets)
        let floors = Set(plans.map(\.path))
        let spots = survey.filter { floors.contains($0.floor) }
        if let model = models[building], model.plans == plans, model.sites == sites, model.spots == spots {
            return nil
        }
        let surveyed = SurveyedModel(BuildingModel(plans: plans, receivers: sites), spots)
        models[building] = Model(plans: plans, sites: sites, spots: spots, surveyed: surveyed)
        return surveyed
    }

    private func locate(
        _ task: InteractionStore.LocatingTask, in building: String, kinds: Set<String>, now: Int64
    ) throws {
        let block = task.block
        guard let model = models[building] else { return }
        let input = try store.use { store in
            let heard = try store.heard(in: block, building: building)
            let fixed = try store.fixedSubjects(since: now - 86_400)
            let subjects = try store.subjects(Set(heard.vectors.keys).subtracting(fixed))
                .filter { kinds.contains($0.value.kind) }
            let positions = try store.receiverPositions()
            return (
                heard: heard, subjects: subjects, paths: try store.receiverPaths(),
                since: Dictionary(
                    positions.compactMap { $0.former == nil ? nil : ($0.path, $0.since) }
                ) { first, _ in first },
                open: try store.openStays(
                    in: building, endingAfter: block.start - Int64(StayCutter.silence), before: block),
                powers: try store.powers(of: Set(subjects.keys))
            )
        }
        let settling = StaySettling(model.surveyed, building: building, paths: input.paths, since: input.since)
        let open = input.subjects.keys.reduce(into: [Int64: SettledStay]()) { open, subject in
            open[subject] = input.open[subject]?.last {
                $0.start > block.start - InteractionStore.longestStay
            }
        }
        // Blocks in which open stays began, each read once with the subjects that need it.
        var earlier: [HeardBlock] = []
        if let first = open.values.map(\.start).min() {
            for number in ReadingBlock(containing: first).number..<block.number {
                let before = ReadingBlock(number: number)
                let needed = Set(open.lazy.filter { $0.value.start < before.end }.map(\.key))
                earlier.append(try store.use { try $0.heard(in: before, building: building, of: needed) })
            }
        }
        var scratch = FilterScratch()
        var stays: [Int64: (from: Int64, stays: [SettledStay])] = [:]
        var powers: [Int64: TransmitPower] = [:]
        for subject in input.subjects.keys.sorted() {
            let blocks = earlier.filter { $0.vectors[subject] != nil } + [input.heard]
            guard
                let outcome = settling.settle(
                    subject, blocks, open: open[subject], power: input.powers[subject], scratch: &scratch)
            else { continue }
            stays[subject] = (outcome.from, outcome.stays)
            powers[subject] = outcome.power
        }
        let located = (stays, powers)
        try store.use {
            try $0.setLocatedStays(located.0, powers: located.1, of: input.subjects, in: building, task)
        }
    }
}

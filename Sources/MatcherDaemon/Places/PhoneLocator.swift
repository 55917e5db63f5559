import BeaconModel
import FloorPlans
import InteractionStore
import Localisation
import MatcherCore
import Matching
import SystemIO

/// Models of buildings with the beacons of places as receivers, for phones that range them.
actor PhoneLocator {
    private let store: SharedStore
    private var models: [String: BuildingModel] = [:]
    private var plans: [FloorPlan] = []
    private var sites: [String: [ReceiverSite]] = [:]
    private var lookedAt: ContinuousClock.Instant?

    /// Time for which positions of beacons are not asked for again.
    private static let patience: Duration = .seconds(60)

    init(store: SharedStore) { self.store = store }

    /// Returns where a phone is by what it ranged; `nil` if it ranged no beacon with a known position.
    ///
    /// - Throws: `StoreError`.
    func position(
        of phone: SubjectIdentity, _ ranged: [PhoneStays.Ranged], plans: [FloorPlan]
    ) async throws -> LivePosition? {
        try await refresh(plans)
        let models = models
        return try await DedicatedThread.run(name: "phone") {
            PhoneLocation.position(of: phone, ranged, models: models)
        }
    }

    private func refresh(_ plans: [FloorPlan]) async throws {
        if plans == self.plans, let lookedAt, .now - lookedAt < Self.patience { return }
        lookedAt = .now
        let store = store
        let (places, positions) = try await DedicatedThread.run(name: "beacons") {
            Result { try store.use { (try $0.placeBeacons(), try $0.receiverPositions()) } }
        }.get()
        // A module hangs where its gateway does.
        let known = Dictionary(positions.map { ($0.path, $0.position) }) { first, _ in first }
        for (building, floors) in Dictionary(grouping: plans, by: \.buildingPath) {
            let found = places.compactMap { place -> ReceiverSite? in
                guard let receiver = place.receiver, let position = known[receiver] else { return nil }
                var site = BuildingSites.sites(floors, [(receiver, position)]).first
                site?.path = place.beacon
                return site
            }
            if self.plans == plans, sites[building] == found { continue }
            sites[building] = found
            let model = try await DedicatedThread.run(name: "model") { BuildingModel(plans: floors, receivers: found) }
            models[building] = found.isEmpty ? nil : model
        }
        if self.plans != plans {
            let buildings = Set(plans.map(\.buildingPath))
            models = models.filter { buildings.contains($0.key) }
        }
        self.plans = plans
    }
}

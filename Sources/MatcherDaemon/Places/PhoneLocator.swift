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
    private var known = Known()
    private var lookedAt: ContinuousClock.Instant?
    /// The refresh that goes on; others wait for it.
    private var refreshing: Task<Void, any Error>?

    /// What was built last.
    private struct Known: Sendable {
        var plans: [FloorPlan] = []
        var sites: [String: [ReceiverSite]] = [:]
        var models: [String: BuildingModel] = [:]
    }

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
        let models = known.models
        return try await DedicatedThread.run(name: "phone") {
            PhoneLocation.position(of: phone, ranged, models: models)
        }
    }

    private func refresh(_ plans: [FloorPlan]) async throws {
        while plans != known.plans || lookedAt.map({ .now - $0 >= Self.patience }) ?? true {
            if let refreshing {
                try await refreshing.value
                continue
            }
            let task = Task {
                defer { refreshing = nil }
                known = try await Self.look(plans, known, in: store)
                lookedAt = .now
            }
            refreshing = task
            try await task.value
        }
    }

    /// Builds the models of the buildings whose beacons are not those of before.
    private static func look(_ plans: [FloorPlan], _ before: Known, in store: SharedStore) async throws -> Known {
        let (places, positions) = try await DedicatedThread.run(name: "beacons") {
            Result { try store.use { (try $0.placeBeacons(), try $0.receiverPositions()) } }
        }.get()
        // A module hangs where its gateway does.
        let hung = Dictionary(positions.map { ($0.path, $0.position) }) { first, _ in first }
        var result = Known(plans: plans)
        for (building, floors) in Dictionary(grouping: plans, by: \.buildingPath) {
            let found = places.compactMap { place -> ReceiverSite? in
                guard let receiver = place.receiver, let position = hung[receiver] else { return nil }
                var site = BuildingSites.sites(floors, [(receiver, position)]).first
                site?.path = place.beacon
                return site
            }
            result.sites[building] = found
            if before.plans == plans, before.sites[building] == found {
                result.models[building] = before.models[building]
            } else if !found.isEmpty {
                result.models[building] = try await DedicatedThread.run(name: "model") {
                    BuildingModel(plans: floors, receivers: found)
                }
            }
        }
        return result
    }
}

import BeaconModel
import FloorPlans
import Localisation

/// A building with plans: its model, and the seconds that are being assembled.
struct LiveBuilding: Sendable {
    let path: String
    let plans: [FloorPlan]
    private(set) var model: BuildingModel?
    /// Time since which there is a model, in seconds.
    private(set) var modelSince: Double?
    /// Floors that count as surveyed, as indexes of the plans.
    private(set) var surveyed: Set<Int> = []
    /// Survey of the building.
    var spots: [SurveySpot] = []
    var assembly = SecondAssembly()
    /// Receivers and survey of the model that was ordered last.
    private var ordered: (sites: [ReceiverSite], spots: [SurveySpot]) = ([], [])
    private var orderNumber = 0
    private var orderedAt: Double?
    /// Whether a model that was ordered is being built. There is one at a time.
    private var isBuilding = false
    /// Time since which there is something to order.
    private var wantedSince: Double?

    /// Shortest time between two models, in seconds: one takes up to seconds of computation.
    static let interval = 60.0
    /// Time for which other receivers are waited for before the first model is ordered, in seconds.
    private static let gathering = 2.0

    init(path: String, plans: [FloorPlan]) {
        self.path = path
        self.plans = plans
    }

    /// Returns the plan of a floor.
    func floor(_ path: String) -> FloorPlan? { plans.first { $0.path == path } }

    /// Returns the order for a model of receivers, if it is time for another model.
    mutating func order(_ sites: [ReceiverSite], now: Double) -> ModelOrder? {
        guard sites != ordered.sites || spots != ordered.spots else {
            wantedSince = nil
            return nil
        }
        let since = wantedSince ?? now
        wantedSince = since
        guard !isBuilding, now - since >= Self.gathering, orderedAt.map({ now - $0 >= Self.interval }) ?? true else {
            return nil
        }
        (ordered, orderedAt, wantedSince) = ((sites, spots), now, nil)
        orderNumber += 1
        isBuilding = true
        return ModelOrder(building: path, number: orderNumber, plans: plans, receivers: sites, spots: spots)
    }

    /// Takes the model of an order, unless it is for other plans or another order.
    mutating func install(_ built: SurveyedModel, for order: ModelOrder, now: Double) -> Bool {
        guard order.number == orderNumber, order.plans == plans else { return false }
        (model, surveyed, isBuilding) = (built.model, built.floors, false)
        modelSince = modelSince ?? now
        return true
    }

    /// Forgets an order whose model could not be built.
    mutating func abandon(_ order: ModelOrder) {
        guard order.number == orderNumber, order.plans == plans else { return }
        (ordered, isBuilding) = (([], []), false)
    }

    /// Returns the index of a receiver in the model; `nil` if it is not there, or was moved since.
    func receiver(_ number: Int, in receivers: LiveReceivers) -> Int? {
        let entry = receivers.entries[number]
        guard let model, !entry.isRestless, let position = entry.position, let index = model.receiver(entry.path),
            model.receivers[index].position == PlanPoint(x: position.x, y: position.y),
            model.receivers[index].height == position.z
        else { return nil }
        return index
    }
}

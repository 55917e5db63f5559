import FloorPlans
import Localisation
import Matching

/// One subject that is followed in a building.
struct TrackedSubject: Sendable {
    let subject: SubjectIdentity
    /// The building by its path.
    private(set) var building: String
    private var filter: SubjectFilter
    private var shown = ShownRoom()
    private var stillness = Stillness()
    private var inside = InsideJudge()
    private var clones = CloneWatch()
    /// What was heard since the last step, by receiver of the model.
    private var waiting: [HeardSignal] = []
    private var steppedAt: Double?
    private(set) var heardAt: Double
    /// Time since which it is followed, in seconds.
    let followedSince: Double
    /// RSSI of the strongest receiver in the latest second.
    private(set) var strongest = -Double.infinity
    private(set) var isAtRest = false
    private(set) var estimate: Estimate?
    /// What is shown now.
    private(set) var position: LivePosition?
    private var told: LivePosition?

    /// Interval of the steps of a subject at rest, in seconds.
    static let restWindow = 4.0

    init(_ subject: SubjectIdentity, in building: String, _ model: BuildingModel, at time: Double) {
        self.subject = subject
        self.building = building
        filter = SubjectFilter(model)
        heardAt = time
        followedSince = time
    }

    /// Starts anew: in another building, or with another model.
    ///
    /// In the same building, the last estimate is good until there is another.
    mutating func restart(in building: String, _ model: BuildingModel) {
        if self.building != building { estimate = nil }
        self.building = building
        filter = SubjectFilter(model)
        (shown, stillness, inside) = (ShownRoom(), Stillness(), InsideJudge())
        (waiting, steppedAt) = ([], nil)
        isAtRest = false
    }

    /// Takes the strongest receptions of a second, in whatever building they are.
    ///
    /// - Returns: whether the subject has become conflicting with it.
    mutating func watch(_ receptions: [CloneWatch.Reception], time: Double, settings: RadioSettings) -> Bool {
        let wasConflicting = clones.isConflicting
        clones.update(receptions, time: time, settings: settings)
        return clones.isConflicting && !wasConflicting
    }

    /// Takes what was heard in the second that ends at a time.
    ///
    /// - Parameters:
    ///   - window: seconds between two steps of a subject that moves.
    ///   - listening: receivers of the model that listen.
    mutating func hear(
        _ signals: [HeardSignal], time: Double, window: Double, listening: [Int], _ model: BuildingModel,
        _ scratch: inout FilterScratch
    ) {
        heardAt = max(time, heardAt)
        strongest = signals.map(\.rssi).max() ?? -Double.infinity
        isAtRest = stillness.update(signals, time: time)
        for signal in signals { gather(signal) }
        let interval = isAtRest ? Self.restWindow : window
        if let steppedAt, time - steppedAt < interval { return }
        let elapsed = steppedAt.map { min(interval, time - $0) } ?? 1
        let silent = listening.filter { receiver in !waiting.contains { $0.receiver == receiver } }
        let heard = HeardWindow(end: time, length: max(1, elapsed), signals: waiting, silent: silent)
        filter.step(model, heard, scratch: &scratch)
        let floors = inside.weigh(model, filter.floors, heard)
        steppedAt = time
        waiting.removeAll(keepingCapacity: true)
        guard let estimate = Estimate(model, floors, flattening: model.settings.flattening) else { return }
        self.estimate = estimate
        let place = shown.update(estimate, time: time, isAtRest: isAtRest && !inside.hasCrossed(at: time))
        position = position(place, estimate, time: time, model)
    }

    private mutating func gather(_ signal: HeardSignal) {
        guard let index = waiting.firstIndex(where: { $0.receiver == signal.receiver }) else {
            waiting.append(signal)
            return
        }
        let (old, count) = (waiting[index], waiting[index].count + signal.count)
        waiting[index].rssi = (old.rssi * Double(old.count) + signal.rssi * Double(signal.count)) / Double(count)
        waiting[index].count = count
    }

    private func position(
        _ shown: ShownRoom.Place, _ estimate: Estimate, time: Double, _ model: BuildingModel
    ) -> LivePosition {
        let plan = model.plans[estimate.floor]
        func name(_ room: Int?) -> String? { room.map { plan.rooms[$0].name } }
        func probability(_ room: Int?) -> Double { estimate.rooms.first { $0.room == room }?.probability ?? 0 }
        var result = LivePosition(
            subject: subject, floor: plan.path, place: .floor, probability: estimate.floorProbability,
            position: estimate.position, radius: estimate.radius, since: time, heardAt: heardAt)
        switch shown {
        case .room(_, let room):
            result.probability = probability(room)
            if let name = name(room) { result.place = .room(name) }
        case .between(_, let rooms):
            result.place = .between(rooms.compactMap(name))
            result.probability = rooms.reduce(0) { $0 + probability($1) }
        case .floor: break
        }
        if clones.isConflicting {
            (result.place, result.probability, result.position, result.radius) = (.conflicting, 0, nil, nil)
        }
        if let position, position.floor == result.floor, position.place == result.place {
            result.since = position.since
        }
        return result
    }

    /// Returns the changes since they were last told.
    mutating func changes() -> [LiveChange] {
        guard var position else { return [] }
        position.heardAt = heardAt
        self.position = position
        if let told, !told.differs(from: position) { return [] }
        let leaving = told.flatMap { $0.floor == position.floor ? nil : LiveChange.left(subject, floor: $0.floor) }
        told = position
        return [leaving, .shown(position)].compactMap { $0 }
    }

    /// Returns what is told when the subject is gone.
    func leaving() -> [LiveChange] { told.map { [.left(subject, floor: $0.floor)] } ?? [] }

    /// Probabilities of the rooms of its floor; none while its place is conflicting.
    var rooms: [Estimate.RoomProbability] {
        guard let position, position.place != .conflicting else { return [] }
        return estimate?.rooms ?? []
    }
}

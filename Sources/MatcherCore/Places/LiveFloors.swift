package import BeaconModel
package import Evidence
package import FloorPlans
package import Localisation
package import Matching

/// Where the followed subjects are now, by what receivers hear of them each second.
///
/// Times are in seconds since 1970, on one clock that never runs backwards.
package struct LiveFloors: Sendable {
    private let policy: LivePolicy
    private let limits: LiveLimits
    private let settings = RadioSettings()
    var buildings: [String: LiveBuilding]
    var receivers: LiveReceivers
    private(set) var subjects: [TrackedSubject] = []
    private var indexes: [SubjectIdentity: Int] = [:]
    private var fixed: Set<SubjectIdentity> = []
    private var scratch = FilterScratch()
    private var warnings = LiveWarnings()
    /// How much more than others receivers report, in dB by path.
    package var offsets: [String: Double] = [:]
    package private(set) var counters = LiveCounters()

    /// Time after which a subject that is not heard is gone, in seconds.
    package static let patience = 30.0
    /// Number of readings in one message from which others follow for the same second.
    private static let fullMessage = 500
    /// How much stronger another building must hear a subject until it is there, in dB.
    private static let otherBuilding = 6.0
    /// Time after which another building can have a subject that is not heard in its own, in seconds.
    private static let otherBuildingAfter = 5.0

    /// Creates the floors.
    ///
    /// - Parameter plans: plans of all floors.
    package init(plans: [FloorPlan], policy: LivePolicy, limits: LiveLimits = LiveLimits()) {
        self.policy = policy
        self.limits = limits
        receivers = LiveReceivers(limits: limits)
        buildings = Dictionary(grouping: plans, by: \.buildingPath).mapValues {
            LiveBuilding(path: $0[0].buildingPath, plans: $0)
        }
    }

    /// Sets the beacons that hang at places: nobody carries them, so they are not followed.
    package mutating func setFixed(_ fixed: Set<SubjectIdentity>) -> [LiveChange] {
        self.fixed = fixed
        return fixed.flatMap { remove($0) }
    }

    /// Sets the positions of receivers that the store knows. What a receiver itself says takes precedence.
    package mutating func setPositions(_ positions: [(path: String, position: Place.Position?, room: String?)]) {
        for (path, position, room) in positions { receivers.set(position, room: room, of: path) }
    }

    /// Sets the survey that the store has. Spots on floors without a plan are ignored.
    package mutating func setSurvey(_ spots: [SurveySpot]) {
        let byBuilding = Dictionary(grouping: spots, by: \.floor.building)
        for building in buildings.keys { buildings[building]?.spots = byBuilding[building] ?? [] }
    }

    /// Returns whether the model of a floor is corrected by a survey.
    package func isSurveyed(_ floor: String) -> Bool {
        guard let building = buildings[floor.building] else { return false }
        return building.surveyed.contains { building.plans[$0].path == floor }
    }

    /// Takes signals of a receiver.
    ///
    /// - Parameters:
    ///   - now: time of arrival.
    ///   - isSigned: whether the gateway has signed them.
    package mutating func handle(
        _ signals: SignalsRecord, arrivedAt now: Double, isSigned: Bool = false
    ) -> [LiveChange] {
        guard signals.receiver == signals.gateway || signals.receiver.hasPrefix(signals.gateway + "/") else {
            counters.foreign += 1
            return []
        }
        let (building, floor) = (signals.gateway.building, signals.gateway.floor)
        guard buildings[building]?.floor(floor) != nil else {
            counters.unplaced += 1
            return warn(.noPlan(receiver: signals.receiver))
        }
        do throws(LiveReceivers.Refusal) {
            try receivers.admit(signals, at: now, isSigned: isSigned)
        } catch {
            switch error {
            case .repeated: counters.repeated += 1
            case .flood:
                counters.flood += 1
                return warn(.flood(gateway: signals.gateway))
            }
            return []
        }
        guard let receiver = receivers.number(of: signals.receiver, at: now) else {
            counters.flood += 1
            return warn(.tooManyReceivers(gateway: signals.gateway))
        }
        var changes: [LiveChange] = []
        if receivers.spoke(receiver, signals, at: now) { changes += warn(.restless(receiver: signals.receiver)) }
        if receivers.entries[receiver].position == nil {
            counters.unplaced += 1
            return changes + warn(.noPosition(receiver: signals.receiver))
        }
        let second = receivers.second(receiver, claimed: signals.second, at: now)
        if receivers.entries[receiver].clock.isOff { changes += warn(.clock(receiver: signals.receiver)) }
        let readings = signals.subjects.lazy.compactMap { [policy, fixed] heard in
            heard.rssi.flatMap { rssi -> (SubjectIdentity, SecondAssembly.Reading)? in
                guard policy.follows(heard.identity), !fixed.contains(heard.identity) else { return nil }
                return (heard.identity, .init(receiver: receiver, rssi: rssi, count: Int(clamping: heard.count)))
            }
        }
        let isTaken = buildings[building]?.assembly.add(
            second, of: receiver, readings, isComplete: signals.subjects.count < Self.fullMessage, now: now)
        if isTaken != true, !signals.subjects.isEmpty { counters.late += 1 }
        return changes + advance(building, now: now)
    }

    /// Processes the seconds that are complete or old enough. Call it a few times a second.
    package mutating func advance(_ now: Double) -> [LiveChange] {
        buildings.keys.sorted().flatMap { advance($0, now: now) }
    }

    /// Advances to a time: processes seconds that are old enough, and removes subjects that are gone. Call it once a
    /// second.
    package mutating func tick(_ now: Double) -> [LiveChange] {
        var changes: [LiveChange] = []
        for building in buildings.keys.sorted() {
            changes += order(building, now: now)
            changes += advance(building, now: now)
        }
        let gone = subjects.filter { now - $0.heardAt > Self.patience }.map(\.subject).sorted()
        return changes + gone.flatMap { remove($0) }
    }

    /// Removes a subject, for instance because it was erased.
    package mutating func remove(_ subject: SubjectIdentity) -> [LiveChange] {
        guard let index = indexes.removeValue(forKey: subject) else { return [] }
        let changes = subjects[index].leaving()
        subjects.swapAt(index, subjects.count - 1)
        subjects.removeLast()
        if index < subjects.count { indexes[subjects[index].subject] = index }
        return changes
    }

    /// Removes all subjects.
    package mutating func removeAll() -> [LiveChange] { subjects.map(\.subject).sorted().flatMap { remove($0) } }

    // MARK: What is known

    /// Positions of the subjects on a floor, in the order of their identities.
    package func positions(on floor: String) -> [LivePosition] {
        subjects.compactMap(\.position).filter { $0.floor == floor }.sorted { $0.subject < $1.subject }
    }

    /// Positions of all subjects.
    package var positions: [LivePosition] { subjects.compactMap(\.position).sorted { $0.subject < $1.subject } }

    /// Position of a subject; `nil` if it is not heard, or not followed.
    package func position(of subject: SubjectIdentity) -> LivePosition? {
        indexes[subject].flatMap { subjects[$0].position }
    }

    /// Subjects that are followed, with the times since which they are, in seconds.
    package var followed: [SubjectIdentity: Double] {
        Dictionary(subjects.map { ($0.subject, $0.followedSince) }) { first, _ in first }
    }

    /// Number of subjects that are followed.
    package var count: Int { subjects.count }

    // MARK: Models

    /// Takes a model that was built for an order.
    ///
    /// The filters of its building's subjects start anew, because cells and receivers are others.
    ///
    /// - Parameter now: present time in seconds.
    package mutating func install(_ built: SurveyedModel, for order: ModelOrder, now: Double) {
        guard buildings[order.building]?.install(built, for: order, now: now) == true else { return }
        for index in subjects.indices where subjects[index].building == order.building {
            subjects[index].restart(in: order.building, built.model)
        }
    }

    /// Takes note that the model of an order could not be built: it is ordered again.
    package mutating func abandon(_ order: ModelOrder) { buildings[order.building]?.abandon(order) }

    /// Returns the order for a model, if the present one is not that of the receivers.
    private mutating func order(_ building: String, now: Double) -> [LiveChange] {
        guard let plans = buildings[building]?.plans else { return [] }
        let entries = receivers.entries.filter { !$0.isRestless && $0.building == building }
        let sites = BuildingSites.sites(
            plans, entries.map { ($0.path, $0.position) }, offsets: offsets, most: limits.receiversOfBuilding)
        return buildings[building]?.order(sites, now: now).map { [.order($0)] } ?? []
    }

    // MARK: Seconds

    private mutating func advance(_ building: String, now: Double) -> [LiveChange] {
        guard let model = buildings[building]?.model else {
            // What is said before there is a model is not kept for long.
            buildings[building]?.assembly.discard(now: now)
            return []
        }
        // A receiver that has heard nobody for a while speaks every ten seconds.
        let speaking = Set(
            receivers.entries.indices.filter {
                now - receivers.entries[$0].spokeAt <= LiveReceivers.speaking
                    && now - receivers.entries[$0].heardAt <= LiveReceivers.fading
                    && receivers.entries[$0].position != nil && receivers.entries[$0].building == building
            })
        let seconds = buildings[building]?.assembly.take(speaking: speaking, now: now) ?? []
        return seconds.flatMap { process($0, building, model) }
    }

    private mutating func process(
        _ second: SecondAssembly.Second, _ building: String, _ model: BuildingModel
    ) -> [LiveChange] {
        let time = Double(second.start + 1)
        var changes: [LiveChange] = []
        let window = second.readings.count > limits.crowd ? 2.0 : 1.0
        let listening = receivers.listening(in: building, at: time).compactMap {
            buildings[building]?.receiver($0, in: receivers)
        }
        for (subject, readings) in second.readings.sorted(by: { $0.key < $1.key }) {
            let heard = signals(readings, building, model, time: time)
            guard let strongest = heard.signals.map(\.rssi).max() else { continue }
            let index: Int
            if let known = indexes[subject] {
                index = known
            } else {
                guard receivers.admitNewcomer(of: heard.first) else {
                    counters.flood += 1
                    changes += warn(.flood(gateway: receivers.entries[heard.first].gateway))
                    continue
                }
                let (number, more) = makeRoom()
                changes += more
                subjects.append(TrackedSubject(subject, in: building, model, at: time))
                indexes[subject] = number
                index = number
            }
            if subjects[index].watch(heard.receptions, time: time, settings: settings) {
                changes += warn(.conflicting(subject))
            }
            if subjects[index].building != building {
                guard
                    time - subjects[index].heardAt > Self.otherBuildingAfter
                        || strongest > subjects[index].strongest + Self.otherBuilding
                else { continue }
                subjects[index].restart(in: building, model)
            }
            subjects[index].hear(
                heard.signals, time: time, window: window, listening: listening, model, &scratch)
            changes += subjects[index].changes()
        }
        return changes
    }

    /// Returns what the model's receivers heard, strongest first, each receiver once.
    private func signals(
        _ readings: [SecondAssembly.Reading], _ building: String, _ model: BuildingModel, time: Double
    ) -> (signals: [HeardSignal], receptions: [CloneWatch.Reception], first: Int) {
        var byReceiver: [(number: Int, signal: HeardSignal)] = []
        for reading in readings {
            guard reading.rssi.isFinite, reading.count > 0,
                let index = buildings[building]?.receiver(reading.receiver, in: receivers)
            else { continue }
            guard let known = byReceiver.firstIndex(where: { $0.signal.receiver == index }) else {
                byReceiver.append(
                    (reading.receiver, HeardSignal(receiver: index, rssi: reading.rssi, count: reading.count)))
                continue
            }
            // A receiver whose clock is off can have two messages in one second.
            let old = byReceiver[known].signal
            let count = old.count + reading.count
            byReceiver[known].signal.rssi =
                (old.rssi * Double(old.count) + reading.rssi * Double(reading.count)) / Double(count)
            byReceiver[known].signal.count = count
        }
        byReceiver.sort { ($0.signal.rssi, $1.signal.receiver) > ($1.signal.rssi, $0.signal.receiver) }
        let receptions = byReceiver.prefix(4).map { entry -> CloneWatch.Reception in
            let site = model.receivers[entry.signal.receiver]
            return CloneWatch.Reception(
                building: building, position: site.position, height: model.plans[site.floor].elevation + site.height,
                rssi: entry.signal.rssi, time: time)
        }
        return (byReceiver.map(\.signal), receptions, byReceiver.first?.number ?? 0)
    }

    /// Returns the index for another subject, after the one that was not heard for longest has made room if necessary.
    private mutating func makeRoom() -> (Int, [LiveChange]) {
        guard subjects.count >= limits.subjects,
            let oldest = subjects.min(by: { ($0.heardAt, $0.subject) < ($1.heardAt, $1.subject) })
        else { return (subjects.count, []) }
        counters.full += 1
        let changes = remove(oldest.subject) + warn(.full)
        return (subjects.count, changes)
    }

    private mutating func warn(_ warning: LiveWarning) -> [LiveChange] {
        warnings.admit(warning) ? [.warning(warning)] : []
    }
}

extension String {
    /// The building in a path of levels: `site/building`.
    var building: String { split(separator: "/").prefix(2).joined(separator: "/") }
    /// The floor in a path of levels: `site/building/floor`.
    var floor: String { split(separator: "/").prefix(3).joined(separator: "/") }
    /// The gateway in a path of levels: `site/building/floor/gateway`.
    var gateway: String { split(separator: "/").prefix(4).joined(separator: "/") }
}

import BeaconModel
import Evidence
import FloorPlans
import Localisation
import Logging
import MQTTBridge
import MatcherCore
import Matching
import OperatorText
import RecordContract
import SystemIO

/// The present state of live positions, which services and the API share.
///
/// `LiveFloors` decides; this actor gives it messages and time, and passes on what follows.
actor LivePlaces {
    nonisolated let streams: LiveStreams
    nonisolated let clock = LiveClock()
    private let secrets: SubjectSecrets
    private let prefix: String
    private let logger: Logger
    private(set) var settings: LocalisationSettings?
    private(set) var floors: LiveFloors?
    /// Gateways that are no longer trusted.
    private var revoked: Set<String> = []
    private var fixed: Set<SubjectIdentity> = []
    private(set) var positions: [(path: String, position: Place.Position?, room: String?)] = []
    private var survey: [SurveySpot] = []
    private var offsets: [String: Double] = [:]
    private var topics: LocationTopics
    /// Statements of gateways about themselves, by path.
    let facts: @Sendable () -> [String: GatewayFacts]
    /// States of the floors that somebody looks at, as they were sent last.
    private var told: [String: FloorStateDocument] = [:]
    /// Floors' subjects that have changed since the last event, and that have left.
    private var changed: [String: Set<SubjectIdentity>] = [:]
    private var left: [String: Set<SubjectIdentity>] = [:]
    /// Keys of the day, by subject.
    private var dayKeys: (day: Int64, keys: [SubjectIdentity: String]) = (0, [:])
    /// Defects of signals, by gateway.
    private var defects: [String: Set<String>] = [:]
    private var builds: [String: Task<Void, Never>] = [:]
    /// What became of the surveys of the models that were built last, by building.
    private(set) var findings: [String: SurveyFindings] = [:]

    private static let mostDefects = 5
    private static let mostDefectiveGateways = 1_000
    /// Maximum number of keys that are remembered. Others are computed again.
    private static let mostDayKeys = 10_000

    init(
        _ settings: LocalisationSettings?, secrets: SubjectSecrets, prefix: String, logger: Logger,
        room: StreamRoom = StreamRoom(), facts: @escaping @Sendable () -> [String: GatewayFacts] = { [:] }
    ) {
        streams = LiveStreams(room: room)
        self.facts = facts
        self.secrets = secrets
        self.prefix = prefix
        self.logger = logger
        topics = LocationTopics(prefix: prefix)
        self.settings = settings
        floors = Self.floors(settings)
    }

    private static func floors(_ settings: LocalisationSettings?) -> LiveFloors? {
        guard let settings, settings.live.isOn else { return nil }
        return LiveFloors(plans: settings.plans, policy: settings.live)
    }

    /// Whether positions are computed.
    var isOn: Bool { floors != nil }

    /// Takes the settings of a changed configuration. Other plans or another policy begin anew.
    func apply(_ new: LocalisationSettings?) {
        let old = settings
        settings = new
        for line in new?.warnings ?? [] where old?.warnings.contains(line) != true {
            logger.warning("floor plan incomplete", metadata: ["found": "\(line)"])
        }
        guard old?.plans != new?.plans || old?.live != new?.live else { return }
        floors = Self.floors(new)
        for build in builds.values { build.cancel() }
        (builds, changed, left, findings) = ([:], [:], [:], [:])
        _ = floors?.setFixed(fixed)
        floors?.setPositions(positions)
        floors?.setSurvey(survey)
        floors?.offsets = offsets
        streams.restart()
    }

    /// Takes what the store knows of receivers and beacons.
    func learn(
        positions: [(path: String, position: Place.Position?, room: String?)], fixed: Set<SubjectIdentity>,
        revoked: Set<String>, survey: [SurveySpot], offsets: [String: Double]
    ) {
        (self.positions, self.fixed, self.revoked) = (positions, fixed, revoked)
        (self.survey, self.offsets) = (survey, offsets)
        floors?.offsets = offsets
        floors?.setPositions(positions)
        floors?.setSurvey(survey)
        if let changes = floors?.setFixed(fixed) { note(changes) }
    }

    /// Subjects that are followed, with the times since which they are, in seconds since 1970 by the wall clock.
    var followed: [SubjectIdentity: Int64] { floors?.followed.mapValues { clock.wallTime(of: $0) } ?? [:] }

    /// Returns whether one of the subjects is shown in a room, and was heard at most `gap` seconds ago.
    ///
    /// - Parameter room: name of the room.
    /// - Returns: `nil` if positions of none of the subjects are computed, or not exactly one room of the plans has
    ///   this name.
    func shows(oneOf subjects: [SubjectIdentity], in room: String, within gap: Int64) -> Bool? {
        guard let floors, let settings, subjects.contains(where: settings.live.follows),
            let room = PlanRooms(settings.plans).room(room)
        else { return nil }
        return floors.shows(oneOf: subjects, in: room, heardSince: clock.seconds() - Double(gap))
    }

    /// Forgets what is known of subjects, because they were erased.
    func forget(_ subjects: some Sequence<SubjectIdentity>) {
        for subject in subjects {
            if let changes = floors?.remove(subject) { note(changes) }
        }
    }

    /// Takes a message on a topic of signals.
    func take(_ message: MQTTMessage, arrivedAt time: Double, _ verifier: MessageVerifier?) {
        guard floors != nil, !message.isRetained,
            let topic = RecordTopic(message.topic, prefix: prefix, kind: .signals), !revoked.contains(topic.gateway)
        else { return }
        do throws(RecordReader.Defect) {
            let isUnsigned = try RecordReader.checkSignature(
                message.payload, of: topic.gateway, for: .signals, verifier)
            let signals = try RecordReader.signals(message.payload, gateway: topic.gateway)
            let isSigned = verifier != nil && !isUnsigned
            if let changes = floors?.handle(signals, arrivedAt: time, isSigned: isSigned) { note(changes) }
        } catch {
            guard defects[topic.gateway] != nil || defects.count < Self.mostDefectiveGateways,
                defects[topic.gateway, default: []].count < Self.mostDefects,
                defects[topic.gateway, default: []].insert("\(error.found)").inserted
            else { return }
            logger.warning(
                "invalid signals received", metadata: ["gateway": "\(topic.gateway)", "found": "it \(error.found)"])
        }
    }

    /// Advances to the present time, and sends what has changed. Call it once a second.
    func tick() {
        guard let changes = floors?.tick(clock.seconds()) else { return }
        send(changes)
        tellStates()
    }

    /// Sends what follows from the seconds that are over. Call it a few times a second.
    func advance() {
        guard let changes = floors?.advance(clock.seconds()) else { return }
        send(changes)
    }

    private func send(_ changes: [LiveChange]) {
        note(changes)
        for (floor, view) in streams.audiences {
            if let event = event(of: changed[floor] ?? [], on: floor, view) {
                streams.send(event, on: floor, view: view)
            }
            if let event = leaving(left[floor] ?? []) { streams.send(event, on: floor, view: view) }
        }
        (changed, left) = ([:], [:])
    }

    /// Sends the states of floors that have changed.
    private func tellStates() {
        let audiences = Dictionary(grouping: streams.audiences) { $0.floor }
        told = told.filter { audiences[$0.key] != nil }
        for (floor, views) in audiences {
            guard let state = state(of: floor), told[floor].map({ state.differs(from: $0) }) ?? true else { continue }
            told[floor] = state
            for view in views { streams.send(Self.event(state), on: floor, view: view.view) }
        }
    }

    private func note(_ changes: [LiveChange]) {
        for change in changes {
            switch change {
            case .shown(let position):
                changed[position.floor, default: []].insert(position.subject)
                left[position.floor]?.remove(position.subject)
            case .left(let subject, let floor):
                left[floor, default: []].insert(subject)
                changed[floor]?.remove(subject)
            case .order(let order): build(order)
            case .warning(let warning): warning.log(to: logger, secrets)
            }
        }
    }

    private func build(_ order: ModelOrder) {
        builds[order.building] = Task {
            let start = ContinuousClock.now
            let built = try? await DedicatedThread.run(name: "model", { order.build() })
            guard !Task.isCancelled else { return }
            guard let built else {
                floors?.abandon(order)
                logger.error("radio model not built, no thread", metadata: ["building": "\(order.building)"])
                return
            }
            floors?.install(built, for: order, now: clock.seconds())
            findings[order.building] = SurveyFindings(order.building, built)
            logger.info(
                "radio model built",
                metadata: [
                    "building": "\(order.building)", "receivers": "\(built.model.receivers.count)",
                    "survey": "\(built.text)",
                    "in": "\(DurationText.format(.now - start))",
                ])
        }
    }

    // MARK: For streams

    /// Returns all positions on a floor; `nil` if live is off or there is no such floor.
    func snapshot(on floor: String, view: LiveAccess.View) -> LiveSnapshotDocument? {
        guard let floors, settings?.plans.contains(where: { $0.path == floor }) == true else { return nil }
        let now = WallClock.now().microseconds / 1_000_000
        return LiveSnapshotDocument(
            floor: floor, isHeard: floors.isHeard(floor, now: clock.seconds()), now: now,
            positions: floors.positions(on: floor).map { document($0, view) })
    }

    /// Returns the event stream of a floor; `nil` if live is off or there is no such floor.
    ///
    /// - Throws: `APIError` if there are too many streams.
    func events(
        on floor: String, view: LiveAccess.View, of client: LiveClient, to address: String
    ) throws(APIError) -> AsyncStream<String>? {
        guard let snapshot = snapshot(on: floor, view: view) else { return nil }
        let first = ServerSentEvent.text("snapshot", snapshot)
        let events = streams.events(
            on: floor, view: view, of: client, to: address, first: first,
            then: state(of: floor).map { [Self.event($0)] } ?? [])
        guard let events else { throw .tooMany(retryAfter: 60) }
        return events
    }

    private static func event(_ state: FloorStateDocument) -> String { ServerSentEvent.text("receivers", state) }

    private struct PositionsEvent: Encodable {
        var asOf: String
        var positions: [LivePositionDocument]
    }

    private struct LeavingEvent: Encodable {
        var keys: [String]
    }

    private func event(of subjects: Set<SubjectIdentity>, on floor: String, _ view: LiveAccess.View) -> String? {
        let positions = subjects.sorted().compactMap { floors?.position(of: $0) }.filter { $0.floor == floor }
        if positions.isEmpty { return nil }
        let event = PositionsEvent(
            asOf: InstantText.utc(WallClock.now().microseconds / 1_000_000),
            positions: positions.map { document($0, view) })
        return ServerSentEvent.text("positions", event)
    }

    private func leaving(_ subjects: Set<SubjectIdentity>) -> String? {
        if subjects.isEmpty { return nil }
        return ServerSentEvent.text("left", LeavingEvent(keys: subjects.sorted().map(key)))
    }

    private func document(_ position: LivePosition, _ view: LiveAccess.View) -> LivePositionDocument {
        LivePositionDocument(position, key: key(of: position.subject), view: view, clock: clock.wallTime)
    }

    private func key(of subject: SubjectIdentity) -> String {
        let day = WallClock.now().microseconds / 86_400_000_000
        if dayKeys.day != day {
            // Old keys must not be linked with new ones: streams begin anew.
            if dayKeys.day != 0 { streams.restart() }
            dayKeys = (day, [:])
        }
        if let key = dayKeys.keys[subject] { return key }
        let key = secrets.dayKey(of: subject, day: day)
        if dayKeys.keys.count < Self.mostDayKeys { dayKeys.keys[subject] = key }
        return key
    }

    // MARK: For topics

    /// Subjects whose places are published now.
    var published: Set<SubjectIdentity> {
        settings?.publishes == true ? Set(floors?.positions.map(\.subject) ?? []) : []
    }

    /// Returns what is to be published on topics of places.
    ///
    /// - Parameters:
    ///   - isLeader: whether this matcher publishes what is published once.
    ///   - keys: keys of subjects on topics.
    func topicSteps(isLeader: Bool, keys: [SubjectIdentity: String]) -> [LocationTopics.Step] {
        let present = isLeader && settings?.publishes == true ? floors?.positions ?? [] : []
        return topics.replace(with: present, keys: keys, now: clock.seconds())
    }

    /// Returns the topics to be emptied of subjects that have left their floor, without knowing keys.
    func withdrawal() -> [LocationTopics.Step] { topics.withdraw(allBut: floors?.positions ?? []) }

    /// Returns a place as it is published.
    nonisolated func document(_ position: LivePosition) -> [UInt8] {
        JSON.encode(LocationDocument(position, clock: clock.wallTime))
    }
}

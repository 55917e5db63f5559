import BeaconModel
import Logging
import MQTTBridge
import Publishing
import RecordContract
import RecordOutbox
import SystemIO
import TestSupport

@testable import MatcherIntegrationTests

/// A gateway that publishes records of invented phones, as the real one does.
actor TestGateway {
    /// `site/building/floor/gateway`.
    nonisolated let path: String
    private let place: Place
    private let topics: Topics
    private let publisher: MQTTPublisher
    private let outbox: Outbox
    private let broker: TestBroker
    private let running: Task<Void, Never>
    private var factory: RecordFactory
    private var number: UInt64 = 0

    static let beacon = BeaconID(
        uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 1, minor: 1)

    /// - Parameter confirmation: by whom records are confirmed.
    init(
        _ gateway: String = "east", broker: TestBroker, confirmation: OutboxRules.Confirmation = .broker
    ) async throws {
        place = Place(site: "campus", building: "main", floor: "1", gateway: gateway, room: "101", beacon: Self.beacon)
        path = "campus/main/1/\(gateway)"
        topics = Topics(prefix: "beacons", place: place)
        self.broker = broker
        var rules = OutboxRules(drainRate: 1_000_000)
        rules.confirmation = confirmation
        rules.confirmTimeout = .seconds(2)
        outbox = try await Outbox.open(nil, rules: rules, now: .now())
        var logger = Logger(label: "gateway") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        let publisher = MQTTPublisher(
            configuration: BrokerConfiguration(host: "127.0.0.1", port: broker.port, clientID: "bg_\(gateway)"),
            outbox: outbox, storedTopic: topics.stored, backoff: Backoff(longest: .seconds(1)), logger: logger)
        self.publisher = publisher
        running = Task { await publisher.run() }
        factory = RecordFactory(
            place: place, boot: 1, topics: topics, pseudonymizer: Pseudonymizer(secret: Array(repeating: 1, count: 32)))
    }

    /// Publishes the start and the end of so many interactions of an hour ago, each of somebody else.
    ///
    /// - Returns: the sequence of the last record.
    @discardableResult
    func publish(_ count: Int, people: UInt64 = 50) async -> UInt64 {
        var records: [Record] = []
        let start = WallClock.now() + .seconds(-3600)
        for _ in 0..<count {
            number += 1
            let interaction = Interaction(
                number: number, continues: nil, subject: .contactUser(.bleProximity, number % people),
                startedAt: start + .seconds(Int64(number % 60)), lastSeenAt: start + .seconds(600), ending: nil,
                samples: 10, rssi: .init(median: -60, minimum: -70, maximum: -50),
                distance: DistanceEstimate(
                    metres: 1, lower: 0.5, upper: 2, probabilityWithin: Within(threeMetres: 0.99, sixMetres: 1)),
                proximity: .near, expectedMinutesWithin: Within(threeMetres: 5, sixMetres: 10),
                reception: .init(interval: 0.1, heardShare: 0.9, silence: .seconds(10)))
            var ended = interaction
            ended.ending = .init(at: start + .seconds(620), reason: .departed)
            for (kind, interaction) in [(InteractionEvent.Kind.started, interaction), (.ended, ended)] {
                let event = InteractionEvent(kind: kind, time: start + .seconds(630), interaction: interaction)
                if let record = factory.record(for: event, clockIsSynchronized: true) { records.append(record) }
            }
        }
        await publisher.publish(records)
        return 2 * number
    }

    /// Says, as its health does, that it holds nothing before its first record.
    func sayHealth() async throws {
        try await broker.publish(topics.health, #"{"outbox":{"oldest":{"boot":1,"sequence":1}}}"#)
    }

    /// Records that aren't confirmed.
    var waiting: Int { get async { await outbox.waiting } }

    func waitUntilDelivered() async { await publisher.waitUntilDelivered(patience: .seconds(30)) }

    func end() async {
        _ = await publisher.finish(within: .seconds(2))
        await running.value
    }
}

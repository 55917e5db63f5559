import BeaconModel
import CommandSupport
import Evidence
import InteractionStore
import Logging
import MQTTBridge
import MatcherCore
import Metering
import RecordContract
import ServiceLifecycle
import SystemIO

/// Service that publishes the occupancy of rooms and floors by MQTT, every half minute.
struct OccupancyService: NamedService {
    var store: SharedStore
    var search: Reloadable<OccupancySearch>
    var gateways: GatewayWatch
    var live: LivePlaces
    var topicPrefix: String
    var publisher: MQTTPublisher
    var leader: StoreLeader
    var activation: Activation
    var meters = Meters.none
    var logger: Logger

    private static let interval: Duration = .seconds(30)
    /// Interval at which rooms that several floors name are looked for.
    private static let claimInterval: Duration = .seconds(3600)

    func run() async throws {
        guard await activation.begun() else { return }
        try? await cancelWhenGracefulShutdown {
            var lookedAt: ContinuousClock.Instant?
            var told: Set<String> = []
            var topics = OccupancyTopics()
            while true {
                do {
                    try await meters.run(.occupancy) { try await publish(&topics) }
                    if lookedAt.map({ $0.duration(to: .now) >= Self.claimInterval }) ?? true {
                        lookedAt = .now
                        for claims in try await contestedRooms() where told.insert(claims.room).inserted {
                            note(claims)
                        }
                    }
                } catch {
                    logger.error("occupancy not published", metadata: ["because": "\(error.inOneLine)"])
                }
                try await Task.sleep(for: Self.interval)
            }
        }
    }

    private func contestedRooms() async throws -> [RoomClaims] {
        let (store, search) = (store, search.current)
        return try await DedicatedThread.run(name: "rooms") {
            Result { try store.use { try search.contestedRooms($0) } }
        }.get()
    }

    private func note(_ claims: RoomClaims) {
        logger.warning(
            "room named by receivers of several floors, assigned to the floor that named it first",
            metadata: [
                "room": "\(claims.room)", "floor": "\(claims.floor ?? "-")",
                "not believed": "\(claims.refused.prefix(3).joined(separator: ", "))",
                "remedy": "look at: beacon-matcher places; give the room its places in [[rooms]]",
            ])
    }

    /// Publishes the present occupancy of rooms and floors, if this matcher is the leader.
    ///
    /// - Parameter topics: topics published before; those of vanished rooms and floors are emptied.
    func publish(_ topics: inout OccupancyTopics) async throws {
        let now = WallClock.now().microseconds / 1_000_000
        let (store, search, gateways, leader) = (store, search.current, gateways, leader)
        let presence = await live.presence(kinds: search.kinds)
        let documents = try await DedicatedThread.run(name: "occupancy") {
            Result { () throws -> [OccupancyDocument]? in
                // Each of the matchers that share the records hears some of the gateways.
                try store.use { try $0.setHeard(gateways.heard(since: now - GatewayWatch.patience)) }
                guard try leader.isThis() else { return nil }
                return try store.use { store in
                    try search.documents(store, heard: gateways.working(in: store, now: now), now: now)
                        .replaced(by: presence, now: now)
                }
            }
        }.get()
        guard let documents else { return }
        let present = OccupancyDocument.topics(of: documents, prefix: topicPrefix)
        for (topic, document) in present {
            // The state expires, so that a dashboard without updates shows that it is old.
            await publisher.setState(JSON.encode(document), topic: topic, expiry: .seconds(120))
        }
        // With MQTT 3.1.1 nothing expires.
        for topic in topics.replace(with: present.map { $0.topic }) { await publisher.setState([], topic: topic) }
    }
}

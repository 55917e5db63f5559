import BeaconModel
import InteractionStore
import Logging
import MQTTBridge
import ServiceLifecycle
import SystemIO

/// Says on MQTT how full rooms and floors are, every half minute.
struct OccupancyService: NamedService {
    var store: SharedStore
    var search: OccupancySearch
    var gateways: GatewayWatch
    var topicPrefix: String
    var publisher: MQTTPublisher
    var duty: Duty
    var logger: Logger

    private static let interval: Duration = .seconds(30)

    func run() async throws {
        guard await duty.begun() else { return }
        try? await cancelWhenGracefulShutdown {
            while true {
                do {
                    try await publish()
                } catch {
                    logger.error("can't say how full rooms are", metadata: ["because": "\(error.inOneLine)"])
                }
                try await Task.sleep(for: Self.interval)
            }
        }
    }

    private func publish() async throws {
        let now = WallClock.now().microseconds / 1_000_000
        let (store, search) = (store, search)
        let heard = gateways.working(now: now)
        let documents = try await DedicatedThread.run(name: "occupancy") {
            Result { try store.use { try search.documents($0, heard: heard, now: now) } }
        }.get()
        for document in documents {
            guard let topic = document.topic(prefix: topicPrefix) else { continue }
            // A dashboard that nobody tells anything new shows that it is old.
            await publisher.setState(JSON.encode(document), topic: topic, expiry: .seconds(120))
        }
    }
}

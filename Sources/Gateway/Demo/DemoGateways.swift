import GatewayCore
import GatewayDaemon
import Logging
import ServiceLifecycle

/// All gateways of the demonstration's floor in one process. Each is a whole gateway, but for its radio.
struct DemoGateways: Service {
    private let daemons: [Daemon]

    /// - Parameters:
    ///   - prefix: prefix of the topics.
    ///   - directory: directory for the gateways' state.
    ///   - speed: number of seconds that pass for the people in each second.
    /// - Throws: `ConfigurationError`.
    init(prefix: String, brokerPort: UInt16, directory: String, speed: Double, logger: Logger) throws {
        let people = DemoPerson.all()
        let start = ContinuousClock.now
        daemons = try DemoFloor.rooms.enumerated().map { index, room in
            let text = DemoFloor.configuration(
                of: room, prefix: prefix, brokerPort: brokerPort, directory: "\(directory)/\(room.gateway)")
            let configuration = try Configuration.parse(text, path: "") { _ in [] }
            let radio = SimulatedRadio(
                in: room, seed: UInt64(index + 1), people: people, start: start, speed: speed)
            return Daemon(
                configuration: configuration, makeSources: { [radio] }, load: { configuration }, endingSignals: [],
                logger: logger)
        }
    }

    /// Runs all gateways until the shutdown.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for daemon in daemons { group.addTask { try await daemon.run() } }
            try await group.waitForAll()
        }
    }
}

/// Service that ends its group after a time.
struct DemoAlarm: Service {
    var after: Duration

    func run() async throws { try? await cancelWhenGracefulShutdown { try await Task.sleep(for: after) } }
}

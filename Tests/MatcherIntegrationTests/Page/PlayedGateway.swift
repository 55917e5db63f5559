import BeaconModel
import Logging
import MQTTBridge
import Publishing
import RecordContract
import RecordOutbox
import SystemIO
import TestSupport

@testable import GatewayCore

/// The gateway campus/main/1/east, which decides about commands as the real one does, and has only the module `door`.
struct PlayedGateway {
    static let path = "campus/main/1/east"
    private static let topics = Topics(
        prefix: "beacons", place: Place(site: "campus", building: "main", floor: "1", gateway: "east"))

    /// Runs `body` while the gateway is connected.
    ///
    /// - Parameters:
    ///   - key: its commands.key-file.
    ///   - ahead: by how much its clock is wrong.
    ///   - words: what it says of commands that it carries out.
    static func with<Value>(
        _ broker: TestBroker, key: SigningKey?, ahead: Duration = .zero,
        words: String = "it advertises", isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let publisher = try await connect(broker, as: "bg_campus_main_1_east")
        let messages = await publisher.subscribe(to: Self.topics.commands)
        let running = Task { await publisher.run() }
        _ = await broker.log(containing: "Sending SUBACK to bg_campus_main_1_east")
        var rules = CommandRules()
        rules.key = key
        let start = CommandAdmission(topics: Self.topics, prefix: "beacons/v1", rules: rules)
        let serving = Task {
            var admission = start
            for await message in messages {
                let decision = admission.take(message, now: .seconds(1000), wall: WallClock.now() + ahead)
                switch decision {
                case .ignored: break
                case .answered(let reply, let address), .repeated(let reply, let address):
                    await publisher.publishOnce(MQTTMessage(topic: address.topic, payload: reply.encoded))
                case .carryOut(let order):
                    let hasModule =
                        if case .module(_, module: "door") = order.request.command { true } else { false }
                    let reply = admission.finish(
                        order,
                        hasModule
                            ? CommandOutcome(ok: true, text: words)
                            : CommandOutcome(ok: false, text: "there is no module; the modules are door"))
                    await publisher.publishOnce(MQTTMessage(topic: order.address.topic, payload: reply.encoded))
                }
            }
        }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        _ = await publisher.finish(within: .seconds(2))
        await running.value
        await serving.value
        return try result.get()
    }

    /// Returns a client of the broker.
    static func connect(_ broker: TestBroker, as name: String) async throws -> MQTTPublisher {
        try await client(port: broker.port, as: name)
    }

    /// Returns a client of the broker at a port, where there need not be one before the client runs.
    static func client(port: UInt16, as name: String) async throws -> MQTTPublisher {
        MQTTPublisher(
            configuration: BrokerConfiguration(host: "127.0.0.1", port: port, clientID: name),
            outbox: try await Outbox.open(nil, rules: OutboxRules(), now: .now()),
            backoff: Backoff(longest: .seconds(1)), logger: logger)
    }

    static var logger: Logger {
        var logger = Logger(label: "commands") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        return logger
    }
}

import RecordContract
import SyntheticRecords
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import MQTTBridgeDeliveryTests

/// Clusters of three brokers on the loopback interface, through which the gateway's publisher sends while the broker that
/// leads is killed and brought back.
@Suite(.serialized, .timeLimit(.minutes(15))) struct BrokerClusterTests {
    private static let count = UInt64(TestScale.amount(10_000, full: 100_000))

    @Test(
        "RabbitMQ with quorum queues loses nothing when the node that leads the consumer's queue is killed",
        .enabled(if: TestRabbitMQ.isInstalled, "rabbitmq-server isn't installed"))
    func rabbitMQ() async throws {
        try await TestRabbitMQ.with(nodes: 3) { nodes in
            let consumer = Consumer()
            // The node at which a session is made leads its queue; the consumer itself is elsewhere.
            try await consumer.connect(port: nodes.ports[0])
            await consumer.disconnect()
            try await consumer.connect(port: nodes.ports[1])
            try await publish(
                "RabbitMQ", gateways: 1, ports: [nodes.ports[0], nodes.ports[2]], to: consumer,
                crash: { await nodes.crash(0) },
                restart: { try await nodes.start(0) })
        }
    }

    @Test(
        "NATS with three replicas loses nothing when the server that leads the messages is killed",
        .enabled(if: TestNATS.isInstalled, "nats-server isn't installed"))
    func nats() async throws {
        try await TestNATS.with(servers: 3) { servers in
            let leader = try #require(try await servers.leader())
            let others = (0..<3).filter { $0 != leader }
            let consumer = Consumer()
            try await consumer.connect(port: servers.ports[others[0]])
            // One connection may get as little as a hundred records a second through.
            try await publish(
                "NATS", gateways: 8, ports: [servers.ports[leader], servers.ports[others[1]]], to: consumer,
                crash: { await servers.crash(leader) }, restart: { try await servers.start(leader) })
        }
    }

    /// Sends all records; kills a broker midway, and brings it back 10 s later.
    private func publish(
        _ name: String, gateways: UInt64, ports: [UInt16], to consumer: Consumer, crash: () async -> Void,
        restart: () async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let start = ContinuousClock.now
        let share = Self.count / gateways
        let probes = try (1...gateways).map { gateway in
            try ChildProcess(
                BuiltProgram.path("PublisherProbe"),
                ports.flatMap { ["--port", "\($0)"] } + [
                    "--outbox", "\(directory.path)/\(gateway).db", "--client-id", "probe-\(gateway)", "--boot",
                    "\(gateway)", "--count", "\(share)", "--batch", "100", "--size", "250", "--patience", "120",
                ])
        }
        let watched = probes.map { WatchedProbe($0) }
        #expect(
            await eventually(within: .seconds(600)) {
                watched.reduce(0) { $0 + $1.acknowledged } >= Int(Self.count / 2)
            })
        await crash()
        let atCrash = watched.reduce(0) { $0 + $1.acknowledged }
        #expect(atCrash < Self.count * 3 / 4, "killed too late")
        try await Task.sleep(for: .seconds(10))
        try await restart()
        for probe in watched {
            #expect(await probe.end() == 0)
            #expect(probe.last == "done \(share) 0")
        }
        #expect(watched.contains { $0.connections > 1 }, "nobody noticed")
        let longest = watched.map(\.longestGap).max() ?? .infinity
        let sent = Set(
            (1...gateways).flatMap { boot in (1...share).map { RecordPosition(boot: boot, sequence: $0) } })
        _ = await eventually(within: .seconds(120)) { await consumer.has(sent) }
        await consumer.disconnect()
        let tally = await consumer.tally
        print(tally.summary("\(name), leader killed midway", sent: sent.count, evicted: 0))
        let seconds = (ContinuousClock.now - start).components.seconds
        print(
            "\(name): killed when \(atCrash) were acknowledged; longest time between acknowledgements \(Int(longest.rounded())) ms, \(seconds) s in all"
        )
        #expect(sent.subtracting(tally.received).isEmpty, "lost")
        #expect(tally.received.subtracting(sent).isEmpty, "invented")
    }
}

/// Reads along what a `PublisherProbe` says.
private final class WatchedProbe: Sendable {
    private let process: ChildProcess
    private let said = LockedValue(Said())

    private struct Said {
        var acknowledged = 0
        var longestGap = Double.infinity
        var connections = 0
        var last: String?
        var isOver = false
    }

    init(_ process: ChildProcess) {
        self.process = process
        Task { [said] in
            while let line = await process.output.first() {
                let words = line.split(separator: " ")
                said.withLock { said in
                    said.last = line
                    switch words.first {
                    case "online": said.connections += 1
                    case "acknowledged" where words.count == 3:
                        said.acknowledged = Int(words[1]) ?? 0
                        said.longestGap = Double(words[2]) ?? .infinity
                    default: break
                    }
                }
            }
            said.withLock { $0.isOver = true }
        }
    }

    var acknowledged: Int { said.withLock { $0.acknowledged } }
    /// In milliseconds.
    var longestGap: Double { said.withLock { $0.longestGap } }
    var connections: Int { said.withLock { $0.connections } }
    var last: String? { said.withLock { $0.last } }

    /// Waits until it has ended and everything it said was read.
    func end() async -> Int32 {
        let status = await process.exitStatus()
        _ = await eventually { self.said.withLock { $0.isOver } }
        return status
    }
}

import InteractionStore
import SystemIO
import TestSupport
import Testing

@testable import MatcherIntegrationTests
@testable import Publishing

/// That nothing is lost and nothing doubled between a gateway and the store, whoever is killed.
@Suite(.timeLimit(.minutes(10))) struct RecordDeliveryTests {
    private static let broker = "allow_anonymous true\nmax_queued_messages 0\nmax_inflight_messages 100"

    @Test(arguments: Backend.installed)
    func `What a gateway publishes is stored, and the gateway may let go of it`(backend: Backend) async throws {
        try await backend.with { location, _, directory in
            try await TestBroker.with(configuration: Self.broker) { broker in
                let configuration = try TestMatcher.configuration(location, port: broker.port, in: directory)
                let matcher = try TestMatcher(configuration)
                #expect(await matcher.waitUntilStoring())
                let stored = try await broker.subscribe(to: "beacons/v1/+/+/+/+/stored", format: "%t %p")
                let gateway = try await TestGateway(broker: broker, confirmation: .consumer)
                try await gateway.sayHealth()
                let last = await gateway.publish(300)
                let end = "beacons/v1/campus/main/1/east/stored {\"boot\":1,\"sequence\":\(last)}"
                #expect(await stored.first { $0 == end } != nil)
                #expect(await eventually { await gateway.waiting == 0 })
                #expect(await matcher.stop() == 0)
                await gateway.end()
                #expect(try InteractionStore.count(location) == (300, 300))
            }
        }
    }

    /// Two with the same configuration: one that stores, and one that stands by.
    private static func pair(
        _ location: StoreLocation, _ broker: TestBroker, _ directory: TemporaryDirectory
    ) async throws -> (TestMatcher, TestMatcher) {
        let configuration = try TestMatcher.configuration(location, port: broker.port, in: directory)
        let first = try TestMatcher(configuration)
        #expect(await first.waitUntilStoring())
        let second = try TestMatcher(configuration)
        #expect(await second.said("standby"))
        return (first, second)
    }

    @Test(arguments: Backend.installed)
    func `A second matcher with the same client identifier takes over when the first is killed`(
        backend: Backend
    ) async throws {
        try await backend.with { location, _, directory in
            try await TestBroker.with(configuration: Self.broker) { broker in
                let (first, second) = try await Self.pair(location, broker, directory)
                let gateway = try await TestGateway(broker: broker)
                try await gateway.sayHealth()
                await gateway.publish(500)
                await first.kill()
                let last = await gateway.publish(500)
                #expect(await second.waitUntilStoring())
                #expect(
                    await eventually(within: .seconds(30)) {
                        (try? InteractionStore.through(location, gateway.path)) == last
                    })
                #expect(await second.stop() == 0)
                await gateway.end()
                #expect(try InteractionStore.count(location) == (1000, 1000))
            }
        }
    }

    @Test(.enabled(if: TestPostgreSQL.isInstalled))
    func `A matcher ends when another has taken over while the database was away`() async throws {
        try await Backend.postgreSQL.with { location, _, directory in
            try await TestBroker.with(configuration: Self.broker) { broker in
                let (first, second) = try await Self.pair(location, broker, directory)
                guard case .postgreSQL(let connection) = location else { return }
                // What a restart of the server does to who is on duty, and no more: leases are the locks that last.
                let ended = try await ChildProcess.run(
                    "psql",
                    [
                        "-qAtX", connection, "-c",
                        "SELECT count(pg_terminate_backend(pid)) > 0 FROM pg_locks WHERE locktype = 'advisory'",
                    ])
                #expect(ended.output == ["t"])
                #expect(await second.waitUntilStoring())
                #expect(await first.process.exitStatus() == 69)
                #expect(await first.process.errorOutput.first { $0.contains("took over") } != nil)
                let gateway = try await TestGateway(broker: broker)
                try await gateway.sayHealth()
                let last = await gateway.publish(100)
                let isThrough = await eventually(within: .seconds(30)) {
                    (try? InteractionStore.through(location, gateway.path)) == last
                }
                #expect(isThrough)
                #expect(await second.stop() == 0)
                await gateway.end()
            }
        }
    }

    @Test func `Matchers of different places split the gateways between them`() async throws {
        try await Backend.sqlite.with { _, _, directory in
            try await TestBroker.with(configuration: Self.broker) { broker in
                var matchers: [TestMatcher] = []
                var stores: [StoreLocation] = []
                for gateway in ["east", "west"] {
                    let own = try TemporaryDirectory()
                    let store = StoreLocation.sqlite(directory.path + "/\(gateway).sqlite")
                    let more = "client-id = \"m-\(gateway)\"\nplaces = [\"campus/main/1/\(gateway)\"]"
                    let configuration = try TestMatcher.configuration(store, port: broker.port, more: more, in: own)
                    let matcher = try TestMatcher(configuration)
                    #expect(await matcher.waitUntilStoring())
                    matchers.append(matcher)
                    stores.append(store)
                }
                for (name, count) in [("east", 30), ("west", 70)] {
                    let gateway = try await TestGateway(name, broker: broker)
                    try await gateway.sayHealth()
                    await gateway.publish(count)
                    await gateway.waitUntilDelivered()
                    await gateway.end()
                }
                #expect(
                    await eventually {
                        (try? stores.map { try InteractionStore.count($0).ended }) == [30, 70]
                    })
                for matcher in matchers { #expect(await matcher.stop() == 0) }
            }
        }
    }

    @Test(.enabled(if: TestPostgreSQL.isInstalled))
    func `Matchers of one share divide the records among them, and store each once`() async throws {
        try await Backend.postgreSQL.with { location, _, _ in
            try await TestBroker.with(configuration: Self.broker) { broker in
                var matchers: [TestMatcher] = []
                var directories: [TemporaryDirectory] = []
                // Whoever joins the share takes records away, and mosquitto looks afterwards who may read them.
                let thief = try await TestSubscriber(port: broker.port, filter: "$share/matchers/beacons/v1/#")
                for name in ["one", "two"] {
                    let own = try TemporaryDirectory()
                    let more = "client-id = \"m-\(name)\"\nshare = \"matchers\""
                    let configuration = try TestMatcher.configuration(location, port: broker.port, more: more, in: own)
                    let matcher = try TestMatcher(configuration)
                    // It would say first that this broker can't do that.
                    let said = await matcher.process.errorOutput.first {
                        $0.contains("shared subscriptions not supported") || $0.contains("storing")
                    }
                    #expect(said?.contains("storing") == true, "\(said ?? "nothing")")
                    matchers.append(matcher)
                    directories.append(own)
                }
                let gateway = try await TestGateway(broker: broker)
                try await gateway.sayHealth()
                let last = await gateway.publish(500)
                // What each has alone has gaps; together there are none.
                #expect(
                    await eventually {
                        (try? InteractionStore.through(location, gateway.path)) == last
                    })
                for name in ["one", "two"] {
                    #expect(await broker.log(containing: "Sending PUBLISH to m-\(name) (", "/interaction") != nil)
                }
                for matcher in matchers { #expect(await matcher.stop() == 0) }
                await gateway.end()
                await thief.end()
                let count = try InteractionStore.count(location)
                #expect(count == (500, 500), "\(count)")
            }
        }
    }

    // Here it refuses what tries it out; others take the subscription and send nothing.
    @Test(.enabled(if: TestPostgreSQL.isInstalled))
    func `Where a broker has no shared subscriptions, a matcher takes every record`() async throws {
        try await Backend.postgreSQL.with { location, _, directory in
            let list = try directory.write("list", "topic readwrite beacons/#\n")
            try await TestBroker.with(configuration: Self.broker + "\nuser root\nacl_file \(list)") { broker in
                let configuration = try TestMatcher.configuration(
                    location, port: broker.port, more: "share = \"matchers\"", in: directory)
                let matcher = try TestMatcher(configuration)
                #expect(await matcher.said("shared subscriptions not supported"))
                #expect(await matcher.waitUntilStoring())
                let gateway = try await TestGateway(broker: broker)
                try await gateway.sayHealth()
                let last = await gateway.publish(100)
                #expect(await eventually { (try? InteractionStore.through(location, gateway.path)) == last })
                #expect(await matcher.stop() == 0)
                await gateway.end()
                #expect(try InteractionStore.count(location) == (100, 100))
            }
        }
    }

    @Test(arguments: ["5", "3.1.1"])
    func `A session is kept while the matcher is away, by either version of MQTT`(version: String) async throws {
        try await Backend.sqlite.with { location, _, directory in
            try await TestBroker.with(configuration: Self.broker) { broker in
                let configuration = try TestMatcher.configuration(
                    location, port: broker.port, more: "version = \"\(version)\"", in: directory)
                let first = try TestMatcher(configuration)
                #expect(await first.waitUntilStoring())
                #expect(await first.stop() == 0)
                let gateway = try await TestGateway(broker: broker)
                await gateway.publish(300)
                await gateway.waitUntilDelivered()
                await gateway.end()
                let second = try TestMatcher(configuration)
                #expect(await eventually { (try? InteractionStore.count(location).ended) == 300 })
                #expect(await second.waitUntilStoring())
                #expect(await second.stop() == 0)
            }
        }
    }

    @Test(.enabled(if: TestPostgreSQL.isInstalled))
    func `A database that is killed and comes back gets everything`() async throws {
        try await Backend.postgreSQL.with { location, server, directory in
            let server = try #require(server)
            try await TestBroker.with(configuration: Self.broker) { broker in
                let configuration = try TestMatcher.configuration(location, port: broker.port, in: directory)
                let matcher = try TestMatcher(configuration)
                #expect(await matcher.waitUntilStoring())
                let gateway = try await TestGateway(broker: broker)
                try await gateway.sayHealth()
                var last: UInt64 = 0
                for _ in 0..<5 {
                    last = await gateway.publish(300)
                    await server.crash()
                    last = await gateway.publish(100)
                    try await server.restart()
                }
                #expect(
                    await eventually(within: .seconds(90)) {
                        (try? InteractionStore.through(location, gateway.path)) == last
                    })
                #expect(await matcher.stop() == 0)
                await gateway.end()
                #expect(try InteractionStore.count(location) == (2000, 2000))
            }
        }
    }
}

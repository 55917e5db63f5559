import Glibc
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import MQTTBridgeTests

/// What `deploy/` lets whom do, at the brokers themselves.
@Suite(.serialized, .timeLimit(.minutes(10))) struct BrokerPermissionTests {
    private static let gateway = "mcgill/trottier/3/gw-3a"
    private static let status = "beacons/v1/\(gateway)/status"
    private static let subject = "0123456789abcdef0123456789abcdef"
    private static let notice = "beacons/v1/subject/0a1b/exposure"

    private struct Client {
        var port: UInt16
        var user: String
        var id: String

        private func options(_ suffix: String = "") -> [String] { ["-u", user, "-P", "secret", "-i", id + suffix] }

        func subscriber(_ filter: String) async throws -> TestSubscriber {
            try await TestSubscriber(port: port, filter: filter, options: options())
        }

        func maySubscribe(to filter: String) async throws -> Bool {
            let process = try ChildProcess(
                "stdbuf",
                [
                    "-oL", ChildProcess.find("mosquitto_sub"), "-h", "127.0.0.1", "-p", "\(port)", "-V", "mqttv311",
                    "-q", "1", "-d", "-t", filter,
                ] + options())
            func connects(_ line: String) -> Bool { line.contains("sending CONNECT") }
            _ = await process.output.first(where: connects)
            // A broker refuses by its answer (MQTT 3.1.1, section 3.9.3), or closes the connection: then another is tried.
            let answer = await process.output.first { $0.hasPrefix("Subscribed ") || connects($0) }
            process.send(signal: SIGKILL)
            _ = await process.exitStatus()
            return answer.map { $0.hasPrefix("Subscribed ") && !$0.hasSuffix(" 128") } ?? false
        }

        /// Beside the subscriber, whose connection the same identifier would take. Brokers that speak MQTT 3.1.1 don't
        /// acknowledge what they don't allow, or close the connection.
        func publish(_ text: String, to topic: String, isAllowed: Bool = true) async throws {
            _ = try await ChildProcess.run(
                "mosquitto_pub",
                [
                    "-h", "127.0.0.1", "-p", "\(port)", "-V", "mqttv311", "-q", isAllowed ? "1" : "0", "-t", topic,
                    "-m", text,
                ] + options("_pub"))
        }
    }

    /// Gateway, matcher and analyst of one broker: who hears of what.
    private func check(_ gateway: Client, _ matcher: Client, _ analyst: Client) async throws {
        let stored = try await matcher.subscriber("beacons/v1/#")
        let read = try await analyst.subscriber("beacons/v1/mcgill/#")
        try await analyst.publish("invented", to: Self.status, isAllowed: false)
        try await gateway.publish("invented", to: "beacons/v1/mcgill/trottier/4/gw-4a/status", isAllowed: false)
        try await gateway.publish("invented", to: Self.notice, isAllowed: false)
        try await gateway.publish("online", to: Self.status)
        try await matcher.publish("exposed", to: Self.notice)
        try await gateway.publish("stopping", to: Self.status)
        for expected in ["\(Self.status) online", "\(Self.notice) exposed", "\(Self.status) stopping"] {
            #expect(await stored.lines.first() == expected)
        }
        for expected in ["\(Self.status) online", "\(Self.status) stopping"] {
            #expect(await read.lines.first() == expected)
        }
        await stored.end()
        await read.end()
        #expect(try await gateway.maySubscribe(to: "beacons/v1/\(Self.gateway)/command/+"))
        #expect(try await !gateway.maySubscribe(to: "beacons/v1/mcgill/#"))
        #expect(try await analyst.maySubscribe(to: "beacons/v1/mcgill/trottier/#"))
        #expect(try await !analyst.maySubscribe(to: "beacons/v1/subject/#"))
        #expect(try await !analyst.maySubscribe(to: Self.notice))
    }

    @Test(.enabled(if: TestNATS.isInstalled, "nats-server isn't installed"))
    func `NATS: each reads and publishes what is theirs, and by MQTT alone`() async throws {
        let file = try String(
            decoding: FileContents.read(Repository.root + "/deploy/nats/beacons.conf", limit: 100_000), as: UTF8.self)
        let authorization = try #require(file.ranges(of: "authorization {").first.map { file[$0.lowerBound...] })
        // Whoever has no name may ask whether the broker takes messages.
        let lines = authorization.replacing("\"$2a$11$...\"", with: "secret").replacing(
            "users: [",
            with: """
                users: [
                { user: nobody, password: secret, permissions: { publish: "readiness", subscribe: { deny: ">" } } }
                """)
        try await TestNATS.with(lines: lines + "\nno_auth_user: nobody\n") { servers in
            func client(_ user: String, _ id: String) -> Client { Client(port: servers.ports[0], user: user, id: id) }
            let analyst = client("analyst_reports", "analyst")
            try await check(
                client(Self.gateway, "bg_mcgill_trottier_3_gw-3a"), client("consumer_matcher", "beacon-matcher"),
                analyst)
            let subject = client(Self.subject, "subject")
            #expect(try await subject.maySubscribe(to: "beacons/v1/subject/\(Self.subject)/exposure"))
            for filter in [Self.notice, "beacons/v1/subject/+/exposure", "beacons/v1/mcgill/#"] {
                #expect(try await !subject.maySubscribe(to: filter), "\(filter)")
            }
            // Where the server delivers to everybody.
            #expect(try await !analyst.maySubscribe(to: "$MQTT/sub/#"))
            let own = try await ChildProcess.run(
                "timeout",
                [
                    "10", "bash", "-c",
                    """
                    exec 3<>/dev/tcp/127.0.0.1/\(servers.clientPorts[0])
                    # In one write: the server may close the connection at the first line.
                    cat <<< $'CONNECT {"user":"analyst_reports","pass":"secret"}\\r\\nSUB $MQTT.sub.> 1\\r\\nPING\\r' >&3
                    while read -r line <&3; do echo "$line"; case $line in *Violation* | PONG*) exit;; esac; done
                    """,
                ])
            #expect(own.output.contains { $0.contains("Authorization Violation") }, "\(own)")
        }
    }

    @Test(.enabled(if: TestRabbitMQ.isInstalled, "rabbitmq-server isn't installed"))
    func `RabbitMQ: each reads and publishes what is theirs, from queues of its own`() async throws {
        try await TestRabbitMQ.with { nodes in
            let port = nodes.ports[0]
            let filter = "beacons/v1/mcgill/#"
            for (role, user) in [
                ("gateway", Self.gateway), ("consumer", "matcher"), ("analyst", "ann"), ("subject", Self.subject),
            ] {
                try await nodes.administer(
                    "sh", ["-c", #"rabbitmqctl -q add_user "$0" secret"#, user])
                try await nodes.administer("sh", [Repository.root + "/deploy/rabbitmq/permissions.sh", role, user])
            }
            func client(_ user: String, _ id: String) -> Client { Client(port: port, user: user, id: id) }
            try await check(
                client(Self.gateway, "bg_mcgill_trottier_3_gw-3a"),
                client("matcher", "beacon-matcher-0123456789abcdef"),
                client("ann", "ann"))
            let subject = client(Self.subject, Self.subject)
            #expect(try await subject.maySubscribe(to: "beacons/v1/subject/\(Self.subject)/exposure"))
            for filter in [Self.notice, "beacons/v1/subject/+/exposure", filter] {
                #expect(try await !subject.maySubscribe(to: filter), "\(filter)")
            }
            for id in ["ann_2", "bg_tail_1f2e3d4c"] {
                #expect(try await client("ann", id).maySubscribe(to: filter), "\(id)")
            }
            for id in [
                "beacon-matcher", "beacon-matcher-0123456789abcdef", "beacon-matcher-notices", Self.subject,
                "bg_mcgill_trottier_3_gw-3a", "anna",
            ] {
                #expect(try await !client("ann", id).maySubscribe(to: filter), "\(id)")
            }
        }
    }
}

import Glibc
import RecordContract
import SystemIO
import TestSupport
import TestValues
import Testing

/// What `deploy/` lets whom do, at the brokers themselves.
@Suite(.serialized, .timeLimit(.minutes(10))) struct BrokerPermissionTests {
    private static let gateway = "mcgill/trottier/3/gw-3a"
    private static let status = "beacons/v1/\(gateway)/status"
    private static let subject = "0123456789abcdef0123456789abcdef"
    private static let notice = "beacons/v1/subject/0a1b/exposure"
    /// Who may do everything, to see what others can.
    private static let observer = "observer"

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

    /// A topic of a form, and whether it is the gateway's or the subject's of these tests.
    private struct Topic {
        let access: TopicAccess
        let text: String
        let isOwn: Bool

        init(_ access: TopicAccess, isOwn: Bool) {
            self.access = access
            self.isOwn = isOwn
            text = access.topic(
                prefix: "beacons",
                [
                    "site": "mcgill", "building": "trottier", "floor": "3", "gateway": isOwn ? "gw-3a" : "gw-3b",
                    "key": isOwn ? BrokerPermissionTests.subject : "fedcba9876543210fedcba9876543210", "uuid": "u",
                    "major": "1",
                    "minor": "1", "module": "door", "command": "reset", "name": "reset", "room": isOwn ? "101" : "102",
                ])
        }
    }

    private static let topics = TopicAccess.all.flatMap { access in
        [true, false].map { Topic(access, isOwn: $0) }
    }

    /// Tries each form of a topic, by each role: who may publish there, and who may subscribe to it.
    private func checkAll(_ clients: [TopicAccess.Role: Client], observer: Client) async throws {
        try #require(clients.count == TopicAccess.Role.allCases.count)
        for (role, client) in clients {
            let seen = try await observer.subscriber("beacons/#")
            for topic in Self.topics {
                try await client.publish(
                    role.rawValue, to: topic.text, isAllowed: topic.access.mayPublish(role, isOwn: topic.isOwn))
            }
            try await observer.publish("end", to: "beacons/end")
            var received: [String] = []
            while let line = await seen.lines.first(), line != "beacons/end end" { received.append(line) }
            let allowed = Self.topics.filter { $0.access.mayPublish(role, isOwn: $0.isOwn) }
            #expect(received.sorted() == allowed.map { "\($0.text) \(role.rawValue)" }.sorted(), "\(role)")
            await seen.end()
            for topic in Self.topics {
                let may = topic.access.mayRead(role, isOwn: topic.isOwn, checksDelivery: false)
                #expect(try await client.maySubscribe(to: topic.text) == may, "\(role) reads \(topic.text)")
            }
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
        try await TestNATS.with(lines: Self.deployedNATS()) { servers in
            func client(_ user: String, _ id: String) -> Client { Client(port: servers.ports[0], user: user, id: id) }
            let analyst = client("analyst_reports", "analyst")
            try await check(
                client(Self.gateway, "bg_mcgill_trottier_3_gw-3a"), client("consumer_matcher", "beacon-matcher"),
                analyst)
            let subject = client(Self.subject, "subject")
            try await checkAll(
                [
                    .gateway: client(Self.gateway, "gateway"), .consumer: client("consumer_matcher", "matcher"),
                    .operator: client("operator_desk", "operator"), .analyst: analyst, .subject: subject,
                ], observer: client(Self.observer, "observer"))
            for filter in ["beacons/v1/subject/+/exposure", "beacons/v1/mcgill/#"] {
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

    /// The users of deploy/nats/beacons.conf, each with the password "secret", and one who may do everything.
    private static func deployedNATS() throws -> String {
        let file = try String(
            decoding: FileContents.read(Repository.root + "/deploy/nats/beacons.conf", limit: 100_000), as: UTF8.self)
        let authorization = try #require(file.ranges(of: "authorization {").first.map { file[$0.lowerBound...] })
        // Whoever has no name may ask whether the broker takes messages.
        return authorization.replacing("\"$2a$11$...\"", with: "secret").replacing(
            "users: [",
            with: """
                users: [
                { user: nobody, password: secret, permissions: { publish: "readiness", subscribe: { deny: ">" } } }
                { user: \(observer), password: secret }
                """) + "\nno_auth_user: nobody\n"
    }

    // JetStream had been full, and nobody got in any more.
    @Test(.enabled(if: TestNATS.isInstalled, "nats-server isn't installed"))
    func `NATS: a session that never comes back fills nothing where what is kept has limits`() async throws {
        try await TestNATS.with(lines: Self.deployedNATS(), storage: "40MB") { servers in
            let port = servers.ports[0]
            func client(_ user: String, _ id: String) -> Client { Client(port: port, user: user, id: id) }
            let away = try await ChildProcess.run(
                "mosquitto_sub",
                [
                    "-h", "127.0.0.1", "-p", "\(port)", "-V", "mqttv311", "-u", "analyst_reports", "-P", "secret",
                    "-i", "away", "-c", "-q", "1", "-t", "beacons/v1/mcgill/#", "-E",
                ])
            #expect(away.status == 0)
            let directory = try TemporaryDirectory()
            let password = try directory.write("password", "secret\n")
            let limited = try await ChildProcess.run(
                Repository.root + "/deploy/nats/limit-storage.py",
                [
                    "--port", "\(servers.clientPorts[0])", "--password-file", password, "--messages", "8MB",
                    "--retained", "8MB",
                ])
            try #require(limited.status == 0, "\(limited.errorOutput)")
            for round in ["first", "after a restart"] {
                for options in ["-i bg", "-i bg -r"] {
                    // 60 MB, as many lines of 100,000 bytes.
                    let flood = try await ChildProcess.run(
                        "bash",
                        [
                            "-c",
                            """
                            yes $(head -c 100000 /dev/zero | tr '\\0' x) | head -n 600 | mosquitto_pub -h 127.0.0.1 \
                              -p \(port) -V mqttv311 -u \(Self.gateway) -P secret \(options) -q 1 -t \(Self.status) -l
                            """,
                        ])
                    #expect(flood.status == 0, "\(flood)")
                }
                let stored = try await client("consumer_matcher", "matcher").subscriber("beacons/v1/mcgill/+/#")
                #expect(await stored.lines.first()?.hasPrefix("\(Self.status) xxx") == true, "retained")
                try await client(Self.gateway, "bg").publish("online", to: Self.status)
                #expect(await stored.lines.first() == "\(Self.status) online", "\(round)")
                await stored.end()
                await servers.crash(0)
                try await servers.start(0)
            }
        }
    }

    @Test(.enabled(if: TestRabbitMQ.isInstalled, "rabbitmq-server isn't installed"))
    func `RabbitMQ: each reads and publishes what is theirs, from queues of its own`() async throws {
        try await TestRabbitMQ.with(configuration: Self.deployedRabbitMQ()) { nodes in
            let port = nodes.ports[0]
            let filter = "beacons/v1/mcgill/#"
            for arguments in [
                ["gateway", Self.gateway], ["consumer", "matcher"], ["consumer", "named", "beacon-matcher-2"],
                ["operator", "desk"], ["analyst", "ann"], ["subject", Self.subject],
            ] {
                try await nodes.administer("sh", ["-c", #"rabbitmqctl -q add_user "$0" secret"#, arguments[1]])
                try await nodes.administer("sh", [Repository.root + "/deploy/rabbitmq/permissions.sh"] + arguments)
            }
            try await nodes.administer(
                "sh",
                [
                    "-c",
                    #"rabbitmqctl -q add_user "$0" secret && rabbitmqctl -q set_permissions "$0" '.*' '.*' '.*'"#,
                    Self.observer,
                ])
            func client(_ user: String, _ id: String) -> Client { Client(port: port, user: user, id: id) }
            try await check(
                client(Self.gateway, "bg_mcgill_trottier_3_gw-3a"),
                client("matcher", "beacon-matcher-0123456789abcdef"),
                client("ann", "ann"))
            let subject = client(Self.subject, Self.subject)
            try await checkAll(
                [
                    .gateway: client(Self.gateway, "bg_mcgill_trottier_3_gw-3a"),
                    .consumer: client("matcher", "beacon-matcher-0123456789abcdef"),
                    .operator: client("desk", "desk"), .analyst: client("ann", "ann"), .subject: subject,
                ], observer: client(Self.observer, "observer"))
            // A matcher whose configuration names its identifier.
            #expect(try await client("named", "beacon-matcher-2").maySubscribe(to: filter))
            #expect(try await !client("named", "beacon-matcher-0123456789abcdef").maySubscribe(to: filter))
            for filter in ["beacons/v1/subject/+/exposure", filter] {
                #expect(try await !subject.maySubscribe(to: filter), "\(filter)")
            }
            #expect(try await client("ann", "ann_2").maySubscribe(to: filter))
            // A session that stays when its client goes.
            _ = try await ChildProcess.run(
                "mosquitto_sub",
                [
                    "-h", "127.0.0.1", "-p", "\(port)", "-V", "mqttv311", "-u", "ann", "-P", "secret", "-i", "ann_3",
                    "-c", "-q", "1", "-t", filter, "-W", "2",
                ])
            try await nodes.administer(
                "sh",
                ["-c", "rabbitmqctl -q list_queues name policy | grep 'mqtt-subscription-ann_3qos1.beacons ann$'"])
            // More would be so many queues, each of which keeps everything.
            for id in [
                "ann_22", "ann_a", "bg_tail_1f2e3d4c",
                "beacon-matcher", "beacon-matcher-0123456789abcdef", "beacon-matcher-notices", Self.subject,
                "bg_mcgill_trottier_3_gw-3a", "anna",
            ] {
                #expect(try await !client("ann", id).maySubscribe(to: filter), "\(id)")
            }
        }
    }

    /// deploy/rabbitmq/rabbitmq.conf with another port, and without TLS, by the port.
    private static func deployedRabbitMQ() throws -> @Sendable (UInt16) -> String {
        let bytes = try FileContents.read(Repository.root + "/deploy/rabbitmq/rabbitmq.conf", limit: 100_000)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .filter { !$0.hasPrefix("mqtt.listeners.ssl") && !$0.hasPrefix("ssl_options") }
            .joined(separator: "\n")
        return { port in lines.replacing("127.0.0.1:1883", with: "127.0.0.1:\(port)") }
    }

    @Test(.enabled(if: TestRabbitMQ.isInstalled, "rabbitmq-server isn't installed"))
    func `RabbitMQ: nobody comes without a name, nobody comes by AMQP, and who only reads has no way to write`()
        async throws
    {
        try await TestRabbitMQ.with(configuration: Self.deployedRabbitMQ()) { nodes in
            let anonymous = try await ChildProcess.run(
                "mosquitto_pub",
                ["-h", "127.0.0.1", "-p", "\(nodes.ports[0])", "-V", "mqttv311", "-t", "x", "-m", "x"])
            #expect(anonymous.status != 0)
            try await nodes.administer("sh", ["-c", "! rabbitmq-diagnostics -q listeners | grep -i amqp"])
            try await nodes.administer("sh", ["-c", "rabbitmqctl -q add_user ann secret"])
            try await nodes.administer("sh", [Repository.root + "/deploy/rabbitmq/permissions.sh", "analyst", "ann"])
            // The third column is what may be written to: by the exchange dead letters of a queue would reach any topic.
            try await nodes.administer(
                "sh", ["-c", "! rabbitmqctl -q list_user_permissions ann | cut -f 3 | grep topic"])
            // A pattern that the empty routing key doesn't match either.
            try await nodes.administer(
                "sh",
                [
                    "-c",
                    #"""
                    pattern=$(rabbitmqctl -q list_user_topic_permissions ann | grep amq.topic | cut -f 3)
                    rabbitmqctl -q eval "nomatch = re:run(<<>>, <<\"$pattern\">>)."
                    """#,
                ])
        }
    }
    // Six CONNECTs of 250 MB, of nobody, had taken 5 GB.
    @Test(.enabled(if: TestRabbitMQ.isInstalled, "rabbitmq-server isn't installed"))
    func `RabbitMQ: on the network only those with a certificate of its authority are heard`() async throws {
        let certificates = try await TestCertificates()
        let (server, client) = (try await certificates.server(), try await certificates.client("gateway"))
        let file = try String(
            decoding: FileContents.read(Repository.root + "/deploy/rabbitmq/rabbitmq.conf", limit: 100_000),
            as: UTF8.self)
        let lines = file.replacing("mqtt.listeners.tcp.1 = 127.0.0.1:1883", with: "mqtt.listeners.tcp = none")
            .replacing("/etc/rabbitmq/certs/ca.crt", with: certificates.authority)
            .replacing("/etc/rabbitmq/certs/server.crt", with: server.certificate)
            .replacing("/etc/rabbitmq/certs/server.key", with: server.key)
        let configuration = { @Sendable (port: UInt16) -> String in
            lines.replacing("mqtt.listeners.ssl.1 = 8883", with: "mqtt.listeners.ssl.1 = 127.0.0.1:\(port)")
        }
        try await TestRabbitMQ.with(configuration: configuration) { nodes in
            try await nodes.administer("sh", ["-c", #"rabbitmqctl -q add_user "$0" secret"#, Self.gateway])
            try await nodes.administer(
                "sh", [Repository.root + "/deploy/rabbitmq/permissions.sh", "gateway", Self.gateway])
            func publish(_ options: [String]) async throws -> Int32 {
                try await ChildProcess.run(
                    "timeout",
                    [
                        "20", "mosquitto_pub", "-h", "127.0.0.1", "-p", "\(nodes.ports[0])", "-V", "mqttv311", "-u",
                        Self.gateway, "-P", "secret", "-i", "bg_mcgill_trottier_3_gw-3a", "-q", "1", "-t", Self.status,
                        "-m", "online", "--cafile", certificates.authority,
                    ] + options
                ).status
            }
            #expect(try await publish(["--cert", client.certificate, "--key", client.key]) == 0)
            #expect(try await publish([]) != 0)
            let strange = try await TestCertificates().client("gateway")
            #expect(try await publish(["--cert", strange.certificate, "--key", strange.key]) != 0)
        }
    }
}

import Glibc
import SystemIO
import TestSupport
import TestValues
import Testing

/// The files in deploy/mosquitto, with the real mosquitto: as Debian includes them, with other paths and ports.
@Suite("deploy/mosquitto", .timeLimit(.minutes(10)))
struct DeployTests {
    /// A broker as somebody sets it up who follows the files.
    private final class Broker: Sendable {
        let port: UInt16
        let tlsPort: UInt16
        let directory: TemporaryDirectory
        private let include: TemporaryDirectory
        private let process: ChildProcess

        /// Who can do everything, to see what others can.
        static let observer = "test_observer"
        static let subject = "subject_phones"
        /// Of its topic.
        static let key = "0123456789abcdef0123456789abcdef"
        static let users = [
            observer, "s/b/1/g", "s/b/1/other", "consumer_matcher", "operator_desk", "analyst_reports", "s", subject,
        ]

        static func with<Result>(
            isolation: isolated (any Actor)? = #isolation, _ body: (Broker) async throws -> Result
        ) async throws -> Result {
            for _ in 0..<20 {
                guard let broker = try await Broker() else { continue }
                let result: Result
                do {
                    result = try await body(broker)
                } catch {
                    await broker.kill()
                    throw error
                }
                await broker.kill()
                return result
            }
            throw SystemError("start mosquitto on free ports", errorNumber: EADDRINUSE)
        }

        private init?() async throws {
            directory = try TemporaryDirectory()
            include = try TemporaryDirectory()
            port = UInt16.random(in: 20_000..<32_000)
            tlsPort = port + 1
            let (path, port, tlsPort) = (directory.path, port, tlsPort)
            func deployed(_ name: String) throws -> String {
                let bytes = try FileContents.read(Repository.root + "/deploy/mosquitto/" + name, limit: 100_000)
                return String(decoding: bytes, as: UTF8.self)
                    .replacing("/etc/mosquitto/certs", with: path).replacing("/etc/mosquitto", with: path)
                    .replacing("listener 1883 ", with: "listener \(port) ")
                    .replacing("listener 8883\n", with: "listener \(tlsPort) 127.0.0.1\n")
            }
            _ = try include.write("beacons.conf", deployed("beacons.conf"))
            _ = try directory.write(
                "beacons.acl", deployed("acl") + "\nuser \(Self.observer)\ntopic readwrite #\n")
            for (index, user) in Self.users.enumerated() {
                let made = try await ChildProcess.run(
                    "mosquitto_passwd",
                    ["-b"] + (index == 0 ? ["-c"] : []) + ["\(path)/beacons.passwd", user, "secret"])
                try #require(made.status == 0, "\(made.errorOutput)")
            }
            try await Self.makeCertificates(path)
            // The lines of Debian's own file that the others have to go with. Started by root, mosquitto would become a user
            // who can't read this directory.
            let main = try directory.write(
                "mosquitto.conf",
                "persistence true\npersistence_location \(path)/\ninclude_dir \(include.path)\nuser root\n")
            process = try ChildProcess("mosquitto", ["-v", "-c", main])
            var lines: [String] = []
            let isRunning = await process.errorOutput.first { line in
                lines.append(line)
                return line.contains("running")
            }
            if isRunning != nil { return }
            try #require(lines.contains { $0.contains("Address already in use") }, "\(lines)")
            return nil
        }

        /// An authority, and a certificate of the broker's.
        private static func makeCertificates(_ path: String) async throws {
            let result = try await ChildProcess.run(
                "sh",
                [
                    "-ec",
                    """
                    cd \(path)
                    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=authority -days 2 \
                      -keyout ca.key -out ca.crt
                    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost \
                      -keyout server.key -out server.csr
                    printf 'subjectAltName=DNS:localhost,IP:127.0.0.1' > names
                    openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names \
                      -out server.crt
                    """,
                ])
            try #require(result.status == 0, "\(result.errorOutput)")
        }

        func kill() async {
            process.send(signal: SIGKILL)
            _ = await process.exitStatus()
        }

        /// Publishes with QoS 1, as a client of MQTT 3.1.1 who isn't told what was refused.
        func publish(_ topic: String, as user: String, _ payload: String = "x") async throws {
            let result = try await run("mosquitto_pub", as: user, ["-q", "1", "-t", topic, "-m", payload])
            try #require(result.status == 0, "\(result.errorOutput)")
        }

        func run(
            _ program: String, as user: String, _ arguments: [String]
        ) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
            try await ChildProcess.run(
                program, ["-h", "127.0.0.1", "-p", "\(port)", "-u", user, "-P", "secret"] + arguments)
        }

        /// Subscribes; waits until the subscription holds. Lines are topics.
        func subscribe(_ filter: String, as user: String, format: String = "%t") async throws -> ChildProcess {
            let subscriber = try ChildProcess(
                "mosquitto_sub",
                [
                    "-h", "127.0.0.1", "-p", "\(port)", "-u", user, "-P", "secret", "-q", "1", "-t", filter, "-F",
                    format,
                ])
            _ = await process.errorOutput.first { $0.contains("Sending SUBACK") }
            return subscriber
        }
    }

    private static let own = "beacons/v1/s/b/1/g"
    private static let other = "beacons/v1/s/b/1/other"
    private static let suffixes = [
        "beacon/u/1/1/interaction", "beacon/u/1/1/presence", "module/m/state", "module/m/event", "status", "info",
        "health",
        "stored", "command/reset", "reply/reset", "readings", "beacon/u/1/1/social-distance",
    ]
    private static let topics =
        suffixes.flatMap { [own + "/" + $0, other + "/" + $0] }
        + [
            "beacons/v1/s/b/1/occupancy", "beacons/v1/s/b/1/occupancy/101", own, "beacons/v1/s",
            "beacons/v1/subject/k/exposure", "beacons/v1/subject/\(Broker.key)/exposure",
            "beacons/v1/s/b/1/g2/status", "beacons/v2/s/b/1/g/status",
            "homeassistant/x", "x", "beacons/v1/\(Broker.subject)/b/1/g/readings",
            "beacons/v1/\(Broker.key)/b/1/g/readings",
        ]

    private static let writers: [(String, [String])] = [
        ("s/b/1/g", suffixes.map { own + "/" + $0 } + [own]),
        ("s/b/1/other", suffixes.map { other + "/" + $0 } + [other]),
        (
            "consumer_matcher",
            [
                own + "/stored", other + "/stored", "beacons/v1/s/b/1/occupancy", "beacons/v1/s/b/1/occupancy/101",
                "beacons/v1/subject/k/exposure", "beacons/v1/subject/\(Broker.key)/exposure",
            ]
        ),
        // Nobody takes that for a gateway: no level of a topic has an underscore.
        (Broker.subject, ["beacons/v1/\(Broker.subject)/b/1/g/readings"]),
        ("operator_desk", [own + "/command/reset", other + "/command/reset"]), ("analyst_reports", []),
    ]

    @Test("Each may write what is theirs, and nothing else", arguments: writers)
    func writing(user: String, allowed: [String]) async throws {
        try await Broker.with { broker in
            let seen = try await broker.subscribe("#", as: Broker.observer)
            for topic in Self.topics { try await broker.publish(topic, as: user) }
            try await broker.publish("end", as: Broker.observer)
            var received: [String] = []
            while let topic = await seen.output.first(), topic != "end" { received.append(topic) }
            #expect(received == Self.topics.filter { allowed.contains($0) })
            seen.send(signal: SIGKILL)
            _ = await seen.exitStatus()
        }
    }

    private static let ours = topics.filter { $0.hasPrefix("beacons/v1/") }
    private static let analysts = ours.filter {
        !$0.hasPrefix("beacons/v1/subject/") && !$0.hasSuffix("/readings")
    }

    private static let operators: [String] =
        [own, other].flatMap { root in
            ["reply/reset", "status", "info", "health", "module/m/state", "module/m/event"].map { "\(root)/\($0)" }
        } + ["beacons/v1/s/b/1/g2/status"]
    private static let readers: [(String, [String])] = [
        ("s/b/1/g", [own + "/command/reset", own + "/stored"]), ("consumer_matcher", ours),
        ("analyst_reports", analysts), ("operator_desk", operators),
    ]

    @Test("Each may read what is theirs, and nothing else", arguments: readers)
    func reading(user: String, allowed: [String]) async throws {
        try await Broker.with { broker in
            let seen = try await broker.subscribe("#", as: user)
            for topic in Self.topics { try await broker.publish(topic, as: Broker.observer) }
            // The last one is another that is theirs, once more.
            let last = try #require(allowed.first)
            try await broker.publish(last, as: Broker.observer)
            var received: [String] = []
            while received.count(where: { $0 == last }) < 2, let topic = await seen.output.first() {
                received.append(topic)
            }
            #expect(received.dropLast().sorted() == Self.topics.filter { allowed.contains($0) }.sorted())
            seen.send(signal: SIGKILL)
            _ = await seen.exitStatus()
        }
    }

    @Test("A user with the name of a site owns it: why everybody but gateways has an underscore in their name")
    func underscore() async throws {
        try await Broker.with { broker in
            let seen = try await broker.subscribe("#", as: Broker.observer)
            try await broker.publish("beacons/v1/s/b/1/g/status", as: "s")
            #expect(await seen.output.first() == "beacons/v1/s/b/1/g/status")
            seen.send(signal: SIGKILL)
            _ = await seen.exitStatus()
        }
    }

    @Test("Who publishes what isn't theirs is told so by MQTT 5")
    func refusal() async throws {
        try await Broker.with { broker in
            let arguments = ["-V", "mqttv5", "-q", "1", "-m", "x", "-t"]
            let refused = try await broker.run("mosquitto_pub", as: "s/b/1/g", arguments + [Self.other + "/status"])
            #expect(refused.errorOutput.contains { $0.contains("Not authorized") }, "\(refused.errorOutput)")
            let taken = try await broker.run("mosquitto_pub", as: "s/b/1/g", arguments + [Self.own + "/status"])
            #expect(taken.errorOutput.isEmpty, "\(taken.errorOutput)")
        }
    }

    @Test("Nobody comes without a name, or with a wrong password")
    func strangers() async throws {
        try await Broker.with { broker in
            let anonymous = try await ChildProcess.run(
                "mosquitto_pub", ["-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "x", "-m", "x"])
            #expect(anonymous.status != 0)
            let wrong = try await ChildProcess.run(
                "mosquitto_pub",
                ["-h", "127.0.0.1", "-p", "\(broker.port)", "-u", "s/b/1/g", "-P", "wrong", "-t", "x", "-m", "x"])
            #expect(wrong.status != 0)
        }
    }

    @Test("The listener for the network speaks TLS, with a certificate that is checked")
    func encrypted() async throws {
        try await Broker.with { broker in
            func publish(_ arguments: [String]) async throws -> Int32 {
                try await ChildProcess.run(
                    "mosquitto_pub",
                    [
                        "-h", "localhost", "-p", "\(broker.tlsPort)", "-u", "s/b/1/g", "-P", "secret", "-q", "1", "-t",
                        Self.own + "/status", "-m", "x",
                    ] + arguments
                ).status
            }
            let trusted = try await publish(["--cafile", broker.directory.path + "/ca.crt"])
            let ofOthers = try await publish(["--cafile", "/etc/ssl/certs/ca-certificates.crt"])
            let plain = try await publish([])
            #expect(trusted == 0)
            #expect(ofOthers != 0)
            #expect(plain != 0)
        }
    }

    // The identifier of all matchers was known: a session that was taken over lost what waited in it.
    @Test("An analyst can't take the matcher's session, and what waits in it, while the matcher is away")
    func takenSession() async throws {
        try await Broker.with { broker in
            let configuration = try broker.directory.write(
                "matcher.toml",
                """
                [store]
                location = "\(broker.directory.path)/store.sqlite"
                [mqtt]
                host = "127.0.0.1"
                port = \(broker.port)
                username = "consumer_matcher"
                password-file = "\(try broker.directory.write("password", "secret"))"
                """)
            let stored = try await broker.subscribe(Self.own + "/stored", as: Broker.observer, format: "%p")
            func run() throws -> ChildProcess {
                try ChildProcess(BuiltProgram.path("beacon-matcher"), ["run", "--config", configuration])
            }
            let first = try run()
            #expect(await first.errorOutput.first { $0.contains(" storing") } != nil)
            try await broker.publish(
                Self.own + "/health", as: "s/b/1/g", #"{"outbox":{"oldest":{"boot":1,"sequence":1}}}"#)
            #expect(await stored.output.first { $0.contains(#""sequence":0"#) } != nil)
            first.send(signal: SIGTERM)
            #expect(await first.exitStatus() == 0)
            for sequence in 1...50 {
                try await broker.publish(
                    Self.own + "/beacon/u/1/1/interaction", as: "s/b/1/g",
                    #"{"data":{"boot":1,"sequence":\#(sequence),"place":{"site":"s","building":"b","floor":"1","gateway":"g"}}}"#
                )
            }
            for id in ["beacon-matcher", "beacon-matcher-notices"] {
                _ = try await broker.run(
                    "mosquitto_sub", as: "analyst_reports", ["-i", id, "-q", "1", "-t", "beacons/v1/#", "-E"])
            }
            let second = try run()
            #expect(await stored.output.first { $0.contains(#""sequence":50"#) } != nil)
            second.send(signal: SIGTERM)
            #expect(await second.exitStatus() == 0)
            stored.send(signal: SIGKILL)
            _ = await stored.exitStatus()
        }
    }

    @Test("A consumer that was away is given more than mosquitto keeps by default, and without one lost")
    func consumerWasAway() async throws {
        try await Broker.with { broker in
            let session = ["-c", "-i", "consumer", "-q", "1", "-t", "beacons/#"]
            // Subscribes and leaves.
            let first = try await broker.run("mosquitto_sub", as: "consumer_matcher", session + ["-E"])
            try #require(first.status == 0, "\(first.errorOutput)")
            let numbers = (1...3000).map { "\($0)" }
            let path = try broker.directory.write("numbers", numbers.map { $0 + "\n" }.joined())
            let published = try await ChildProcess.run(
                "sh",
                [
                    "-c",
                    "exec mosquitto_pub -h 127.0.0.1 -p \(broker.port) -u s/b/1/g -P secret -q 1 -t \(Self.own)/health -l < \(path)",
                ])
            try #require(published.status == 0, "\(published.errorOutput)")
            let received = try await broker.run("mosquitto_sub", as: "consumer_matcher", session + ["-C", "3000"])
            #expect(received.output == numbers)
        }
    }
}

import BeaconModel
import Glibc
import RecordContract
import SystemIO
import TestSupport
import TestValues
import Testing

/// The files in deploy/mosquitto, with the real mosquitto: as Debian includes them, with other paths and ports.
@Suite("deploy/mosquitto", .timeLimit(.minutes(10)))
struct DeployTests {
    /// A broker as somebody sets it up who follows the files.
    private final class Broker: Sendable {
        /// Whose listeners there are, each with users of its own.
        enum Listener: String, CaseIterable {
            case matchers
            case gateways
            case people
        }

        let directory: TemporaryDirectory
        private let include: TemporaryDirectory
        private let firstPort: UInt16
        private let process: ChildProcess

        /// Who can do everything, to see what others can.
        static let observer = "test_observer"
        /// Of a subject's topic.
        static let key = "0123456789abcdef0123456789abcdef"
        static let otherKey = "fedcba9876543210fedcba9876543210"
        static let analystOfAFloor = "analyst_floor"
        static let users: [(name: String, listener: Listener)] = [
            (analystOfAFloor, .people),
            (observer, .matchers), ("consumer_matcher", .matchers), ("s/b/1/g", .gateways), ("s/b/1/other", .gateways),
            ("operator_desk", .people), ("analyst_reports", .people), (key, .people),
            (otherKey, .people),
        ]

        static func with<Result>(
            memory: Int? = nil, isolation: isolated (any Actor)? = #isolation,
            _ body: (Broker) async throws -> Result
        ) async throws -> Result {
            for _ in 0..<20 {
                guard let broker = try await Broker(memory: memory) else { continue }
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

        /// How `users.py` is told of them.
        private static let kinds: [(kind: String, names: [String], more: [String])] = [
            ("matcher", [observer], ["--read", "#", "--write", "#"]), ("matcher", ["consumer_matcher"], []),
            ("gateway", ["s/b/1/g", "s/b/1/other"], []), ("operator", ["operator_desk"], []),
            ("analyst", ["analyst_reports"], []), ("subject", [key, otherKey], []),
            ("analyst", [analystOfAFloor], ["--below", "s/b/2", "--without", "interaction"]),
        ]

        /// Runs `users.py` on a file of its own.
        static func users(
            _ directory: String, _ arguments: [String]
        ) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
            try await ChildProcess.run(
                Repository.root + "/deploy/mosquitto/users.py",
                ["--file", directory + "/users.json", "--keep-owner"] + arguments)
        }

        /// - Parameter memory: a limit in bytes in place of that of the file.
        private init?(memory: Int?) async throws {
            directory = try TemporaryDirectory()
            include = try TemporaryDirectory()
            firstPort = UInt16.random(in: 20_000..<32_000)
            let (path, first) = (directory.path, firstPort)
            func deployed(_ name: String) throws -> String {
                let bytes = try FileContents.read(Repository.root + "/deploy/mosquitto/" + name, limit: 100_000)
                return String(decoding: bytes, as: UTF8.self)
                    .replacing("/etc/mosquitto/certs", with: path)
                    .replacing("/etc/mosquitto/beacons-users.json", with: path + "/users.json")
                    .replacing("\nlistener 1883 ", with: "\nlistener \(first) ")
                    .replacing("\nlistener 8883\n", with: "\nlistener \(first + 1) 127.0.0.1\n")
                    .replacing("\nlistener 8884\n", with: "\nlistener \(first + 2) 127.0.0.1\n")
            }
            var configuration = try deployed("beacons.conf")
            if let memory {
                configuration = configuration.replacing(
                    "\nmemory_limit 2000000000\n", with: "\nmemory_limit \(memory)\n")
            }
            _ = try include.write("beacons.conf", configuration)
            let password = try directory.write("secret", "secret\n")
            for (kind, names, more) in Self.kinds {
                let made = try await Self.users(
                    path, ["add", kind] + names + more + ["--password-file", password])
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

        /// What the broker has logged up to a line that has `text` in it.
        func log(until text: String) async -> [String] {
            var lines: [String] = []
            _ = await process.errorOutput.first { line in
                lines.append(line)
                return line.contains(text)
            }
            return lines
        }

        func port(of listener: Listener) -> UInt16 {
            switch listener {
            case .matchers: firstPort
            case .gateways: firstPort + 1
            case .people: firstPort + 2
            }
        }

        /// How a program reaches a listener.
        func address(of listener: Listener) -> [String] {
            ["-h", "127.0.0.1", "-p", "\(port(of: listener))"]
                + (listener == .matchers ? [] : ["--cafile", directory.path + "/ca.crt"])
        }

        /// How a program comes as a user, to the listener of that.
        func options(_ user: String) -> [String] {
            let listener = Self.users.first { $0.name == user }?.listener ?? .matchers
            return address(of: listener) + ["-u", user, "-P", "secret"]
        }

        /// Publishes with QoS 1, as a client of MQTT 3.1.1 who isn't told what was refused.
        func publish(_ topic: String, as user: String, _ payload: String = "x", isRetained: Bool = false) async throws {
            let result = try await run(
                "mosquitto_pub", as: user, ["-q", "1", "-t", topic, "-m", payload] + (isRetained ? ["-r"] : []))
            try #require(result.status == 0, "\(result.errorOutput)")
        }

        func run(
            _ program: String, as user: String, _ arguments: [String]
        ) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
            try await ChildProcess.run(program, options(user) + arguments)
        }

        /// Subscribes; waits until the subscription holds. Lines are topics.
        func subscribe(
            _ filter: String, as user: String, format: String = "%t", further: [String] = []
        ) async throws -> ChildProcess {
            let subscriber = try ChildProcess(
                "mosquitto_sub", options(user) + ["-q", "1", "-t", filter, "-F", format] + further)
            _ = await process.errorOutput.first { $0.contains("Sending SUBACK") }
            return subscriber
        }
    }

    private static let own = "beacons/v1/s/b/1/g"
    private static let other = "beacons/v1/s/b/1/other"

    /// A topic of each form, and whose it is where forms have one owner.
    private struct Topic: Sendable {
        let access: TopicAccess
        let text: String
        let isOwn: Bool

        init(_ access: TopicAccess, isOwn: Bool) {
            self.access = access
            self.isOwn = isOwn
            text = access.topic(
                prefix: "beacons",
                [
                    "site": "s", "building": "b", "floor": "1", "gateway": isOwn ? "g" : "other",
                    "key": isOwn ? Broker.key : Broker.otherKey, "uuid": "u", "major": "1", "minor": "1", "module": "m",
                    "command": "reset", "name": "reset", "room": isOwn ? "101" : "102",
                ])
        }

        func mayBeWritten(by role: TopicAccess.Role) -> Bool { access.mayPublish(role, isOwn: isOwn) }
        func mayBeRead(by role: TopicAccess.Role) -> Bool {
            access.mayRead(role, isOwn: isOwn, checksDelivery: true)
        }
    }

    private static let topics = TopicAccess.all.flatMap { access in
        [true, false].map { Topic(access, isOwn: $0) }
    }
    /// Whose form nothing of this system has.
    private static let strange: [String] =
        ["x", "beacon/u/1/1/x", "module/m/x", "stored/x", "reply/reset/x", "retained/1"].map { "\(own)/\($0)" }
        + [
            own, "beacons/v1/s", "beacons/v2/s/b/1/g/status", "beacons/v1/\(Broker.key)/b/1/g/x", "homeassistant/x",
            "espresense/devices/x/3060", "x",
        ]

    private static func user(_ role: TopicAccess.Role) -> String {
        switch role {
        case .gateway: "s/b/1/g"
        case .consumer: "consumer_matcher"
        case .operator: "operator_desk"
        case .analyst: "analyst_reports"
        case .subject: Broker.key
        }
    }

    /// What a role subscribes to.
    private static func filters(_ role: TopicAccess.Role) -> [String] {
        switch role {
        case .consumer, .analyst: ["beacons/v1/#"]
        case .gateway: [own + "/command/+", own + "/stored"]
        case .operator:
            ["reply/+", "status", "info", "health", "module/+/+"].map { "beacons/v1/+/+/+/+/" + $0 }
        case .subject: ["beacons/v1/subject/\(Broker.key)/exposure"]
        }
    }

    @Test("Each may write what is theirs, and nothing else", arguments: TopicAccess.Role.allCases)
    func writing(role: TopicAccess.Role) async throws {
        try await Broker.with { broker in
            let seen = try await broker.subscribe("#", as: Broker.observer)
            for topic in Self.topics.map(\.text) + Self.strange {
                try await broker.publish(topic, as: Self.user(role))
            }
            try await broker.publish("end", as: Broker.observer)
            var received: [String] = []
            while let topic = await seen.output.first(), topic != "end" { received.append(topic) }
            #expect(received == Self.topics.filter { $0.mayBeWritten(by: role) }.map(\.text))
            seen.send(signal: SIGKILL)
            _ = await seen.exitStatus()
        }
    }

    @Test("Each may read what is theirs, and nothing else", arguments: TopicAccess.Role.allCases)
    func reading(role: TopicAccess.Role) async throws {
        try await Broker.with { broker in
            let filters = Self.filters(role)
            let seen = try await broker.subscribe(
                filters[0], as: Self.user(role), further: filters.dropFirst().flatMap { ["-t", $0] })
            for topic in Self.topics { try await broker.publish(topic.text, as: Broker.observer) }
            let allowed = Self.topics.filter { $0.mayBeRead(by: role) }.map(\.text)
            // The last one is another that is theirs, once more.
            let last = try #require(allowed.first)
            try await broker.publish(last, as: Broker.observer)
            var received: [String] = []
            while received.count(where: { $0 == last }) < 2, let topic = await seen.output.first() {
                received.append(topic)
            }
            #expect(received.dropLast().sorted() == allowed.sorted())
            seen.send(signal: SIGKILL)
            _ = await seen.exitStatus()
        }
    }

    @Test("A subject that comes back reads what it was told meanwhile, which is retained, and not what others were")
    func retainedNotice() async throws {
        try await Broker.with { broker in
            for (key, text) in [(Broker.otherKey, "theirs"), (Broker.key, "mine")] {
                try await broker.publish(
                    "beacons/v1/subject/\(key)/exposure", as: "consumer_matcher", text, isRetained: true)
            }
            let seen = try await broker.subscribe(
                "beacons/v1/subject/\(Broker.key)/exposure", as: Broker.key, format: "%p")
            #expect(await seen.output.first() == "mine")
            try await broker.publish("beacons/v1/subject/\(Broker.otherKey)/exposure", as: "consumer_matcher", "theirs")
            try await broker.publish("beacons/v1/subject/\(Broker.key)/exposure", as: "consumer_matcher", "again")
            #expect(await seen.output.first() == "again")
            seen.send(signal: SIGKILL)
            _ = await seen.exitStatus()
        }
    }

    @Test(
        arguments: [
            ["gateway", "s"], ["gateway", "s/b/+/g"], ["gateway", "s/b//g"], ["subject", "analyst_reports"],
            ["analyst", "ann"], ["operator", Broker.key], ["matcher", "s/b/1/g"],
            ["analyst", "ann_1", "--prefix", "#"],
            ["analyst", "ann_1", "--below", "s/+"], ["gateway", "s/b/1/g", "--below", "s"],
        ])
    func `A name that would own others' topics is none`(arguments: [String]) async throws {
        let directory = try TemporaryDirectory()
        let result = try await Broker.users(directory.path, ["add"] + arguments)
        #expect(result.status == 64 && result.errorOutput.first?.hasPrefix("error: ") == true, "\(result)")
        #expect(try await Broker.users(directory.path, ["list"]).output == [])
    }

    @Test func `A user who is added again keeps the password, one who is removed is gone, and a damaged file stays`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let made = try await Broker.users(directory.path, ["add", "analyst", "ann_1", "ben_1"])
        #expect(made.output.map { $0.split(separator: " ").first } == ["ann_1", "ben_1"])
        #expect(try await Broker.users(directory.path, ["add", "operator", "ann_1"]).output == [])
        #expect(try await Broker.users(directory.path, ["remove", "ben_1"]).status == 0)
        #expect(try await Broker.users(directory.path, ["list"]).output == ["operator        ann_1"])
        let shown = try await Broker.users(directory.path, ["show", "ann_1"]).output
        #expect(shown.first == "publishes  beacons/v1/+/+/+/+/command/+")
        #expect(shown.contains("subscribes beacons/v1/+/+/+/+/reply/+") && shown.count == 6)
        #expect(try await Broker.users(directory.path, ["show", "ben_1"]).status == 64)
        #expect(try await Broker.users(directory.path, ["remove", "ben_1"]).status == 64)
        let path = try directory.write("users.json", "{")
        #expect(try await Broker.users(directory.path, ["add", "analyst", "ann_1"]).status == 65)
        #expect(try FileContents.read(path, limit: 10).count == 1)
    }

    @Test func `An analyst of a floor, without interactions, reads no other floor and no interactions`() async throws {
        try await Broker.with { broker in
            let seen = try await broker.subscribe("beacons/v1/s/b/2/#", as: Broker.analystOfAFloor)
            let floors = ["1", "2"].map { "beacons/v1/s/b/\($0)/g" }
            for root in floors {
                for topic in ["beacon/u/1/1/interaction", "readings", "status"] {
                    try await broker.publish(root + "/" + topic, as: Broker.observer)
                }
            }
            #expect(await seen.output.first() == floors[1] + "/status")
            seen.send(signal: SIGKILL)
            _ = await seen.exitStatus()
            let wider = try await broker.run(
                "mosquitto_sub", as: Broker.analystOfAFloor, ["-t", "beacons/v1/#", "-q", "1", "-E", "-d"])
            #expect(wider.output.contains { $0.hasSuffix("): 128") }, "\(wider)")
        }
    }

    @Test func `What isn't text, and a link in place of what is written, do no harm`() async throws {
        let directory = try TemporaryDirectory()
        let binary = directory.path + "/password"
        try FileContents.replace(binary, with: [0xFF, 0xFE, 0x0A])
        let add = ["add", "analyst", "ann_1"]
        #expect(try await Broker.users(directory.path, add + ["--password-file", binary]).status == 65)
        try FileContents.replace(binary, with: [0x61, 0, 0x62, 0x0A])
        #expect(try await Broker.users(directory.path, add + ["--password-file", binary]).status == 65)
        let victim = try directory.write("victim", "somebody else's")
        try #require(symlink(victim, directory.path + "/users.json.new") == 0)
        #expect(try await Broker.users(directory.path, add).status == 0)
        #expect(try FileContents.read(victim, limit: 100).count == 15)
        _ = try directory.write("users.json", String(repeating: "[", count: 100_000))
        #expect(try await Broker.users(directory.path, ["list"]).status == 65)
    }

    // An access list allows every subscription: 14,000 of 190 levels had filled the memory, and the broker ended.
    @Test(arguments: TopicAccess.Role.allCases.filter { $0 != .consumer })
    func `Nobody but a matcher may subscribe to other filters than there are`(role: TopicAccess.Role) async throws {
        try await Broker.with(memory: 10_000_000) { broker in
            let deep = Array(repeating: "a", count: 188).joined(separator: "/")
            let invented =
                ["#", "x", "$SYS/#", "$CONTROL/dynamic-security/v1", "$share/x/beacons/v1/#"]
                + Self.filters(role).map { $0.replacing("#", with: deep).replacing("+", with: "x") + "/y" }
            func maySubscribe(_ filters: [String]) async throws -> Bool {
                let options = filters.flatMap { ["-t", $0] } + ["-i", "probe", "-c", "-q", "1", "-E", "-d"]
                let result = try await broker.run("mosquitto_sub", as: Self.user(role), options)
                // "Subscribed (mid: 1): 1, 128", a number for each filter (MQTT 3.1.1, section 3.9.3).
                let answer = try #require(result.output.first { $0.hasPrefix("Subscribed ") }, "\(result)")
                return answer.split(separator: ": ").last?.split(separator: ", ").contains { $0 != "128" } ?? true
            }
            for filter in invented {
                let may = try await maySubscribe([filter])
                #expect(!may, "\(filter)")
            }
            // 200 a connection, of 142 kB each, would be three times the memory that there is.
            for _ in 0..<2 {
                let filters = (0..<100).map { "beacons/v1/\($0)/" + deep }
                let may = try await maySubscribe(filters)
                #expect(!may)
            }
            let may = try await maySubscribe(Self.filters(role))
            #expect(may)
        }
    }

    @Test("Nobody ends another's connection, or takes another's session, by its identifier")
    func takenIdentifier() async throws {
        try await Broker.with { broker in
            let command = Self.own + "/command/reset"
            let gateway = try await broker.subscribe(Self.own + "/command/+", as: "s/b/1/g", format: "%p")
            let matcher = try await broker.subscribe(
                command, as: "consumer_matcher", format: "%p", further: ["-i", "beacon-matcher-1"])
            for thief in ["s/b/1/other", "analyst_reports", "operator_desk", Broker.key] {
                for identifier in ["s/b/1/g", "beacon-matcher-1"] {
                    _ = try await broker.run(
                        "mosquitto_sub", as: thief, ["-i", identifier, "-c", "-q", "1", "-t", "x", "-E"])
                }
            }
            try await broker.publish(command, as: Broker.observer, "still here")
            #expect(await gateway.output.first() == "still here")
            #expect(await matcher.output.first() == "still here")
            try await broker.publish("end", as: Broker.observer)
            let log = await broker.log(until: "'end'")
            #expect(!log.contains { $0.contains("s/b/1/g already connected") || $0.contains("matcher-1 already") })
            for process in [gateway, matcher] {
                process.send(signal: SIGKILL)
                _ = await process.exitStatus()
            }
        }
    }

    @Test("At each listener a user but a matcher is known by its own name alone")
    func otherListener() async throws {
        try await Broker.with { broker in
            for (user, own) in Broker.users where own != .matchers {
                for identifier in [user, "beacon-matcher-1"] {
                    let result = try await ChildProcess.run(
                        "mosquitto_pub",
                        broker.address(of: .matchers)
                            + ["-u", user, "-P", "secret", "-i", identifier, "-q", "1", "-t", "x", "-m", "x"])
                    #expect((result.status == 0) == (identifier == user), "\(user) as \(identifier)")
                }
            }
        }
    }

    @Test("A message that no matcher takes isn't taken")
    func longMessage() async throws {
        try await Broker.with { broker in
            let seen = try await broker.subscribe("#", as: Broker.observer)
            for (length, topic) in [(265_000, "readings"), (262_000, "info")] {
                let path = try broker.directory.write("long", String(repeating: "x", count: length))
                let topic = Self.own + "/" + topic
                _ = try await broker.run("mosquitto_pub", as: "s/b/1/g", ["-q", "1", "-t", topic, "-f", path])
            }
            #expect(await seen.output.first() == Self.own + "/info")
            seen.send(signal: SIGKILL)
            _ = await seen.exitStatus()
        }
    }

    @Test("What a gateway retains ends at the limit of the memory, which isn't acknowledged")
    func memory() async throws {
        try await Broker.with(memory: 10_000_000) { broker in
            let path = try broker.directory.write("long", String(repeating: "x", count: 250_000))
            var taken = 0
            while taken < 80 {
                let topic = Self.own + "/beacon/u/1/\(taken)/presence"
                let result = try await broker.run(
                    "mosquitto_pub", as: "s/b/1/g", ["-V", "mqttv5", "-q", "1", "-r", "-t", topic, "-f", path])
                if result.status != 0 { break }
                taken += 1
            }
            #expect(taken > 0 && taken < 80, "\(taken)")
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
            for listener in Broker.Listener.allCases {
                let address = broker.address(of: listener)
                let anonymous = try await ChildProcess.run("mosquitto_pub", address + ["-t", "x", "-m", "x"])
                #expect(anonymous.status != 0)
                for (user, _) in Broker.users {
                    let wrong = try await ChildProcess.run(
                        "mosquitto_pub", address + ["-u", user, "-P", "wrong", "-t", "x", "-m", "x"])
                    #expect(wrong.status != 0)
                }
            }
        }
    }

    @Test(
        "The listeners for the network speak TLS, with a certificate that is checked",
        arguments: ["s/b/1/g", "analyst_reports"])
    func encrypted(user: String) async throws {
        try await Broker.with { broker in
            let port = broker.port(of: user.contains("/") ? .gateways : .people)
            func publish(_ arguments: [String]) async throws -> Int32 {
                try await ChildProcess.run(
                    "mosquitto_pub",
                    [
                        "-h", "localhost", "-p", "\(port)", "-u", user, "-P", "secret", "-q", "1",
                        "-t", Self.own + "/status", "-m", "x",
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

    // 1100 connections that said nothing had taken all the descriptors that the process has.
    @Test func `Whoever fills the people's listener keeps no gateway and no matcher out`() async throws {
        try await Broker.with { broker in
            var idle: [CInt] = []
            defer { for descriptor in idle { close(descriptor) } }
            func isLetIn(_ user: String) async throws -> Bool {
                try await broker.run("mosquitto_pub", as: user, ["-q", "1", "-t", "x", "-m", "y"]).status == 0
            }
            for _ in 0..<7 {
                for _ in 0..<50 { idle.append(try LoopbackSocket.connect(to: broker.port(of: .people))) }
                // The kernel keeps a hundred for mosquitto, which has taken those when it answers somebody else.
                _ = try await isLetIn("consumer_matcher")
            }
            let isFull = try await !isLetIn("analyst_reports")
            #expect(isFull)
            for user in ["s/b/1/g", "consumer_matcher"] {
                let isIn = try await isLetIn(user)
                #expect(isIn, "\(user)")
            }
        }
    }

    // With certificates the password file isn't asked, so taking a user out of it kept nobody out.
    @Test func `A gateway whose certificate was revoked isn't let in after a reload, and others are`() async throws {
        let (servers, gateways) = (try await TestCertificates(), try await TestCertificates())
        let (server, thief, honest) = (
            try await servers.server(), try await gateways.client("s-b-1-g"), try await gateways.client("s-b-2-g")
        )
        let ofServers = try await servers.client("person")
        let list = try await gateways.revocationList(of: [])
        let file = String(
            decoding: try FileContents.read(Repository.root + "/deploy/mosquitto/beacons.conf", limit: 100_000),
            as: UTF8.self)
        let lines = file.split(separator: "\n").compactMap { line -> String? in
            switch line.split(separator: " ").first {
            case "#require_certificate", "#use_identity_as_username": String(line.dropFirst())
            case "#cafile" where line.contains("gateways-ca"): "cafile \(gateways.authority)"
            case "#crlfile": "crlfile \(list)"
            default: nil
            }
        }
        #expect(lines.count == 4)
        let configuration = (lines + ["user root", "certfile \(server.certificate)", "keyfile \(server.key)"]).joined(
            separator: "\n")
        try await TestBroker.with(configuration: configuration) { broker in
            func isLetIn(_ pair: TestCertificates.Pair) async throws -> Bool {
                try await ChildProcess.run(
                    "mosquitto_pub",
                    [
                        "-h", "localhost", "-p", "\(broker.port)", "--cafile", servers.authority, "--cert",
                        pair.certificate, "--key", pair.key, "-q", "1", "-t", "x", "-m", "y",
                    ]
                ).status == 0
            }
            var letIn = [try await isLetIn(thief), try await isLetIn(honest), try await isLetIn(ofServers)]
            #expect(letIn == [true, true, false])
            _ = try await gateways.revocationList(of: [thief])
            await broker.reload()
            let isRefused = await eventually { (try? await isLetIn(thief)) == false }
            #expect(isRefused)
            letIn = [try await isLetIn(thief), try await isLetIn(honest)]
            #expect(letIn == [false, true])
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
                port = \(broker.port(of: .matchers))
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
            let session = ["-c", "-i", "consumer", "-q", "1", "-t", "beacons/v1/#"]
            // Subscribes and leaves.
            let first = try await broker.run("mosquitto_sub", as: "consumer_matcher", session + ["-E"])
            try #require(first.status == 0, "\(first.errorOutput)")
            let numbers = (1...3000).map { "\($0)" }
            let path = try broker.directory.write("numbers", numbers.map { $0 + "\n" }.joined())
            let options = broker.options("s/b/1/g").joined(separator: " ")
            let published = try await ChildProcess.run(
                "sh",
                [
                    "-c",
                    "exec mosquitto_pub \(options) -q 1 -t \(Self.own)/health -l < \(path)",
                ])
            try #require(published.status == 0, "\(published.errorOutput)")
            let received = try await broker.run("mosquitto_sub", as: "consumer_matcher", session + ["-C", "3000"])
            #expect(received.output == numbers)
        }
    }
}

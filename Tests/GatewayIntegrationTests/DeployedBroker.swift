import BeaconModel
import Glibc
import RecordContract
import SystemIO
import TestSupport
import TestValues
import Testing

/// The files in deploy/mosquitto, with the real mosquitto: as Debian includes them, with other paths and ports.
final class DeployedBroker: Sendable {
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
    /// Who was given the place of the subject with `key`.
    static let homeAssistant = "home_assistant"
    static let users: [(name: String, listener: Listener)] = [
        (analystOfAFloor, .people),
        (observer, .matchers), ("consumer_matcher", .matchers), ("s/b/1/g", .gateways), ("s/b/1/other", .gateways),
        ("operator_desk", .people), ("analyst_reports", .people), (key, .people),
        (otherKey, .people), (homeAssistant, .people),
    ]

    static func with<Result>(
        memory: Int? = nil, isolation: isolated (any Actor)? = #isolation,
        _ body: (DeployedBroker) async throws -> Result
    ) async throws -> Result {
        for _ in 0..<20 {
            guard let broker = try await DeployedBroker(memory: memory) else { continue }
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
        ("home-assistant", [homeAssistant], ["--read", places(of: key)]),
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

extension DeployedBroker {
    /// Topics of the gateway that tests are about, and of another one.
    static let own = "beacons/v1/s/b/1/g"
    static let other = "beacons/v1/s/b/1/other"

    /// Topics of a subject's place, on all floors.
    static func places(of key: String) -> String { "beacons/v1/+/+/+/subject/\(key)/location" }

    /// Who has a role.
    static func user(_ role: TopicAccess.Role) -> String {
        switch role {
        case .gateway: "s/b/1/g"
        case .consumer: "consumer_matcher"
        case .operator: "operator_desk"
        case .analyst: "analyst_reports"
        case .subject: key
        }
    }

    /// What a role subscribes to.
    static func filters(_ role: TopicAccess.Role) -> [String] {
        switch role {
        case .consumer, .analyst: ["beacons/v1/#"]
        case .gateway: [own + "/command/+", own + "/stored"]
        case .operator:
            ["reply/+", "status", "info", "health", "configuration", "module/+/+"].map { "beacons/v1/+/+/+/+/" + $0 }
        case .subject: ["beacons/v1/subject/\(key)/exposure"]
        }
    }
}

import BeaconModel
import Glibc
import OperatorText
import RecordContract
import SystemIO
import TestSupport
import Testing

@testable import Rollout

/// A broker, gateways with simulated radios, and the directory in git from which they are configured.
final class FleetFixture {
    static let uuid = "7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3"

    let directory: TemporaryDirectory
    let broker: TestBroker
    let gateways: [GatewayPath]
    /// The directory of the configurations.
    var repository: String { directory.path + "/gateways" }
    private var programs: [GatewayPath: ChildProcess] = [:]
    private let secret: [UInt8] = Array(0..<32)

    /// - Parameter count: number of gateways; ten on each floor.
    init(broker: TestBroker, gateways count: Int) throws {
        directory = try TemporaryDirectory()
        self.broker = broker
        gateways = (0..<count).compactMap { GatewayPath("s/b\($0 / 50)/\($0 / 10 % 5)/g\($0 % 10)") }
        _ = try directory.write("commands.key", secret)
        try makeDirectory(repository)
        try writeFile(
            "fleet.toml",
            """
            key-file = "\(directory.path)/commands.key"
            [broker]
            host = "127.0.0.1"
            port = \(broker.port)
            [apply]
            stages = ["gateway", "floor", "all"]
            at-once = \(max(10, count / 4))
            most-failures = \(count)

            """)
        try writeCommon(silence: "30s")
        for gateway in gateways { try writeFile("\(gateway).toml", "[place]\nroom = \"room of \(gateway.gateway)\"\n") }
    }

    func writeFile(_ path: String, _ text: String) throws {
        var parent = repository
        for level in path.split(separator: "/").dropLast() {
            parent += "/" + level
            try makeDirectory(parent)
        }
        try FileContents.replace(repository + "/" + path, with: Array(text.utf8))
    }

    func writeCommon(silence: String) throws {
        try writeFile(
            "common.toml",
            """
            [mqtt]
            host = "127.0.0.1"
            port = \(broker.port)
            [beacons]
            uuids = ["\(Self.uuid)"]
            [metrics]
            listen = "off"
            [interactions]
            silence = "\(silence)"
            update-interval = "2s"

            """)
    }

    private func makeDirectory(_ path: String) throws {
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
            throw SystemError("create \(path)", errorNumber: errno)
        }
    }

    /// Commits everything.
    func commit() async throws {
        let identity = ["-c", "user.name=Operator", "-c", "user.email=operator@example.org"]
        for arguments in [
            ["init", "-q"], ["add", "."], identity + ["commit", "-q", "--allow-empty", "-m", "change"],
        ] {
            let result = try await ChildProcess.run("git", ["-C", repository] + arguments)
            #expect(result.status == 0, "\(result.errorOutput)")
        }
    }

    /// Starts the gateways with their own files, and waits until each of them obeys commands.
    func start() async throws {
        let states = try await broker.subscribe(to: "beacons/v1/+/+/+/+/configuration")
        let key = try #require(SiteKey(secret: secret))
        for gateway in gateways {
            let name = gateway.levels.joined(separator: "-")
            let state = directory.path + "/" + name
            try makeDirectory(state)
            _ = try directory.write("\(name)/commands.key", key.commandKey(gateway.description).hexadecimal + "\n")
            let file = try directory.write(
                "\(name)/gateway.toml",
                """
                local-socket = "off"
                [place]
                site = "\(gateway.site)"
                building = "\(gateway.building)"
                floor = "\(gateway.floor)"
                gateway = "\(gateway.gateway)"
                [mqtt]
                host = "127.0.0.1"
                port = \(broker.port)
                [beacons]
                uuids = ["\(Self.uuid)"]
                [commands]
                key-file = "commands.key"
                [state]
                directory = "\(state)"
                [metrics]
                listen = "off"
                [interactions]
                update-interval = "2s"

                """)
            programs[gateway] = try ChildProcess(
                BuiltProgram.path("beacon-gateway"), ["run", "--config", file, "--simulated-reports", "2"])
        }
        var waiting = Set(gateways)
        while !waiting.isEmpty, let line = await states.first() {
            if let (gateway, state) = Self.state(line), state.works { waiting.remove(gateway) }
        }
        // A run obeys what was signed more than 5 s after its start.
        try await Task.sleep(for: .seconds(6))
    }

    /// Ends the gateways in an orderly way.
    func stop() async {
        for program in programs.values { program.send(signal: SIGTERM) }
        for (gateway, program) in programs {
            let status = await program.exitStatus()
            #expect(status == 0, "\(gateway)")
        }
        programs = [:]
    }

    func isRunning(_ gateway: GatewayPath) -> Bool {
        programs[gateway].map { ChildProcess.isRunning($0.identifier) } ?? false
    }

    /// Resident memory of each gateway in kB.
    var residentKilobytes: [Int] {
        programs.values.compactMap { program in
            let bytes = try? FileContents.read("/proc/\(program.identifier)/status", limit: 65_536)
            return bytes.flatMap {
                String(decoding: $0, as: UTF8.self).firstMatch(of: #/VmRSS:\s+(\d+)/#).flatMap { Int($0.1) }
            }
        }
    }

    /// Runs `beacon-gateway fleet`.
    func fleet(_ arguments: String...) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
        try await ChildProcess.run(
            BuiltProgram.path("beacon-gateway"), ["fleet", arguments[0], repository] + arguments.dropFirst())
    }

    /// What the gateways say of their configurations now, as the broker keeps it.
    func states() async throws -> [GatewayPath: RolloutState] {
        let result = try await fleet("status", "--json")
        let document = try JSON.decode(Fleet.self, from: Array((result.output.first ?? "").utf8))
        return Dictionary(
            document.gateways.compactMap { row in
                GatewayPath(row.gateway).flatMap { path in row.configuration.map { (path, $0) } }
            }, uniquingKeysWith: { $1 })
    }

    private struct Fleet: Decodable {
        struct Row: Decodable {
            var gateway: String
            var configuration: RolloutState?
        }

        var gateways: [Row]
    }

    /// Reads a line of a subscription.
    static func state(_ line: String) -> (GatewayPath, RolloutState)? {
        let words = line.split(separator: " ", maxSplits: 3)
        guard words.count == 4, words[2].hasSuffix("/configuration"), let state = RolloutState(Array(words[3].utf8)),
            let gateway = GatewayPath(words[2].split(separator: "/").dropFirst(2).prefix(4).map(String.init))
        else { return nil }
        return (gateway, state)
    }
}

import BeaconModel
import Glibc
import SystemIO

/// rabbitmq-server with rabbitmq_mqtt, one or a cluster of three whose sessions are quorum queues, on free ports of the
/// loopback interface and with an epmd of their own. Runs as whoever runs the tests; an installed service isn't touched.
package actor TestRabbitMQ {
    /// Where the nodes speak MQTT.
    package nonisolated let ports: [UInt16]
    private let directory: TemporaryDirectory
    private let epmdPort: UInt16
    private let nodePorts: [UInt16]
    private let takesAnybody: Bool
    private var epmd: ChildProcess?
    private var processes: [ChildProcess?]

    private static let programs = "/usr/lib/rabbitmq/bin"
    private static let program = programs + "/rabbitmq-server"

    package static var isInstalled: Bool { ChildProcess.exists(program) && ChildProcess.exists("epmd") }

    /// Runs `body` with nodes that take messages, and ends them afterwards. Takes 10 to 60 s.
    ///
    /// - Parameters:
    ///   - lines: more for the rabbitmq.conf of each.
    ///   - configuration: whom they let in, by the port where a node speaks MQTT, in place of anybody without a name.
    package static func with<Result>(
        nodes count: Int = 1, lines: String = "", configuration: (@Sendable (UInt16) -> String)? = nil,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (TestRabbitMQ) async throws -> Result
    ) async throws -> Result {
        let nodes = try await LoopbackSocket.withFreePorts(3 * count + 1) { ports in
            let nodes = try TestRabbitMQ(count, lines: lines, configuration: configuration, free: ports)
            do {
                try await nodes.startAll()
                return nodes
            } catch {
                await nodes.end()
                throw error
            }
        }
        do {
            let result = try await body(nodes)
            await nodes.end()
            return result
        } catch {
            await nodes.end()
            throw error
        }
    }

    private init(
        _ count: Int, lines: String, configuration: (@Sendable (UInt16) -> String)?, free: [UInt16]
    ) throws {
        takesAnybody = configuration == nil
        ports = Array(free[0..<count])
        nodePorts = Array(free[count..<2 * count])
        epmdPort = free[3 * count]
        directory = try TemporaryDirectory()
        processes = Array(repeating: nil, count: count)
        _ = try directory.write("plugins", "[rabbitmq_mqtt].\n")
        let members = (0..<count).map { "cluster_formation.classic_config.nodes.\($0 + 1) = r\($0)@localhost" }
        for index in 0..<count {
            let anybody = """
                listeners.tcp.1 = 127.0.0.1:\(free[2 * count + index])
                mqtt.listeners.tcp.1 = 127.0.0.1:\(ports[index])
                mqtt.allow_anonymous = true
                """
            _ = try directory.write(
                "r\(index).conf",
                """
                \(configuration?(ports[index]) ?? anybody)
                mqtt.durable_queue_type = \(count > 1 ? "quorum" : "classic")
                log.console = true
                log.file = false
                cluster_formation.peer_discovery_backend = classic_config
                \(members.joined(separator: "\n"))
                \(lines)

                """)
        }
        // The nodes of a cluster know each other by it.
        let cookie = try directory.write(".erlang.cookie", "beacon-gateway-test")
        chmod(cookie, 0o400)
    }

    private func startAll() async throws {
        // It says what it waits for when it is asked twice to say what it does.
        let epmd = try ChildProcess("epmd", ["-d", "-d", "-port", "\(epmdPort)", "-address", "127.0.0.1"])
        self.epmd = epmd
        try await epmd.errorOutput.waitUntilReady("epmd", saying: "entering the main select() loop")
        // One after the other: of nodes that start at the same time one may fail to join those that keep MQTT's client
        // identifiers, and then takes no clients.
        for (index, port) in ports.enumerated() {
            try await start(index)
            if takesAnybody { try await MQTTReadiness.wait(port: port, within: .seconds(60)) }
        }
    }

    /// Kills one as a power cut would.
    package func crash(_ index: Int) async {
        guard let process = processes[index] else { return }
        process.send(signal: SIGKILL)
        _ = await process.exitStatus()
        processes[index] = nil
    }

    /// Starts one again, with what it had stored.
    package func start(_ index: Int) async throws {
        try launch(index)
        try await waitUntilStarted(index)
    }

    private func launch(_ index: Int) throws {
        let path = directory.path
        var environment = self.environment(index)
        environment.merge([
            "RABBITMQ_DIST_PORT": "\(nodePorts[index])", "RABBITMQ_MNESIA_BASE": "\(path)/r\(index)",
            "RABBITMQ_LOG_BASE": "\(path)/log\(index)", "RABBITMQ_LOGS": "-",
            "RABBITMQ_CONFIG_FILE": "\(path)/r\(index).conf", "RABBITMQ_ENABLED_PLUGINS_FILE": "\(path)/plugins",
            "RABBITMQ_PID_FILE": "\(path)/r\(index).pid",
            // The script becomes the node, so that a signal reaches it.
            "RUNNING_UNDER_SYSTEMD": "true",
        ]) { $1 }
        processes[index] = try ChildProcess(Self.program, [], environment: environment)
    }

    /// Which node a program talks to.
    private func environment(_ index: Int) -> [String: String] {
        [
            "HOME": directory.path, "ERL_EPMD_PORT": "\(epmdPort)", "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_CONF_ENV_FILE": "/dev/null", "RABBITMQ_NODENAME": "r\(index)@localhost",
        ]
    }

    /// Runs a shell or script that calls `rabbitmqctl` for the first node.
    ///
    /// - Throws: `SystemError` when it fails.
    package func administer(_ program: String, _ arguments: [String]) async throws {
        // The one that a package puts on the path changes to another user.
        let environment = environment(0).merging(["PATH": Self.programs + ":/usr/sbin:/usr/bin:/sbin:/bin"]) { $1 }
        let status = try await ChildProcess.run(program, arguments, environment: environment).status
        guard status == 0 else { throw SystemError("run \(program) \(arguments)", errorNumber: ECHILD) }
    }

    private func waitUntilStarted(_ index: Int) async throws {
        try await processes[index]?.output.waitUntilReady("rabbitmq-server", saying: "Server startup complete")
    }

    private func end() async {
        for index in processes.indices { await crash(index) }
        epmd?.send(signal: SIGKILL)
        _ = await epmd?.exitStatus()
    }
}

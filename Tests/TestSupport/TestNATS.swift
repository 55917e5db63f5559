import Glibc
import SystemIO

/// nats-server with JetStream and its MQTT, one or a cluster of three, on free ports of the loopback interface.
package actor TestNATS {
    /// Where the servers speak MQTT.
    package nonisolated let ports: [UInt16]
    /// Where they speak their own protocol.
    package nonisolated let clientPorts: [UInt16]
    private nonisolated let monitorPorts: [UInt16]
    private let directory: TemporaryDirectory
    private var processes: [ChildProcess?]

    package static var isInstalled: Bool { ChildProcess.exists("nats-server") }

    /// Runs `body` with servers that take messages, and ends them afterwards.
    ///
    /// - Parameters:
    ///   - lines: more for the configuration of each.
    ///   - storage: what JetStream keeps at most, as NATS writes it.
    package static func with<Result>(
        servers count: Int = 1, lines: String = "", storage: String = "1GB",
        isolation: isolated (any Actor)? = #isolation,
        _ body: (TestNATS) async throws -> Result
    ) async throws -> Result {
        let servers = try await LoopbackSocket.withFreePorts(4 * count) { ports in
            let servers = try TestNATS(count, lines: lines, storage: storage, free: ports)
            do {
                for index in 0..<count { try await servers.start(index) }
                return servers
            } catch {
                await servers.end()
                throw error
            }
        }
        do {
            try await servers.waitUntilItTakesMessages()
            let result = try await body(servers)
            await servers.end()
            return result
        } catch {
            await servers.end()
            throw error
        }
    }

    private init(_ count: Int, lines: String, storage: String, free: [UInt16]) throws {
        ports = Array(free[0..<count])
        monitorPorts = Array(free[count..<2 * count])
        clientPorts = Array(free[2 * count..<3 * count])
        let routes = free[3 * count..<4 * count]
        directory = try TemporaryDirectory()
        processes = Array(repeating: nil, count: count)
        for (index, (client, route)) in zip(clientPorts, routes).enumerated() {
            let cluster = """
                cluster {
                    name: test
                    listen: "127.0.0.1:\(route)"
                    routes: [\(routes.filter { $0 != route }.map { "\"nats://127.0.0.1:\($0)\"" }.joined(separator: ", "))]
                }
                """
            _ = try directory.write(
                "n\(index).conf",
                """
                server_name: n\(index)
                listen: "127.0.0.1:\(client)"
                http: "127.0.0.1:\(monitorPorts[index])"
                jetstream { store_dir: "\(directory.path)/n\(index)", max_file: \(storage) }
                mqtt { listen: "127.0.0.1:\(ports[index])" }
                \(count > 1 ? cluster : "")
                \(lines)
                """)
        }
    }

    /// Kills one as a power cut would.
    package func crash(_ index: Int) async {
        guard let process = processes[index] else { return }
        process.send(signal: SIGKILL)
        _ = await process.exitStatus()
        processes[index] = nil
    }

    /// Starts one (again), with what it had stored.
    package func start(_ index: Int) async throws {
        let process = try ChildProcess("nats-server", ["-c", "\(directory.path)/n\(index).conf"])
        processes[index] = process
        // The line that comes last.
        try await process.errorOutput.waitUntilReady(
            "nats-server", saying: processes.count > 1 ? "Listening for route connections" : "Server is ready")
    }

    /// Which server leads the stream that holds the messages of QoS 1; `nil` while there is none.
    package func leader() async throws -> Int? {
        for (port, process) in zip(monitorPorts, processes) where process != nil {
            let (_, output, _) = try await ChildProcess.run(
                "curl", ["-s", "-m", "5", "http://127.0.0.1:\(port)/jsz?accounts=1&streams=1"])
            let text = output.joined().filter { $0 != " " }
            guard let stream = text.firstRange(of: "\"name\":\"$MQTT_msgs\"") else { continue }
            guard let leader = text[stream.upperBound...].firstRange(of: "\"leader\":\"n") else { continue }
            return text[leader.upperBound...].first?.wholeNumberValue
        }
        return nil
    }

    /// A cluster answers clients before it has elected those who keep the messages.
    private func waitUntilItTakesMessages() async throws {
        for port in ports { try await MQTTReadiness.wait(port: port, within: .seconds(60)) }
    }

    private func end() async { for index in processes.indices { await crash(index) } }
}

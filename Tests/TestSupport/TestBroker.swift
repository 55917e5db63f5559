import Glibc
import SystemIO

/// A real mosquitto on a free port of the loopback interface.
public actor TestBroker {
    public nonisolated let port: UInt16
    private let process: ChildProcess
    private let directory: TemporaryDirectory
    private var subscribers: [ChildProcess] = []

    /// Runs `body` with a broker; ends it and its subscribers afterwards.
    ///
    /// - Parameters:
    ///   - port: the port of a broker that was here before; a free one if none is given.
    ///   - configuration: lines for mosquitto.conf beside the listener.
    public static func with<Result>(
        port: UInt16? = nil, configuration: String = "allow_anonymous true",
        isolation: isolated (any Actor)? = #isolation, _ body: (TestBroker) async throws -> Result
    ) async throws -> Result {
        let broker = try await start(port: port, configuration: configuration)
        do {
            let result = try await body(broker)
            await broker.kill()
            return result
        } catch {
            await broker.kill()
            throw error
        }
    }

    private static func start(port: UInt16?, configuration: String) async throws -> TestBroker {
        for _ in 0..<20 {
            let candidate = port ?? UInt16.random(in: 20_000..<32_000)
            let directory = try TemporaryDirectory()
            let path = try directory.write(
                "mosquitto.conf", "listener \(candidate) 127.0.0.1\nset_tcp_nodelay true\n\(configuration)\n")
            let process = try ChildProcess("mosquitto", ["-v", "-c", path])
            // It says so once it listens, and ends when the port is taken.
            if await process.errorOutput.first(where: { $0.contains("running") }) != nil {
                return TestBroker(port: candidate, process: process, directory: directory)
            }
        }
        throw SystemError("start mosquitto on a free port", errorNumber: EADDRINUSE)
    }

    private init(port: UInt16, process: ChildProcess, directory: TemporaryDirectory) {
        self.port = port
        self.process = process
        self.directory = directory
    }

    /// Kills it as a power cut would, and the subscribers with it.
    public func kill() async {
        for process in [process] + subscribers {
            process.send(signal: SIGKILL)
            _ = await process.exitStatus()
        }
        subscribers = []
    }

    /// Stops answering, as a broker does that is overloaded.
    public func pause() { process.send(signal: SIGSTOP) }

    /// Goes on where it was paused.
    public func resume() { process.send(signal: SIGCONT) }

    /// Subscribes as an analyst would, with `mosquitto_sub`; waits until the subscription holds.
    ///
    /// The lines are: 0 or 1 for retained, QoS, topic, payload, with a space between.
    ///
    /// - Parameters:
    ///   - session: the name of a session that the broker keeps while the subscriber is away.
    ///   - format: of other lines, as `mosquitto_sub` has it; it may name properties of MQTT 5.
    public func subscribe(
        to filter: String, session: String? = nil, format: String = "%r %q %t %p"
    ) async throws -> LineStream {
        let subscriber = try ChildProcess(
            "mosquitto_sub",
            ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", filter, "-F", format]
                + (format.contains("%D") ? ["-V", "5"] : [])
                + (session.map { ["-c", "-i", $0] } ?? []))
        subscribers.append(subscriber)
        _ = await process.errorOutput.first { $0.contains("Sending SUBACK") }
        return subscriber.output
    }
}

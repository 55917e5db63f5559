import BeaconModel
import Glibc
import SystemIO

/// A real mosquitto on a free port of the loopback interface.
package actor TestBroker {
    package nonisolated let port: UInt16
    private var process: ChildProcess
    private let configurationPath: String
    private let directory: TemporaryDirectory
    private var subscribers: [ChildProcess] = []

    /// Runs `body` with a broker; ends it and its subscribers afterwards.
    ///
    /// - Parameters:
    ///   - port: the port of a broker that was here before; a free one if none is given.
    ///   - configuration: lines for mosquitto.conf beside the listener, which they may go on describing.
    ///     Without any, everybody is let in, and nothing is dropped for a slow subscriber: by default mosquitto drops what
    ///     is beyond 1000 messages.
    package static func with<Result>(
        port: UInt16? = nil, configuration: String = "allow_anonymous true\nmax_queued_messages 0",
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

    /// Lines for a broker that keeps sessions and messages in `directory`, and loses as little as mosquitto can.
    package static func keeping(in directory: String, autosave: Int = 1) -> String {
        """
        allow_anonymous true
        user root
        max_queued_messages 0
        max_inflight_messages 100
        persistence true
        persistence_location \(directory)/
        autosave_interval \(autosave)
        """
    }

    private static func start(port: UInt16?, configuration: String) async throws -> TestBroker {
        try await LoopbackSocket.withFreePorts(1) { free in
            let port = port ?? free[0]
            let directory = try TemporaryDirectory()
            let path = try directory.write(
                "mosquitto.conf", "listener \(port) 127.0.0.1\nset_tcp_nodelay true\n\(configuration)\n")
            let process = try ChildProcess("mosquitto", ["-v", "-c", path])
            try await process.errorOutput.waitUntilReady("mosquitto", saying: "running")
            return TestBroker(port: port, process: process, path: path, directory: directory)
        }
    }

    private init(port: UInt16, process: ChildProcess, path: String, directory: TemporaryDirectory) {
        self.port = port
        self.process = process
        configurationPath = path
        self.directory = directory
    }

    /// Kills it as a power cut would, and the subscribers with it.
    package func kill() async {
        for process in [process] + subscribers {
            process.send(signal: SIGKILL)
            _ = await process.exitStatus()
        }
        subscribers = []
    }

    /// Kills it as a power cut would; its subscribers live and connect again by themselves.
    package func crash() async {
        process.send(signal: SIGKILL)
        _ = await process.exitStatus()
    }

    /// Ends it in an orderly way; its subscribers live.
    package func stop() async {
        process.send(signal: SIGTERM)
        _ = await process.exitStatus()
    }

    /// Starts it again on its port, with its configuration, after `kill`, `crash` or `stop`.
    ///
    /// - Parameter configuration: other lines than before.
    package func restart(configuration: String? = nil) async throws {
        var path = configurationPath
        if let configuration {
            path = try directory.write(
                "mosquitto.conf.again", "listener \(port) 127.0.0.1\nset_tcp_nodelay true\n\(configuration)\n")
        }
        process = try ChildProcess("mosquitto", ["-v", "-c", path])
        try await process.errorOutput.waitUntilReady("mosquitto", saying: "running")
    }

    /// Makes it read passwords, access list and certificates again.
    package func reload() { process.send(signal: SIGHUP) }

    /// The next line of its log that has all of `texts`; those before it are dropped.
    package func log(containing texts: String...) async -> String? {
        await process.errorOutput.first { line in texts.allSatisfy { line.contains($0) } }
    }

    /// Stops answering, as a broker does that is overloaded.
    package func pause() { process.send(signal: SIGSTOP) }

    /// Goes on where it was paused.
    package func resume() { process.send(signal: SIGCONT) }

    /// Subscribes as an analyst would, with `mosquitto_sub`; waits until the subscription holds.
    ///
    /// The lines are: 0 or 1 for retained, QoS, topic, payload, with a space between.
    ///
    /// - Parameters:
    ///   - session: the name of a session that the broker keeps while the subscriber is away.
    ///   - asPublished: whether "retained" says how a message was published, and not whether it was there before.
    ///   - user: name and password.
    ///   - format: of other lines, as `mosquitto_sub` has it; it may name properties of MQTT 5.
    package func subscribe(
        to filter: String, session: String? = nil, asPublished: Bool = false,
        as user: (name: String, password: String)? = nil, format: String = "%r %q %t %p"
    ) async throws -> LineStream {
        let name = session ?? "subscriber-\(subscribers.count)"
        let subscriber = try ChildProcess(
            "mosquitto_sub",
            ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", filter, "-F", format, "-i", name]
                + (session == nil ? [] : ["-c"])
                + (asPublished || ["%D", "%E"].contains(where: format.contains) ? ["-V", "mqttv5"] : [])
                + (asPublished ? ["--retain-as-published"] : [])
                + (user.map { ["-u", $0.name, "-P", $0.password] } ?? []))
        subscribers.append(subscriber)
        _ = await process.errorOutput.first { $0.contains("Sending SUBACK to \(name)") }
        return subscriber.output
    }

    /// Waits until the broker has confirmed another subscription, whoever's.
    package func confirmSubscription() async {
        _ = await process.errorOutput.first { $0.contains("Sending SUBACK") }
    }

    /// Publishes with `mosquitto_pub`, QoS 1; waits until the broker has it.
    package func publish(
        _ topic: String, _ payload: String, isRetained: Bool = false, as user: (name: String, password: String)? = nil
    ) async throws {
        let result = try await ChildProcess.run(
            "mosquitto_pub",
            ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", topic, "-m", payload] + (isRetained ? ["-r"] : [])
                + (user.map { ["-u", $0.name, "-P", $0.password] } ?? []))
        guard result.status == 0 else {
            throw SystemError("publish: \(result.errorOutput)", errorNumber: ECONNREFUSED)
        }
    }
}

import BeaconModel
import Glibc
import SystemIO

/// `mosquitto_sub` at any broker, for MQTT 3.1.1: what a consumer has received, line by line.
package final class TestSubscriber: Sendable {
    /// What it has received, topic and payload with a space between, and the program's own reports.
    package let lines: Lines
    private let process: ChildProcess

    /// Connects and waits until the broker has confirmed the subscription.
    ///
    /// - Parameters:
    ///   - session: the name of a session that the broker keeps while the subscriber is away.
    ///   - options: more for `mosquitto_sub`.
    package init(
        port: UInt16, filter: String, session: String? = nil, options: [String] = [],
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        process = try ChildProcess(
            // Its reports aren't flushed into a pipe otherwise.
            "stdbuf",
            [
                "-oL", ChildProcess.find("mosquitto_sub"), "-h", "127.0.0.1", "-p", "\(port)", "-V", "mqttv311", "-q",
                "1", "-d", "-t",
                filter, "-F", "%t %p", "-k", "5",
            ] + (session.map { ["-c", "-i", $0] } ?? []) + options)
        lines = Lines(stream: process.output)
        guard await process.output.first(where: { $0.hasPrefix("Subscribed ") }) != nil else {
            throw SystemError("subscribe at port \(port)", errorNumber: ECONNREFUSED)
        }
    }

    /// Goes away without a word; a session stays.
    package func end() async {
        process.send(signal: SIGKILL)
        _ = await process.exitStatus()
    }

    /// Goes away with a word; a session stays.
    package func disconnect() async {
        process.send(signal: SIGINT)
        // The signal handler of mosquitto_sub takes locks, and waits for ever when its own thread holds one.
        let watch = Task { [process] in
            try await Task.sleep(for: .seconds(10))
            process.send(signal: SIGKILL)
        }
        _ = await process.exitStatus()
        watch.cancel()
    }

    package struct Lines: Sendable {
        fileprivate let stream: LineStream

        /// The next message that fulfils `condition`; those before it are dropped.
        package func first(where condition: (String) -> Bool = { _ in true }) async -> String? {
            await stream.first { TestSubscriber.isMessage($0) && condition($0) }
        }

        /// All messages until the subscriber is gone.
        package var messages: AsyncFilterSequence<AsyncStream<String>> { stream.lines.filter(TestSubscriber.isMessage) }
    }

    private static func isMessage(_ line: String) -> Bool {
        !line.hasPrefix("Client ") && !line.hasPrefix("Subscribed ")
    }
}

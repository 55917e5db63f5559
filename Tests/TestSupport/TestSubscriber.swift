import Glibc
import SystemIO

/// `mosquitto_sub` at any broker, for MQTT 3.1.1: what a consumer has received, line by line.
public final class TestSubscriber: Sendable {
    /// Topic and payload, with a space between. The program's own reports are among them and begin with `Client` or
    /// `Subscribed`.
    public let lines: LineStream
    private let process: ChildProcess

    /// Connects and waits until the broker has confirmed the subscription.
    ///
    /// - Parameter session: the name of a session that the broker keeps while the subscriber is away.
    public init(port: UInt16, filter: String, session: String? = nil, isolation: isolated (any Actor)? = #isolation)
        async throws
    {
        process = try ChildProcess(
            // Its reports aren't flushed into a pipe otherwise.
            "stdbuf",
            [
                "-oL", ChildProcess.find("mosquitto_sub"), "-h", "127.0.0.1", "-p", "\(port)", "-V", "mqttv311", "-q",
                "1", "-d", "-t",
                filter, "-F", "%t %p", "-k", "5",
            ] + (session.map { ["-c", "-i", $0] } ?? []))
        lines = process.output
        guard await lines.first(where: { $0.hasPrefix("Subscribed ") }) != nil else {
            throw SystemError("subscribe at port \(port)", errorNumber: ECONNREFUSED)
        }
    }

    /// Goes away without a word; a session stays.
    public func end() async {
        process.send(signal: SIGKILL)
        _ = await process.exitStatus()
    }

    /// Goes away with a word; a session stays.
    public func disconnect() async {
        process.send(signal: SIGINT)
        _ = await process.exitStatus()
    }

    /// Whether a line is a message.
    public static func isMessage(_ line: String) -> Bool {
        !line.hasPrefix("Client ") && !line.hasPrefix("Subscribed ")
    }
}

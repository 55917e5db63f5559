import BeaconModel
import Glibc
import SystemIO

/// Whether a broker takes messages: many listen before they can.
package enum MQTTReadiness {
    /// Waits until a message of QoS 1 was acknowledged.
    package static func wait(port: UInt16, within limit: Duration) async throws {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            let (status, _, _) = try await ChildProcess.run(
                "timeout",
                [
                    "5", ChildProcess.find("mosquitto_pub"), "-h", "127.0.0.1", "-p", "\(port)", "-V", "mqttv311",
                    "-q", "1", "-t", "readiness", "-m", "?",
                ])
            if status == 0 { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw SystemError("wait for the broker on port \(port)", errorNumber: ETIMEDOUT)
    }
}

import BeaconModel
import Glibc
import SystemIO
import TestSupport

/// A real dbus-daemon on a socket of its own.
final class TestBus: Sendable {
    let address: String
    private let process: ChildProcess
    private let directory: TemporaryDirectory

    /// - Parameter allowsCalls: whether programs may call each other.
    init(allowsCalls: Bool = true) async throws {
        directory = try TemporaryDirectory()
        address = "unix:path=\(directory.path)/bus"
        let path = try directory.write(
            "bus.conf",
            """
            <busconfig>
              <type>system</type>
              <listen>\(address)</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow user="*"/>
                <allow own="*"/>
                <allow send_type="signal"/>
                <\(allowsCalls ? "allow" : "deny") send_type="method_call"/>
                <allow send_destination="org.freedesktop.DBus"/>
                <allow send_requested_reply="true" send_type="method_return"/>
                <allow send_requested_reply="true" send_type="error"/>
                <allow receive_type="method_call"/>
                <allow receive_type="method_return"/>
                <allow receive_type="error"/>
                <allow receive_type="signal"/>
              </policy>
            </busconfig>
            """)
        process = try ChildProcess(
            "dbus-daemon", ["--config-file=\(path)", "--nofork", "--nopidfile", "--print-address"])
        // It says so once it listens.
        guard await process.output.first() != nil else {
            throw SystemError("start dbus-daemon", errorNumber: ENOENT)
        }
    }

    /// Stops answering.
    func pause() { process.send(signal: SIGSTOP) }

    func kill() { process.send(signal: SIGKILL) }

    func stop() async {
        kill()
        _ = await process.exitStatus()
    }
}

import BeaconModel
import Glibc
import SystemIO
import TestSupport

/// Modules that the virtual machine can plug in, emulated by the real program outside of the machine.
struct PluggableModules: Sendable {
    /// For the option -u of run-vm.sh: the ports usb-A1 and usb-A2, and the pipes of the emulator's input and output.
    let directory: TemporaryDirectory
    private let emulator: ChildProcess

    /// Returns when the ports are there.
    ///
    /// - Throws: `SystemError`.
    init() async throws {
        directory = try TemporaryDirectory()
        for name in ["line.in", "line.out"] {
            guard mkfifo(directory.path + "/" + name, 0o600) == 0 else {
                throw SystemError("make a named pipe", errorNumber: errno)
            }
        }
        // Each pipe is opened for both directions: that waits for nobody, and the end of the machine is no end of it.
        let command = """
            cd "$1" && exec "$0" emulate rs9116 --link usb-A1 --link usb-A2 0<> line.out 1<> line.in
            """
        emulator = try ChildProcess(
            "sh", ["-c", command, BuiltProgram.path("beacon-gateway"), directory.path])
        _ = await emulator.errorOutput.first { $0.contains("linked as usb-A2") }
    }

    /// Ends the emulator; the ports are gone when this returns.
    ///
    /// - Returns: its exit status.
    func stop() async -> Int32 {
        emulator.send(signal: SIGTERM)
        return await emulator.exitStatus()
    }
}

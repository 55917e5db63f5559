import BeaconModel
import SystemIO

/// Keyboard input.
enum Keyboard {
    /// Returns the lines of standard input until it ends.
    ///
    /// A read cannot be cancelled, so a separate thread stays with it until the process ends.
    static func lines() throws(SystemError) -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingOldest(64))
        try DedicatedThread.start(name: "keyboard") {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return lines
    }
}

import BeaconModel
import SystemIO

/// What a person types.
enum Keyboard {
    /// Lines of standard input until it ends.
    ///
    /// A read can't be called off: a thread of its own stays with it until the process ends.
    static func lines() throws(SystemError) -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingOldest(64))
        try DedicatedThread.start(name: "keyboard") {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return lines
    }
}

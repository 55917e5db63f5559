import Glibc

/// A line on standard output with the time since the machine's start, at once: others wait for some of them.
func log(_ message: String) {
    let milliseconds = monotonicMilliseconds()
    let fraction = String(milliseconds % 1000 + 1000).dropFirst()
    writeAll("\(milliseconds / 1000).\(fraction) \(message)\n", to: STDOUT_FILENO)
}

/// Ends the program with a message on standard error.
func fail(_ status: Int32, _ message: String) -> Never {
    writeAll("VirtualController: \(message)\n", to: STDERR_FILENO)
    exit(status)
}

func monotonicMilliseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}

private func writeAll(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 {
            rest = rest.dropFirst(count)
        } else if errno != EINTR {
            return
        }
    }
}

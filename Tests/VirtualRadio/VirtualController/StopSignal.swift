import Glibc

/// Makes the request to end readable, so that it can be waited for together with other things.
enum StopSignal {
    private static let ends: (readEnd: Int32, writeEnd: Int32) = {
        var descriptors: [Int32] = [-1, -1]
        guard pipe(&descriptors) == 0 else { fatalError("no pipe: errno \(errno)") }
        return (descriptors[0], descriptors[1])
    }()

    /// A descriptor that becomes readable with SIGTERM or SIGINT.
    static func catchSignals() -> Int32 {
        let readEnd = ends.readEnd
        for number in [SIGTERM, SIGINT] {
            signal(number) { _ in
                let interrupted = errno
                var byte: UInt8 = 0
                write(StopSignal.ends.writeEnd, &byte, 1)
                errno = interrupted
            }
        }
        return readEnd
    }
}

import BeaconModel
import Glibc
import SystemIO

/// The lines that come out of a descriptor.
package struct LineStream: Sendable {
    let lines: AsyncStream<String>

    init(descriptor: CInt) throws(SystemError) {
        let (lines, continuation) = AsyncStream<String>.makeStream()
        self.lines = lines
        try DedicatedThread.start(name: "lines") {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            var rest: [UInt8] = []
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                // By hand, because tests without optimization read a hundred thousand lines.
                var start = 0
                buffer.withUnsafeBytes { raw in
                    guard let bytes = raw.baseAddress else { return }
                    while let end = memchr(bytes + start, 0x0A, count - start) {
                        let length = UnsafeRawPointer(end) - (bytes + start)
                        let line = UnsafeRawBufferPointer(start: bytes + start, count: length)
                        if rest.isEmpty {
                            continuation.yield(String(decoding: line, as: UTF8.self))
                        } else {
                            continuation.yield(String(decoding: rest + line, as: UTF8.self))
                            rest.removeAll(keepingCapacity: true)
                        }
                        start += length + 1
                    }
                }
                rest += buffer[start..<count]
            }
            if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
            close(descriptor)
            continuation.finish()
        }
    }

    /// The next line that fulfils `condition`; those before it are dropped. `nil` when the program has closed its
    /// output without such a line. The time limit of the test bounds the wait.
    package func first(where condition: (String) -> Bool = { _ in true }) async -> String? {
        for await line in lines where condition(line) { return line }
        return nil
    }

    /// All lines until the end.
    package func all() async -> [String] { await lines.reduce(into: []) { $0.append($1) } }
}

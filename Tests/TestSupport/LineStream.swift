import Glibc
import SystemIO

/// The lines that come out of a descriptor.
public struct LineStream: Sendable {
    private let lines: AsyncStream<String>

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
                rest += buffer[0..<count]
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: rest[0..<end], as: UTF8.self))
                    rest.removeSubrange(0...end)
                }
            }
            if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
            close(descriptor)
            continuation.finish()
        }
    }

    /// The next line that fulfils `condition`; those before it are dropped. `nil` when the program has closed its
    /// output without such a line. The time limit of the test bounds the wait.
    public func first(where condition: (String) -> Bool = { _ in true }) async -> String? {
        for await line in lines where condition(line) { return line }
        return nil
    }

    /// All lines until the end.
    public func all() async -> [String] { await lines.reduce(into: []) { $0.append($1) } }
}

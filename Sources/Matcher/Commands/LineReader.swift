import BeaconModel
import Glibc
import SystemIO

/// Lines of a file or of standard input, in constant memory.
final class LineReader {
    /// Number of the last returned line; the first is 1.
    private(set) var number = 0
    private let path: String
    private let descriptor: CInt
    private let longest: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    private var part = [UInt8](repeating: 0, count: 256 * 1024)

    /// Opens a file or standard input.
    ///
    /// - Parameters:
    ///   - path: `-` for standard input.
    ///   - longest: maximum length of a line in bytes; longer lines are truncated.
    /// - Throws: `SystemError`.
    init(path: String, longest: Int) throws(SystemError) {
        self.path = path
        self.longest = longest
        descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open \(path)", errorNumber: errno) }
    }

    deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

    /// Returns the next line without its terminator; `nil` after the last. A line that is too long is returned with one
    /// byte more than the maximum.
    func next() throws(SystemError) -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
                append(buffer[start..<end], to: &line)
                start = end + 1
                number += 1
                return line
            }
            append(buffer[start...], to: &line)
            start = buffer.count
            if isAtEnd {
                guard !line.isEmpty else { return nil }
                number += 1
                return line
            }
            try fill()
        }
    }

    private func append(_ bytes: ArraySlice<UInt8>, to line: inout [UInt8]) {
        line += bytes.prefix(longest + 1 - line.count)
    }

    private func fill() throws(SystemError) {
        let count = read(descriptor, &part, part.count)
        if count < 0 {
            if errno == EINTR { return }
            throw SystemError("read \(path)", errorNumber: errno)
        }
        isAtEnd = count == 0
        buffer = Array(part[..<count])
        start = 0
    }
}

import Glibc

/// Lines of a file, a piece of it at a time.
struct LineReader: ~Copyable {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    /// Longer lines are passed over and counted.
    private(set) var overlong = 0

    private static let longestLine = 64 * 1024
    private static let piece = 256 * 1024

    /// `nil` when the file can't be opened.
    init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The next line without its end; `nil` at the end of the file, and where it can't be read on.
    mutating func next() -> String? {
        var isOverlong = false
        while true {
            if let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[position..<end]
                position = end + 1
                if !isOverlong, line.count <= Self.longestLine { return Self.text(line) }
                isOverlong = false
                overlong += 1
                continue
            }
            if isAtEnd {
                let line = buffer[position...]
                position = buffer.count
                if line.isEmpty || isOverlong || line.count > Self.longestLine { return nil }
                return Self.text(line)
            }
            if buffer.count - position > Self.longestLine {
                isOverlong = true
                position = buffer.count
            }
            fill()
        }
    }

    private mutating func fill() {
        buffer.removeFirst(position)
        position = 0
        let held = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.piece))
        let descriptor = descriptor
        let count = buffer.withUnsafeMutableBytes { bytes in
            read(descriptor, bytes.baseAddress?.advanced(by: held), Self.piece)
        }
        buffer.removeLast(Self.piece - max(0, count))
        isAtEnd = count <= 0
    }

    private static func text(_ line: ArraySlice<UInt8>) -> String {
        String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
}

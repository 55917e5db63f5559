import Glibc

/// A file of lines.
struct DumpFile: ~Copyable {
    struct Failure: Error {
        /// As of `errno`.
        var number: Int32
    }

    private let file: Int32

    /// Takes the place of what is there.
    ///
    /// - Throws: `Failure`.
    init(_ path: String) throws(Failure) {
        file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw Failure(number: errno) }
    }

    deinit { close(file) }

    /// - Throws: `Failure` when the disk is full.
    mutating func write(_ lines: [String]) throws(Failure) {
        var bytes = Array(lines.joined(separator: "\n").utf8)
        guard !bytes.isEmpty else { return }
        bytes.append(UInt8(ascii: "\n"))
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Failure(number: errno) }
            written += count
        }
    }
}

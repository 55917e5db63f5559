import Glibc

/// Lines that come one by one from a named pipe or a terminal.
struct LineInput: ~Copyable {
    private static let longestLine = 4096

    let descriptor: Int32
    private var pending: [UInt8] = []

    /// - Throws: for a file too: it could be read to its end only.
    init(path: String) throws(VirtualDevice.Failure) {
        // For writing too: a pipe doesn't end then when its writer does. Reading never waits.
        let file = open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { throw VirtualDevice.Failure("cannot open \(path)") }
        var status = stat()
        guard fstat(file, &status) == 0, [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT) else {
            close(file)
            errno = EINVAL
            throw VirtualDevice.Failure("\(path) is neither a pipe nor a terminal")
        }
        descriptor = file
    }

    deinit {
        close(descriptor)
    }

    /// The whole lines that have come by now.
    mutating func lines() -> [String] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return [] }
        pending += buffer[..<count]
        let parts = pending.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        pending = Array(parts.last?.suffix(Self.longestLine) ?? [])
        return parts.dropLast().map { String(decoding: $0, as: UTF8.self) }
    }
}

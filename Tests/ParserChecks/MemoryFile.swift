import CLinux
import Glibc

/// A file in memory, for readers that want a path.
struct MemoryFile: ~Copyable {
    private let descriptor: CInt
    /// `MFD_CLOEXEC`.
    private static let closeOnExec: CUnsignedInt = 1

    /// `nil` when the system has no memory for it.
    init?(_ contents: [UInt8]) {
        descriptor = memfd_create("corpus", Self.closeOnExec)
        guard descriptor >= 0 else { return nil }
        guard write(descriptor, contents, contents.count) == contents.count else { return nil }
    }

    deinit { close(descriptor) }

    /// Each time it is opened it is read from its beginning.
    var path: String { "/proc/self/fd/\(descriptor)" }
}

import Glibc

/// The identity of the file at a path.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt
    private let inode: UInt

    /// Reads the identity of the file at `path`.
    ///
    /// - Returns: `nil` if there is no file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}

package import BeaconModel
import Glibc
package import Publishing
import SystemIO

extension OutboxFilesFound {
    package static func examine(_ path: String) throws(SystemError) -> OutboxFilesFound {
        let log = try size(path + "-wal")
        return OutboxFilesFound(isEmpty: try size(path) ?? 0 == 0, hasLog: log != nil, logBytes: log ?? 0)
    }

    /// Extends an empty database by one page, which its write-ahead log replaces.
    static func lengthen(_ path: String) throws(SystemError) {
        guard try (size(path + "-wal") ?? 0) > OutboxSchema.pageSize else { return }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError("create \(path)", errorNumber: errno) }
        defer { close(descriptor) }
        guard ftruncate(descriptor, off_t(OutboxSchema.pageSize)) == 0 else {
            throw SystemError("lengthen \(path)", errorNumber: errno)
        }
    }

    private static func size(_ path: String) throws(SystemError) -> Int? {
        var status = stat()
        if stat(path, &status) == 0 { return Int(status.st_size) }
        guard errno == ENOENT else { throw SystemError("examine \(path)", errorNumber: errno) }
        return nil
    }
}

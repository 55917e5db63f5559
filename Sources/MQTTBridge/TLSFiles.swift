import Glibc
import Publishing

/// The state of a TLS configuration's files at one time, which shows whether they were renewed.
struct TLSFiles: Equatable, Sendable {
    private var files: [File]

    private struct File: Equatable, Sendable {
        var inode: UInt64
        var size: Int64
        var seconds: Int
        var nanoseconds: Int
    }

    init(_ configuration: TLSConfiguration?) {
        files = [configuration?.authority.path, configuration?.certificate, configuration?.key].compactMap(\.self)
            .map { path in
                var status = stat()
                guard stat(path, &status) == 0 else { return File(inode: 0, size: -1, seconds: 0, nanoseconds: 0) }
                return File(
                    inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: status.st_mtim.tv_sec,
                    nanoseconds: status.st_mtim.tv_nsec)
            }
    }

    var isEmpty: Bool { files.isEmpty }
}

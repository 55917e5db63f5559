import Glibc

/// The size of a file system and what is left of it.
package struct FileSystemSpace: Equatable, Sendable {
    package var totalBytes: Int
    /// Bytes that this process may still use.
    package var availableBytes: Int

    package init(totalBytes: Int, availableBytes: Int) {
        self.totalBytes = totalBytes
        self.availableBytes = availableBytes
    }

    /// The file system of the directory of a file, which need not exist.
    ///
    /// - Returns: `nil` if the system does not tell.
    package init?(holding path: String) {
        var status = statvfs()
        guard statvfs(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", &status) == 0 else { return nil }
        func bytes(_ blocks: UInt64) -> Int {
            let (product, overflow) = UInt64(status.f_frsize).multipliedReportingOverflow(by: blocks)
            return overflow ? .max : Int(clamping: product)
        }
        totalBytes = bytes(UInt64(status.f_blocks))
        availableBytes = bytes(UInt64(status.f_bavail))
    }
}

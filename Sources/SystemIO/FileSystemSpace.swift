import Glibc

/// The total and available space of a file system.
package struct FileSystemSpace: Equatable, Sendable {
    package var totalBytes: Int
    /// Number of bytes available to this process.
    package var availableBytes: Int

    package init(totalBytes: Int, availableBytes: Int) {
        self.totalBytes = totalBytes
        self.availableBytes = availableBytes
    }

    /// Reads the space on the file system that holds the directory of a file. The file need not exist.
    ///
    /// - Returns: `nil` if the system does not report it.
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

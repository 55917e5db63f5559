import Glibc
import SystemIO

/// A file system in memory, of a size that can be changed. Needs root.
package final class SmallDisk: Sendable {
    package let directory: TemporaryDirectory

    /// - Returns: `nil` if this process may not mount it.
    package init?(bytes: Int) {
        guard let directory = try? TemporaryDirectory(),
            mount("tmpfs", directory.path, "tmpfs", 0, "size=\(bytes)") == 0
        else { return nil }
        self.directory = directory
    }

    package func resize(bytes: Int) { _ = mount("tmpfs", directory.path, "tmpfs", UInt(MS_REMOUNT), "size=\(bytes)") }

    /// Leaves no room for another file, however small.
    package func takeInodes() {
        var status = statvfs()
        guard statvfs(directory.path, &status) == 0 else { return }
        let used = status.f_files - status.f_ffree
        _ = mount("tmpfs", directory.path, "tmpfs", UInt(MS_REMOUNT), "nr_inodes=\(used)")
    }

    /// Fills it to the last byte with a file `other`.
    package func fill() {
        let descriptor = open(directory.path + "/other", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        let block = [UInt8](repeating: 1, count: 64 * 1024)
        var size = block.count
        while size > 0 {
            if write(descriptor, block, size) <= 0 { size /= 2 }
        }
        close(descriptor)
    }

    deinit { umount2(directory.path, Int32(MNT_DETACH)) }

    package static let isPossible: Bool = SmallDisk(bytes: 65536) != nil
}

import Glibc

/// The kind of medium on which a file is stored.
package enum StorageMedium: Equatable, Sendable {
    /// An SD card or eMMC, which wears with each write.
    case card
    case other

    /// Determines the medium of a file or directory; `other` if the system does not report it.
    package init(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = .other
            return
        }
        // Same computation as `gnu_dev_major` and `gnu_dev_minor`.
        let device = UInt64(status.st_dev)
        let (major, minor) = (
            (device >> 8) & 0xFFF | (device >> 32) & 0xFFFF_F000, device & 0xFF | (device >> 12) & 0xFFFF_FF00
        )
        var target = [CChar](repeating: 0, count: 4096)
        let length = readlink("/sys/dev/block/\(major):\(minor)", &target, target.count)
        self.init(
            deviceLink: String(
                decoding: target.prefix(max(0, length)).map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self))
    }

    /// - Parameter deviceLink: the target of the link `/sys/dev/block/MAJOR:MINOR` of the file system.
    package init(deviceLink: String) {
        self = deviceLink.split(separator: "/").contains { $0.hasPrefix("mmcblk") } ? .card : .other
    }
}

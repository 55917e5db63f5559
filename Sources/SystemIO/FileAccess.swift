import Glibc

/// Access rights to a file, and the directories that decide who can replace it.
package struct FileAccess: Equatable, Sendable {
    /// The nine permission bits.
    package var mode: UInt32
    /// User ID of the owner.
    package var owner: UInt32
    /// Directory that contains the file's name and, for a link, the directory of the target.
    package var directories: [Directory]

    package struct Directory: Equatable, Sendable {
        package var path: String
        /// The nine permission bits.
        package var mode: UInt32
        /// Whether the sticky bit is set: only the owner of a file can remove or rename it, as in `/tmp`.
        package var isSticky: Bool

        package init(path: String, mode: UInt32, isSticky: Bool = false) {
            self.path = path
            self.mode = mode
            self.isSticky = isSticky
        }
    }

    package init(mode: UInt32, owner: UInt32, directories: [Directory] = []) {
        self.mode = mode
        self.owner = owner
        self.directories = directories
    }

    /// Reads the access rights of an open file. Returns `nil` for anything but a regular file.
    ///
    /// - Parameter path: the path under which the file was opened.
    init?(_ status: stat, path: String) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(mode: status.st_mode & 0o777, owner: status.st_uid)
        var paths = [Self.directory(of: path)]
        if let real = realpath(path, nil) {
            paths.append(Self.directory(of: String(cString: real)))
            free(real)
        }
        for path in paths {
            var status = stat()
            guard stat(path, &status) == 0 else { continue }
            directories.append(
                Directory(path: path, mode: status.st_mode & 0o777, isSticky: status.st_mode & S_ISVTX != 0))
        }
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

package import BeaconModel
import Glibc

/// Reading and writing of complete small files: configuration, secrets, counters.
package enum FileContents {
    /// Reads a file.
    ///
    /// - Parameter limit: the maximum length in bytes.
    /// - Throws: `SystemError`; `EFBIG` for a file longer than `limit` bytes.
    package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        var status = stat()
        return try read(path, limit: limit, &status)
    }

    /// Reads a file and returns the access rights to that same file; `nil` for anything but a regular file.
    ///
    /// - Parameter limit: the maximum length in bytes.
    /// - Throws: `SystemError`; `EFBIG` for a file longer than `limit` bytes.
    package static func readWithAccess(
        _ path: String, limit: Int
    ) throws(SystemError) -> (contents: [UInt8], access: FileAccess?) {
        var status = stat()
        let contents = try read(path, limit: limit, &status)
        return (contents, FileAccess(status, path: path))
    }

    private static func read(_ path: String, limit: Int, _ status: inout stat) throws(SystemError) -> [UInt8] {
        // Opening a named pipe would block, forever if there is no writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError("open \(path)", errorNumber: errno) }
        defer { close(descriptor) }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFIFO else {
            throw SystemError("read \(path), a named pipe", errorNumber: EINVAL)
        }
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError("read \(path)", errorNumber: errno)
            }
            if count == 0 { return contents }
            contents += buffer[0..<count]
            guard contents.count <= limit else { throw SystemError("read \(path)", errorNumber: EFBIG) }
        }
    }

    /// Replaces a file atomically: after a power cut it has either the old or the new contents.
    ///
    /// - Parameters:
    ///   - isPrivate: whether only the owner can read the file; otherwise all users can.
    ///   - ownership: permissions and owner that the file gets instead.
    package static func replace(
        _ path: String, with contents: [UInt8], isPrivate: Bool = false, ownership: FileOwnership? = nil
    ) throws(SystemError) {
        let temporary = path + ".new"
        let descriptor = open(
            temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, isPrivate ? 0o600 : 0o644)
        guard descriptor >= 0 else { throw SystemError("create \(temporary)", errorNumber: errno) }
        do throws(SystemError) {
            defer { close(descriptor) }
            if let ownership {
                try ownership.apply(to: descriptor, temporary)
            } else {
                giveToDirectoryOwner(descriptor, path)
            }
            try write(contents, to: descriptor, temporary)
            guard fsync(descriptor) == 0 else { throw SystemError("write \(temporary)", errorNumber: errno) }
            guard Glibc.rename(temporary, path) == 0 else { throw SystemError("replace \(path)", errorNumber: errno) }
        } catch {
            unlink(temporary)
            throw error
        }
        // The new name is durable once the directory has been synchronized.
        let directory = open(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", O_RDONLY | O_CLOEXEC)
        if directory >= 0 {
            _ = fsync(directory)
            close(directory)
        }
    }

    /// Appends to a file in one piece, even when other processes append too. Creates the file if it does not exist.
    /// Does not follow a link: otherwise anyone with write access to the directory could make this program write
    /// elsewhere.
    ///
    /// - Parameters:
    ///   - limit: the length in bytes above which the file is first renamed to `path.1`, replacing an earlier one.
    ///   - isDurable: whether to wait until the data would survive a power cut.
    ///   - isPrivate: whether only the owner can read the file, if this call creates it.
    /// - Throws: `SystemError`; `EINVAL` for a named pipe, or `ENXIO` while the pipe has no reader.
    package static func append(
        _ contents: [UInt8], to path: String, limit: Int, isDurable: Bool = true, isPrivate: Bool = false
    ) throws(SystemError) {
        var status = stat()
        if stat(path, &status) == 0, Int(status.st_size) > limit, Glibc.rename(path, path + ".1") != 0 {
            throw SystemError("put \(path) aside", errorNumber: errno)
        }
        let mode: mode_t = isPrivate ? 0o600 : 0o644
        var descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, mode)
        if descriptor >= 0 {
            giveToDirectoryOwner(descriptor, path)
        } else {
            // Opening a named pipe would block, forever if there is no reader.
            descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)
        }
        guard descriptor >= 0 else { throw SystemError("open \(path)", errorNumber: errno) }
        defer { close(descriptor) }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFIFO else {
            throw SystemError("write \(path), a named pipe", errorNumber: EINVAL)
        }
        try write(contents, to: descriptor, path)
        guard !isDurable || fsync(descriptor) == 0 else { throw SystemError("write \(path)", errorNumber: errno) }
    }

    /// Checks in advance that a file can be created or replaced.
    package static func checkReplaceable(_ path: String) throws(SystemError) {
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard access(directory, W_OK) == 0 else { throw SystemError("write \(path)", errorNumber: errno) }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw SystemError("write \(path)", errorNumber: EISDIR)
        }
    }

    package static func rename(_ path: String, to other: String) throws(SystemError) {
        guard Glibc.rename(path, other) == 0 else { throw SystemError("rename \(path)", errorNumber: errno) }
    }

    /// Empties a file if it exists. Does not follow a link.
    package static func truncate(_ path: String) throws(SystemError) {
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != ENOENT {
            throw SystemError("empty \(path)", errorNumber: errno)
        }
    }

    /// Gives a file created by root to the owner of its directory, so that files left by an administrator's command in
    /// a service's directory remain accessible to the service. Does nothing for other users, or for a file with several
    /// names (hard links).
    ///
    /// - Parameter path: the path of the file.
    package static func giveToDirectoryOwner(_ descriptor: CInt, _ path: String) {
        guard geteuid() == 0 else { return }
        var directory = stat()
        var file = stat()
        guard stat(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", &directory) == 0,
            fstat(descriptor, &file) == 0, file.st_mode & S_IFMT == S_IFREG, file.st_nlink == 1,
            // A shared directory with a sticky bit, such as /tmp, does not determine the owner.
            directory.st_mode & S_ISVTX == 0, file.st_uid != directory.st_uid
        else { return }
        _ = fchown(descriptor, directory.st_uid, directory.st_gid)
    }

    /// Writes all bytes to a descriptor.
    ///
    /// - Parameter path: the path of the file, for errors.
    package static func write(_ contents: [UInt8], to descriptor: CInt, _ path: String) throws(SystemError) {
        var written = 0
        while written < contents.count {
            let count = contents.withUnsafeBytes { raw in
                Glibc.write(descriptor, raw.baseAddress.map { $0 + written }, contents.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw SystemError("write \(path)", errorNumber: errno)
            }
        }
    }
}

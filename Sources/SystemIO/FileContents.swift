package import BeaconModel
import Glibc

/// Whole small files: configuration, secrets, counters.
package enum FileContents {
    /// - Parameter limit: a longer file is refused.
    /// - Throws: `SystemError`; `EFBIG` for a file longer than `limit` bytes.
    package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        var status = stat()
        return try read(path, limit: limit, &status)
    }

    /// Reads a file, and says who may change the very file that was read; `nil` for what is no regular one.
    ///
    /// - Parameter limit: a longer file is refused.
    /// - Throws: `SystemError`; `EFBIG` for a file longer than `limit` bytes.
    package static func readWithAccess(
        _ path: String, limit: Int
    ) throws(SystemError) -> (contents: [UInt8], access: FileAccess?) {
        var status = stat()
        let contents = try read(path, limit: limit, &status)
        return (contents, FileAccess(status, path: path))
    }

    private static func read(_ path: String, limit: Int, _ status: inout stat) throws(SystemError) -> [UInt8] {
        // A named pipe would block, for ever if nobody writes.
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

    /// Replaces a file so that after a power cut either the old or the new contents are there.
    ///
    /// - Parameter isPrivate: only its owner may read it; otherwise everybody may.
    package static func replace(
        _ path: String, with contents: [UInt8], isPrivate: Bool = false
    ) throws(SystemError) {
        let temporary = path + ".new"
        let descriptor = open(
            temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, isPrivate ? 0o600 : 0o644)
        guard descriptor >= 0 else { throw SystemError("create \(temporary)", errorNumber: errno) }
        do throws(SystemError) {
            defer { close(descriptor) }
            giveToDirectoryOwner(descriptor, path)
            try write(contents, to: descriptor, temporary)
            guard fsync(descriptor) == 0 else { throw SystemError("write \(temporary)", errorNumber: errno) }
            guard Glibc.rename(temporary, path) == 0 else { throw SystemError("replace \(path)", errorNumber: errno) }
        } catch {
            unlink(temporary)
            throw error
        }
        // The new name is durable once the directory is.
        let directory = open(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", O_RDONLY | O_CLOEXEC)
        if directory >= 0 {
            _ = fsync(directory)
            close(directory)
        }
    }

    /// Adds to the end of a file, which is created where it isn't there, in one piece even when others do so too. A link
    /// isn't followed: whoever may write to the directory would have this program write elsewhere.
    ///
    /// - Parameters:
    ///   - limit: a file longer than this is first put aside as `path.1`, in the place of an earlier one.
    ///   - isDurable: waits until it would outlive a power cut.
    ///   - isPrivate: only its owner may read it, if it is created by this.
    /// - Throws: `SystemError`; `EINVAL` for a named pipe, or `ENXIO` while nobody reads it.
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
            // A named pipe would block, for ever if nobody reads.
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

    /// Whether a file can be made or replaced, before there is anything to write.
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

    /// Empties a file, if there is one. A link isn't followed.
    package static func truncate(_ path: String) throws(SystemError) {
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != ENOENT {
            throw SystemError("empty \(path)", errorNumber: errno)
        }
    }

    /// Gives a file that root has made to the owner of its directory: what an administrator's command leaves in a service's
    /// directory must not be closed to the service. Nothing happens for other users, nor to a file with other names.
    ///
    /// - Parameter path: that of the file.
    package static func giveToDirectoryOwner(_ descriptor: CInt, _ path: String) {
        guard geteuid() == 0 else { return }
        var directory = stat()
        var file = stat()
        guard stat(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", &directory) == 0,
            fstat(descriptor, &file) == 0, file.st_mode & S_IFMT == S_IFREG, file.st_nlink == 1,
            // Nobody's directory, such as /tmp with its sticky bit, hands anything over.
            directory.st_mode & S_ISVTX == 0, file.st_uid != directory.st_uid
        else { return }
        _ = fchown(descriptor, directory.st_uid, directory.st_gid)
    }

    private static func write(_ contents: [UInt8], to descriptor: CInt, _ path: String) throws(SystemError) {
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

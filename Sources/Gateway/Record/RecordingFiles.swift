import BeaconModel
import Diagnostics
import Glibc
import SystemIO

/// File operations of a recording: checks existing files and renames them.
struct RecordingFiles: Sendable {
    var names: RecordingNames

    /// Refuses to begin when an existing file is in the way that is not a capture.
    ///
    /// - Parameters:
    ///   - source: capture that is read at the same time.
    ///   - mustBeNew: whether to refuse earlier recordings too. Beside pseudonyms, they could be sent along with the
    ///     values that the pseudonyms hide.
    func check(source: String?, mustBeNew: Bool) throws(RecordingError) {
        let sourceFile = source.flatMap { FileIdentity($0) }
        for path in names.paths {
            if let sourceFile, FileIdentity(path) == sourceFile { throw .readsItself(path: path) }
            if try isCapture(path), mustBeNew { throw .besideEarlier(path: path) }
        }
    }

    /// Makes room for a file with the plain name: each older file gets the next number, and the oldest is removed.
    ///
    /// - Returns: the new path of the latest older file, and the path of the removed one.
    func rotate() throws(RecordingError) -> (kept: String?, removed: String?) {
        // Up to the first free number: then no file has to be removed.
        var age = 0
        while age < names.count, try isCapture(names.path(age: age)) { age += 1 }
        let kept = age > 0 && names.count > 1 ? names.path(age: 1) : nil
        var removed: String?
        if age == names.count {
            age -= 1
            let oldest = names.path(age: age)
            removed = oldest
            try require(unlink(oldest), "remove \(oldest)")
        }
        while age > 0 {
            let (from, to) = (names.path(age: age - 1), names.path(age: age))
            try require(rename(from, to), "rename \(from)")
            age -= 1
        }
        return (kept, removed)
    }

    private func require(_ status: CInt, _ operation: String) throws(RecordingError) {
        if status != 0 { throw .system(SystemError(operation, errorNumber: errno)) }
    }

    /// Checks whether a capture exists at a path.
    ///
    /// - Returns: whether a file exists.
    /// - Throws: `RecordingError.notACapture` when it is not a btsnoop file.
    private func isCapture(_ path: String) throws(RecordingError) -> Bool {
        var status = stat()
        // A dangling link counts as existing, too.
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return false }
            throw .system(SystemError("inspect \(path)", errorNumber: errno))
        }
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notACapture(path: path) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system(SystemError("open \(path)", errorNumber: errno)) }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: 8)
        guard read(descriptor, &head, 8) == 8, head.elementsEqual("btsnoop\0".utf8) else {
            throw .notACapture(path: path)
        }
        return true
    }
}

/// Identity of the file to which a name leads.
private struct FileIdentity: Equatable {
    private var device: dev_t
    private var number: ino_t

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
    }
}

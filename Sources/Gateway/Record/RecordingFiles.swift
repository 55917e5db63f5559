import BeaconModel
import Diagnostics
import Glibc
import SystemIO

/// What a recording does with its files on the disk: looks at what is there, puts it aside.
struct RecordingFiles: Sendable {
    var names: RecordingNames

    /// Refuses to begin when something is in the way that isn't a capture.
    ///
    /// - Parameters:
    ///   - source: the capture that is read meanwhile.
    ///   - mustBeNew: refuses earlier recordings too: beside pseudonyms they would be sent along with what they hide.
    func check(source: String?, mustBeNew: Bool) throws(RecordingError) {
        let sourceFile = source.flatMap { FileIdentity($0) }
        for path in names.paths {
            if let sourceFile, FileIdentity(path) == sourceFile { throw .readsItself(path: path) }
            if try isCapture(path), mustBeNew { throw .besideEarlier(path: path) }
        }
    }

    /// Makes room for a file with the plain name: each older one gets the next number, the oldest goes.
    ///
    /// - Returns: where the latest older one is afterwards, and which one went.
    func rotate() throws(RecordingError) -> (kept: String?, removed: String?) {
        // Up to the first number that is free: nobody has to go for it.
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

    /// - Returns: whether something is there.
    /// - Throws: `RecordingError.notACapture` when it isn't a btsnoop file.
    private func isCapture(_ path: String) throws(RecordingError) -> Bool {
        var status = stat()
        // A link that leads nowhere is somebody's, too.
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return false }
            throw .system(SystemError("look at \(path)", errorNumber: errno))
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

/// Which file a name leads to.
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

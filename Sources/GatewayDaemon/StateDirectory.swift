package import BeaconModel
import GatewayCore
import Glibc
import RecordOutbox
import SystemIO

/// The directory that a gateway keeps between its runs. Its boot number ensures that the ids of records never repeat.
package struct StateDirectory {
    package var path: String

    package init(path: String) {
        self.path = path
    }

    /// Path of the database with the records that wait for the broker.
    package var outboxPath: String { path + "/outbox.db" }

    /// Returns the number of this run, which is on disk when this function returns.
    ///
    /// The number is greater than the previous one (`BootNumber`).
    ///
    /// - Parameter onDamage: called with a description of what the file holds instead of a number.
    /// - Throws: `StateDirectoryError`.
    package func nextBoot(now: Timestamp, onDamage: (String) -> Void) throws(StateDirectoryError) -> UInt64 {
        do throws(SystemError) {
            var generator = SystemRandomNumberGenerator()
            let next = BootNumber.next(
                after: try lastBoot(onDamage), seconds: now.microseconds / 1_000_000, using: &generator)
            // A full file system must not keep the gateway from starting while the outbox has space reserved there.
            try OutboxFile(path: outboxPath).lendingReserve { () throws(SystemError) in
                try FileContents.replace(bootFile, with: Array("\(next)\n".utf8))
            }
            return next
        } catch {
            throw StateDirectoryError(directory: path, error: error)
        }
    }

    /// Locks the directory for this process until its end, and brings it to the current format. Two gateways with one
    /// identity would disconnect each other from the broker forever.
    ///
    /// - Parameter onDamage: called with what a file holds instead of the format, or why the format was not written.
    /// - Throws: `StateDirectoryError`, `StateDirectoryInUse`, or `LaterState`, in which case nothing is changed.
    package func lock(onDamage: (String) -> Void = { _ in }) throws {
        try checkFormat()
        guard try isLocked() else { throw StateDirectoryInUse(directory: path) }
        try upgrade(onDamage: onDamage)
    }

    private func isLocked() throws -> Bool {
        do throws(SystemError) {
            if mkdir(path, 0o755) != 0, errno != EEXIST {
                throw SystemError("create the state directory \(path)", errorNumber: errno)
            }
            let descriptor = try OutboxFile(path: outboxPath).lendingReserve { () throws(SystemError) in
                let descriptor = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
                guard descriptor >= 0 else { throw SystemError("create \(path)/lock", errorNumber: errno) }
                return descriptor
            }
            FileContents.giveToDirectoryOwner(descriptor, path + "/lock")
            // The descriptor stays open. The kernel releases the lock when the process ends, however it ends.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            close(descriptor)
            return false
        } catch {
            throw StateDirectoryError(directory: path, error: error)
        }
    }

    private var bootFile: String { path + "/boot" }

    private func lastBoot(_ onDamage: (String) -> Void) throws(SystemError) -> UInt64 {
        let text: String
        do throws(SystemError) {
            text = String(decoding: try FileContents.read(bootFile, limit: 64), as: UTF8.self)
        } catch {
            guard error.errorNumber == ENOENT else { throw error }
            return 0
        }
        guard let number = UInt64(text.filter { !$0.isWhitespace }), number < BootNumber.greatest else {
            onDamage("\(bootFile) does not hold a number below 2^53: \(text.debugDescription)")
            return 0
        }
        return number
    }
}

/// The state directory cannot be used.
package struct StateDirectoryError: OperatorError {
    package var directory: String
    package var error: SystemError

    package var what: String { error.what }
    package var meaning: String? {
        "without its boot counter this gateway's records would reuse the ids of earlier ones"
    }
    package var remedy: String? {
        switch error.errorNumber {
        case ENOSPC, EDQUOT:
            "free space or inodes on its file system (df -h \(directory); df -i \(directory)),"
                + " or set state.directory to one on another disk"
        case EROFS: "mount its file system for writing, or set state.directory to one on another disk"
        case EIO: "check the disk (dmesg), or set state.directory to one on another disk"
        default: "sudo install -d -o $USER \(directory), or set state.directory to one that this user can write to"
        }
    }
    package var exitStatus: ExitStatus {
        error.errorNumber == EACCES || error.errorNumber == EPERM ? .permission : .inputOutput
    }
}

/// Another process is already running as this gateway.
package struct StateDirectoryInUse: OperatorError {
    package var directory: String

    package var what: String { "another beacon-gateway is running with the state directory \(directory)" }
    package var remedy: String? { "stop it first, or give each gateway its own place.gateway and state.directory" }
    package var exitStatus: ExitStatus { .unavailable }
}

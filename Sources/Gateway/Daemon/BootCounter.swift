import BeaconModel
import Glibc
import SystemIO

/// Numbers the runs of a gateway, so that the ids of its records never repeat.
///
/// A number is greater than the one before, and at least the seconds since 1970: so the numbers go on growing when the
/// state directory is lost with its SD card.
struct BootCounter {
    var directory: String

    /// The number of this run, which is on disk when this returns.
    ///
    /// - Parameter onDamage: told what was found in the file instead of a number.
    /// - Throws: `StateDirectoryError`.
    func next(now: Timestamp, onDamage: (String) -> Void) throws(StateDirectoryError) -> UInt64 {
        do throws(SystemError) {
            let next = max(try last(onDamage) + 1, UInt64(now.microseconds / 1_000_000))
            try FileContents.replace(path, with: Array("\(next)\n".utf8))
            return next
        } catch {
            throw StateDirectoryError(directory: directory, error: error)
        }
    }

    /// Takes the directory for this process until its end: two gateways with one identity would throw each other off
    /// the broker for ever.
    ///
    /// - Throws: `StateDirectoryError`, or `StateDirectoryInUse`.
    func lock() throws {
        do throws(SystemError) {
            if mkdir(directory, 0o755) != 0, errno != EEXIST {
                throw SystemError("create the state directory \(directory)", errorNumber: errno)
            }
            let descriptor = open(directory + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw SystemError("create \(directory)/lock", errorNumber: errno) }
            // Kept open; the kernel releases it when the process ends, however it ends.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            close(descriptor)
        } catch {
            throw StateDirectoryError(directory: directory, error: error)
        }
        throw StateDirectoryInUse(directory: directory)
    }

    private var path: String { directory + "/boot" }

    private func last(_ onDamage: (String) -> Void) throws(SystemError) -> UInt64 {
        let text: String
        do throws(SystemError) {
            text = String(decoding: try FileContents.read(path, limit: 64), as: UTF8.self)
        } catch {
            guard error.errorNumber == ENOENT else { throw error }
            return 0
        }
        guard let number = UInt64(text.filter { !$0.isWhitespace }), number < UInt64(Int64.max) else {
            onDamage("\(path) holds no number: \(text.debugDescription)")
            return 0
        }
        return number
    }
}

/// The state directory can't be used.
struct StateDirectoryError: OperatorError {
    var directory: String
    var error: SystemError

    var what: String { error.what }
    var meaning: String? { "without its number of boots this gateway's records would have the ids of earlier ones" }
    var remedy: String? { "sudo install -d -o $USER \(directory), or set state.directory to one that you may write" }
    var exitStatus: ExitStatus {
        error.errorNumber == EACCES || error.errorNumber == EPERM ? .permission : .inputOutput
    }
}

/// Another process is this gateway already.
struct StateDirectoryInUse: OperatorError {
    var directory: String

    var what: String { "another beacon-gateway runs with the state directory \(directory)" }
    var remedy: String? { "stop it first, or give each gateway its own place.gateway and state.directory" }
    var exitStatus: ExitStatus { .unavailable }
}

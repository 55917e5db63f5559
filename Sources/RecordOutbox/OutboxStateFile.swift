package import BeaconModel
import Glibc
package import Publishing
import SystemIO

/// The file that stores an `OutboxState`.
package struct OutboxStateFile: Sendable {
    package let path: String

    /// Creates a reference to the state file of a database.
    ///
    /// - Parameter database: the path of the database, next to which the file is kept.
    package init(database: String) { path = database + ".state" }

    package enum Found: Equatable {
        case nothing
        case damaged
        case state(OutboxState)
    }

    package func read() throws(SystemError) -> Found {
        do throws(SystemError) {
            let bytes = try FileContents.read(path, limit: 4 * OutboxState.size)
            return OutboxState(bytes).map { .state($0) } ?? .damaged
        } catch {
            if error.isNotFound { return .nothing }
            if error.errorNumber == EFBIG { return .damaged }
            throw error
        }
    }

    /// Overwrites the file.
    ///
    /// - Parameter isDurable: whether to wait until the state would survive a power failure. Otherwise it survives only
    ///   the process.
    package func write(_ state: OutboxState, isDurable: Bool) throws(SystemError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError("create \(path)", errorNumber: errno) }
        defer { close(descriptor) }
        let bytes = state.encoded
        // One block, so that no reader finds half of the state.
        guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw SystemError("write \(path)", errorNumber: errno)
        }
        guard !isDurable || fsync(descriptor) == 0 else { throw SystemError("write \(path)", errorNumber: errno) }
    }
}

import BeaconModel
import Glibc
import Publishing
import SystemIO

/// Disk space that is set aside for deleting records and for starting while the file system is full.
///
/// SQLite needs space even to delete: first for the pages that the write-ahead log has yet to add to the end of the
/// database, then for the log of the deletion. `OutboxStore` keeps the first below half of the reserve.
package struct OutboxReserve: Sendable {
    private let path: String

    /// Creates a reserve for a database.
    ///
    /// - Parameter database: the path of the database, next to which the reserve is kept.
    package init(database: String) { path = database + ".reserve" }

    /// Bytes that are set aside at present.
    package var bytes: Int {
        var status = stat()
        return stat(path, &status) == 0 ? max(0, Int(status.st_size)) : 0
    }

    /// Sets aside as much as `OutboxReserveRules` wants.
    ///
    /// - Returns: the bytes that are set aside; `nil` if the file system cannot do so for a reason other than lack of
    ///   space.
    @discardableResult
    package func take() -> Int? {
        let held = bytes
        guard held < OutboxReserveRules.largest, let space = FileSystemSpace(holding: path) else { return held }
        let wanted = OutboxReserveRules.wanted(
            held: held, available: space.availableBytes, total: space.totalBytes)
        return wanted > held ? grow(to: wanted) : held
    }

    /// Takes back what was released, or as much of it as there is space for.
    ///
    /// - Parameter size: the value that `release` returned.
    func retake(_ size: Int) {
        var size = size
        while size >= OutboxReserveRules.unit, bytes < size {
            guard let held = grow(to: size), held < size else { return }
            size -= max(OutboxReserveRules.unit, size / 32)
        }
    }

    /// Returns the space to the file system.
    ///
    /// - Returns: the number of bytes released.
    @discardableResult
    package func release() -> Int {
        let held = bytes
        unlink(path)
        return held
    }

    /// Runs an operation, and runs it again with the space of the reserve if the file system is full.
    package func lend<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        do throws(Failure) {
            return try body()
        } catch {
            guard OutboxStore.isOutOfSpace(error), bytes > 0 else { throw error }
            let size = release()
            defer { retake(size) }
            return try body()
        }
    }

    /// Enlarges the reserve.
    ///
    /// - Returns: the same as `take`.
    private func grow(to size: Int) -> Int? {
        let held = bytes
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return SystemError("", errorNumber: errno).isOutOfSpace ? held : nil }
        defer { close(descriptor) }
        let failure = posix_fallocate(descriptor, 0, off_t(size))
        if failure == 0 { return size }
        // The file may have grown partially.
        if held > 0 { ftruncate(descriptor, off_t(held)) } else { unlink(path) }
        return SystemError("", errorNumber: failure).isOutOfSpace ? held : nil
    }
}

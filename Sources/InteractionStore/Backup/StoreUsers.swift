import BeaconModel
import Glibc

/// Processes that use a store, which must not be replaced then.
enum StoreUsers {
    /// Throws if a process has the file of a store open.
    ///
    /// Each connection to a database with a write-ahead log holds a lock on its file until it is closed.
    static func refuseOpen(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // The bytes that a reader of the database locks (SQLite, "File Locking And Concurrency").
        var lock = flock(
            l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0x4000_0000, l_len: 512, l_pid: 0)
        guard fcntl(descriptor, getLock, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return }
        throw .inUse(.sqlite(path), process: lock.l_pid > 0 ? lock.l_pid : nil)
    }

    /// F_OFD_GETLK, declared only under _GNU_SOURCE.
    private static let getLock: CInt = 36

    /// Throws if another connection of a matcher uses the database. Waits a second for one that is being closed.
    static func refuseConnected(_ database: PostgreSQLDatabase, _ location: StoreLocation) throws {
        for _ in 0..<10 {
            let isUsed = try database.read { session in
                try session.count(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                        + "AND pid <> pg_backend_pid() AND application_name LIKE 'beacon-matcher%'") > 0
            }
            if !isUsed { return }
            usleep(100_000)
        }
        throw StoreError.inUse(location, process: nil)
    }
}

extension StoreError {
    /// Another process uses the store.
    static func inUse(_ location: StoreLocation, process: Int32?) -> StoreError {
        StoreError(
            "another beacon-matcher\(process.map { ", process \($0)," } ?? "") uses the store \(location)",
            meaning: "nothing was changed",
            remedy: "stop all matchers of the store, the standby too (sudo systemctl stop beacon-matcher), and repeat "
                + "the command",
            exitStatus: .unavailable)
    }
}

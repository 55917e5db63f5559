import BeaconModel
import GRDB
import SystemIO

extension OutboxStore {
    /// Whether an error says, or may say, that the file system is full. SQLite reports an exceeded quota as an I/O
    /// error, and likewise a full file system while it creates its shared memory.
    package static func isOutOfSpace(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return (error as? SystemError)?.isOutOfSpace ?? false }
        if error.resultCode == .SQLITE_FULL { return true }
        switch error.extendedResultCode {
        case .SQLITE_IOERR_WRITE, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_TRUNCATE: return true
        default: return false
        }
    }

    /// Returns SQLite's message in one line.
    package static func describe(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return error.inOneLine }
        return "\(error.message ?? "SQLite") (SQLite \(error.extendedResultCode.rawValue))"
    }
}

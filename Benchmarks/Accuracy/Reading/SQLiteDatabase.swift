import CSQLite

/// A database file that is only read, also in a directory that can't be written.
struct SQLiteDatabase: ~Copyable {
    struct Failure: Error {
        /// What the library said.
        var message: String
    }

    private let handle: OpaquePointer

    init(_ path: String) throws(Failure) {
        var handle: OpaquePointer?
        // Immutable: no locks and no files beside it.
        let uri = "file:\(Self.escaped(path))?immutable=1"
        let status = sqlite3_open_v2(uri, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
        guard status == SQLITE_OK, let handle else {
            let message = Self.message(handle)
            sqlite3_close_v2(handle)
            throw Failure(message: message)
        }
        self.handle = handle
    }

    deinit { sqlite3_close_v2(handle) }

    /// A row while it is read.
    struct Row: ~Copyable {
        fileprivate let statement: OpaquePointer

        /// `nil` for NULL, and for text that isn't one.
        func number(_ column: Int32) -> Double? {
            guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
            let value = sqlite3_column_double(statement, column)
            return value.isFinite ? value : nil
        }

        /// `nil` for NULL. Numbers are written out.
        func text(_ column: Int32) -> String? {
            sqlite3_column_text(statement, column).map { String(cString: $0) }
        }
    }

    /// Gives each row to `take`, until it returns false.
    func rows(_ query: String, _ take: (borrowing Row) -> Bool) throws(Failure) {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw Failure(message: Self.message(handle))
        }
        defer { sqlite3_finalize(statement) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: if !take(Row(statement: statement)) { return }
            case SQLITE_DONE: return
            default: throw Failure(message: Self.message(handle))
            }
        }
    }

    private static func message(_ handle: OpaquePointer?) -> String {
        handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "no memory"
    }

    private static func escaped(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

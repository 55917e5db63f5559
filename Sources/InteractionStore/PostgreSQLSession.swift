import BeaconModel
import CPostgreSQL
import Glibc

/// Statements on a connection to PostgreSQL.
final class PostgreSQLSession: SQLSession {
    private let connection: OpaquePointer
    private let name: String
    /// Names of the statements that the server has prepared, by their text.
    private var prepared: [String: String] = [:]
    private static let mostPrepared = 200
    /// Temporary tables of this session that exist, followed by those that contain rows of this transaction.
    private var copyTables: Set<String> = []
    private var filled: Set<String> = []

    init(connection: OpaquePointer, name: String) {
        self.connection = connection
        self.name = name
    }

    var dialect: SQLDialect { .postgreSQL }

    /// Forgets the state of the old connection after a reconnect.
    func forget() {
        prepared = [:]
        endTransaction(isUndone: true)
    }

    /// Resets the state of a transaction. Tables that were created in a transaction that was rolled back do not exist.
    func endTransaction(isUndone: Bool) {
        filled = []
        if isUndone { copyTables = [] }
    }

    /// Runs a statement without arguments.
    func run(_ sql: String) throws {
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        try check(result)
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        let result = try send(sql, arguments, keepsStatement: true)
        defer { PQclear(result) }
        return PQcmdTuples(result).map { Int(strtoll($0, nil, 10)) } ?? 0
    }

    func query(
        _ sql: String, _ arguments: [SQLValue], keepsStatement: Bool, _ body: (SQLRow) throws -> Void
    ) throws {
        let result = try send(sql, arguments, keepsStatement: keepsStatement)
        defer { PQclear(result) }
        for row in 0..<PQntuples(result) { try body(SQLRow(source: .postgreSQL(result, row))) }
    }

    /// Numbers of rows in one statement. Rows are sent in as few statements as possible, of few different sizes, so
    /// that each statement is planned once.
    private static let chunks = [512, 64, 8, 1]

    /// Minimum number of rows that are first copied to a temporary table of the session.
    private static let leastCopied = 100

    func insert(_ insertion: SQLInsertion, rows: [Int64?]) throws {
        if !insertion.widths.isEmpty, rows.count >= Self.leastCopied * insertion.columns.count {
            return try copy(insertion, rows)
        }
        let width = insertion.columns.count
        var start = 0
        for chunk in Self.chunks {
            while rows.count - start >= chunk * width {
                try insert(insertion, rows[start..<start + chunk * width])
                start += chunk * width
            }
        }
    }

    /// Copies rows to a temporary table and inserts them from there. Copied rows cost the server half as much to read
    /// as statement arguments, and it finds conflicts between two tables just as well. The end of the transaction
    /// empties the table.
    private func copy(_ insertion: SQLInsertion, _ rows: [Int64?]) throws {
        let columns = insertion.columns.joined(separator: ", ")
        let table = "new_\(insertion.table)"
        if !copyTables.contains(table) {
            try run("CREATE TEMPORARY TABLE IF NOT EXISTS \(table) (LIKE \(insertion.table)) ON COMMIT DELETE ROWS")
            copyTables.insert(table)
        }
        if !filled.insert(table).inserted { try run("DELETE FROM \(table)") }
        let start = PQexec(connection, "COPY \(table) (\(columns)) FROM STDIN (FORMAT BINARY)")
        defer { PQclear(start) }
        guard PQresultStatus(start) == PGRES_COPY_IN else { return try check(start) }
        var failure: (any Error)?
        do {
            try PostgreSQLCopy.parts(of: rows, widths: insertion.widths) { part in
                let status = part.withUnsafeBytes { bytes in
                    PQputCopyData(
                        connection, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
                }
                // The result gives the reason.
                return status == 1
            }
        } catch {
            failure = error
        }
        _ = PQputCopyEnd(connection, failure == nil ? nil : "a row could not be sent")
        while let result = PQgetResult(connection) {
            defer { PQclear(result) }
            do {
                try check(result)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        try run("INSERT INTO \(insertion.table) (\(columns)) SELECT \(columns) FROM \(table) \(insertion.conflict)")
    }

    /// Inserts rows as 8-byte numbers, most significant byte first, which the server processes faster than texts or
    /// arrays.
    private func insert(_ insertion: SQLInsertion, _ values: ArraySlice<Int64?>) throws {
        let width = insertion.columns.count
        let rows = values.count / width
        let statement = try prepare("\(insertion.table) \(rows)", integers: values.count) {
            Self.text(of: insertion, rows: rows)
        }
        let bytes = values.map { ($0 ?? 0).bigEndian }
        let result = bytes.withUnsafeBytes { bytes in
            let pointers = values.enumerated().map { index, value in
                value == nil
                    ? nil : bytes.baseAddress?.advanced(by: 8 * index).assumingMemoryBound(to: CChar.self)
            }
            let size = [Int32](repeating: 8, count: values.count)
            let format = [Int32](repeating: 1, count: values.count)
            return PQexecPrepared(connection, statement, Int32(values.count), pointers, size, format, 0)
        }
        defer { PQclear(result) }
        try check(result)
    }

    private static func text(of insertion: SQLInsertion, rows: Int) -> String {
        let width = insertion.columns.count
        let values = (0..<rows).map { row in
            "(" + (1...width).map { "$\(row * width + $0)" }.joined(separator: ", ") + ")"
        }
        return "INSERT INTO \(insertion.table) (\(insertion.columns.joined(separator: ", "))) "
            + "VALUES \(values.joined(separator: ", ")) \(insertion.conflict)"
    }

    /// Returns the statement in which each column is one array, so that one statement takes any number of rows.
    private func text(of insertion: SQLInsertion, types: [String]) -> String {
        let arrays = types.enumerated().map { "$\($0 + 1)::\($1)[]" }.joined(separator: ", ")
        return "INSERT INTO \(insertion.table) (\(insertion.columns.joined(separator: ", "))) "
            + "SELECT * FROM unnest(\(arrays)) \(insertion.conflict)"
    }

    func insert(_ insertion: SQLInsertion, rows: [[SQLValue]], _ body: (SQLRow) throws -> Void) throws {
        guard let first = rows.first else { return }
        var arrays = first.map(PostgreSQLArray.init(like:))
        for row in rows { for (column, value) in row.enumerated() { try arrays[column].append(value) } }
        try query(text(of: insertion, types: arrays.map(\.type)), arrays, body)
    }

    func find(
        _ columns: String, in table: String, where column: String, is texts: [String], isLocking: Bool,
        _ body: (SQLRow) throws -> Void
    ) throws {
        if texts.isEmpty { return }
        var array = PostgreSQLArray(like: .text(nil))
        for text in texts { try array.append(.text(text)) }
        try query(
            "SELECT \(columns) FROM \(table) WHERE \(column) = ANY($1::text[]) ORDER BY \(column)"
                + (isLocking ? " FOR UPDATE" : ""),
            [array], body)
    }

    /// Reads rows of a table by ranges of keys. In a join with a list of ranges, each range is looked up only in the
    /// partition of its day; with `IN`, the server looks for all values in all partitions.
    func rows(of table: String, in ranges: [ClosedRange<Int64>], _ body: (SQLRow) throws -> Void) throws {
        if ranges.isEmpty { return }
        var bounds = (PostgreSQLArray(like: .integer(nil)), PostgreSQLArray(like: .integer(nil)))
        for range in ranges {
            try bounds.0.append(.integer(range.lowerBound))
            try bounds.1.append(.integer(range.upperBound))
        }
        try query(
            "SELECT id, content FROM unnest($1::bigint[], $2::bigint[]) AS range (first, last) "
                + "JOIN \(table) ON id BETWEEN first AND last",
            [bounds.0, bounds.1], resultIsBinary: true, body)
    }

    private func query(
        _ sql: String, _ arrays: [PostgreSQLArray], resultIsBinary: Bool = false, _ body: (SQLRow) throws -> Void
    ) throws {
        let values = arrays.map(\.bytes)
        let statement = try prepare(sql)
        // In one buffer, so that each array has a stable address during the call.
        let all = values.reduce(into: [UInt8]()) { $0 += $1 }
        let answer = all.withUnsafeBytes { all in
            var start = 0
            let pointers = values.map { value in
                defer { start += value.count }
                return all.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self)
            }
            let formats = [Int32](repeating: 1, count: values.count)
            return PQexecPrepared(
                connection, statement, Int32(values.count), pointers, values.map { Int32($0.count) }, formats,
                resultIsBinary ? 1 : 0)
        }
        let result = try checked(answer)
        defer { PQclear(result) }
        for row in 0..<PQntuples(result) { try body(SQLRow(source: .postgreSQL(result, row))) }
    }

    private func send(_ sql: String, _ arguments: [SQLValue], keepsStatement: Bool) throws -> OpaquePointer {
        let texts: [String?] = arguments.map { argument in
            switch argument {
            case .integer(let value): value.map { String($0) }
            case .text(let value): value
            case .blob(let bytes): PostgreSQLBytes.text(bytes)
            }
        }
        guard texts.allSatisfy({ $0?.utf8.contains(0) != true }) else { throw StoreError.nul }
        let count = Int32(texts.count)
        let result = try withPointers(texts) { pointers in
            if keepsStatement {
                let statement = try prepare(sql)
                return PQexecPrepared(connection, statement, count, pointers, nil, nil, 0)
            }
            return PQexecParams(connection, sql, count, nil, pointers, nil, nil, 0)
        }
        return try checked(result)
    }

    private func checked(_ result: OpaquePointer?) throws -> OpaquePointer {
        do {
            try check(result)
        } catch {
            PQclear(result)
            throw error
        }
        guard let result else { throw StoreError("\(name): out of memory while reading a result") }
        return result
    }

    private func withPointers<Value>(
        _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) throws -> Value
    ) rethrows -> Value {
        let copies = texts.map { $0.map { strdup($0) } ?? nil }
        defer { for copy in copies { free(copy) } }
        return try copies.map { UnsafePointer($0) }.withUnsafeBufferPointer { try body($0.baseAddress) }
    }

    /// Returns the name of a prepared statement; prepares it first if needed.
    ///
    /// - Parameters:
    ///   - key: key of the statement: its text, or something shorter.
    ///   - integers: number of arguments, all of them 8-byte integers; 0: the server infers the types.
    private func prepare(_ key: String, integers: Int = 0, text: (() -> String)? = nil) throws -> String {
        if let statement = prepared[key] { return statement }
        let sql = text?() ?? key
        if prepared.count >= Self.mostPrepared {
            try run("DEALLOCATE ALL")
            prepared = [:]
        }
        let statement = "s\(prepared.count)"
        // The object identifier of the type bigint (pg_type.dat).
        let types = [Oid](repeating: 20, count: integers)
        let result = PQprepare(connection, statement, sql, Int32(integers), types)
        defer { PQclear(result) }
        try check(result)
        prepared[key] = statement
        return statement
    }

    private func check(_ result: OpaquePointer?) throws {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return
        default:
            let isLost = PQstatus(connection) != CONNECTION_OK
            var error = StoreError(
                "\(name): \(PostgreSQLConnection.message(connection))",
                remedy: isLost
                    ? "check that the server is running; records that were not stored are re-delivered"
                    : hasState(of: ["55P03"], result)
                        ? "none needed if a backup is being made: the next try succeeds when it has ended" : nil,
                exitStatus: isLost ? .unavailable : isOfData(result) ? .data : .inputOutput)
            // Deadlocks and serialization failures (appendix A).
            error.isConflict = hasState(of: ["40"], result)
            throw error
        }
    }

    /// Whether the error is caused by the data: cardinality, values, constraints or limits of the server (PostgreSQL
    /// 15, appendix A). The same statement would fail again.
    private func isOfData(_ result: OpaquePointer?) -> Bool { hasState(of: ["21", "22", "23", "54"], result) }

    private func hasState(of prefixes: [String], _ result: OpaquePointer?) -> Bool {
        guard let field = PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else { return false }
        let state = String(cString: field)
        return prefixes.contains { state.hasPrefix($0) }
    }
}

/// The tables of a matcher's store as an earlier version of the program created them, with rows in all of them.
///
/// `Tests/StoreSchemas` has the statements of each version, for each database.
package struct FormerTables: Sendable {
    package static let versions = 3...15

    package struct Table: Sendable {
        package var name: String
        package var columns: [(name: String, type: String)]
    }

    package let version: Int
    package let isPostgreSQL: Bool
    /// Statements that create the tables.
    package let statements: [String]
    package let tables: [Table]

    package init(version: Int, isPostgreSQL: Bool) throws {
        self.version = version
        self.isPostgreSQL = isPostgreSQL
        let path = "Tests/StoreSchemas/\(version).\(isPostgreSQL ? "postgresql" : "sqlite").sql"
        let lines = String(decoding: try Repository.read(path), as: UTF8.self).split(separator: "\n")
        statements = lines.filter { !$0.hasPrefix("--") }.map { String($0.dropLast()) }
        tables = statements.compactMap { Self.table($0) }
    }

    private static func table(_ statement: String) -> Table? {
        let words = statement.split(separator: " ", maxSplits: 3)
        guard words.count == 4, words[0] == "CREATE", words[1] == "TABLE" else { return nil }
        var columns: [(name: String, type: String)] = []
        var depth = 0
        var part = ""
        for character in words[3] {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if depth == 1, character == "(" { continue }
            guard depth == 0 || depth == 1 && character == "," else {
                part.append(character)
                continue
            }
            let names = part.split(separator: " ")
            if names.count > 1, names[0] != "PRIMARY", names[0] != "UNIQUE" {
                columns.append((String(names[0]), String(names[1])))
            }
            part = ""
            if depth == 0 { break }
        }
        return Table(name: String(words[2]), columns: columns)
    }

    /// The day of all rows, in days since 1970.
    package static let day: Int64 = 20_759

    /// Statements that fill all tables.
    ///
    /// - Parameters:
    ///   - rows: number of rows of each table.
    ///   - only: tables that are filled; `nil` for all.
    ///   - readings: keys of readings of the day.
    package func rows(_ rows: Int, only: Set<String>? = nil, readings: Range<Int64>) -> [String] {
        var statements: [String] = []
        if isPostgreSQL {
            statements.append(
                "CREATE TABLE interaction_\(Self.day) PARTITION OF interaction FOR VALUES FROM (\(Self.day * 86_400)) "
                    + "TO (\((Self.day + 1) * 86_400))")
        }
        for table in tables where !["schema_version", "extent", "interaction"].contains(table.name) {
            if let only, !only.contains(table.name) { continue }
            let isOfReadings = ["listening", "vectors", "company"].contains(table.name)
            if isPostgreSQL, isOfReadings {
                statements.append(
                    "CREATE TABLE \(table.name)_\(Self.day) PARTITION OF \(table.name) "
                        + "FOR VALUES FROM (\(readings.lowerBound)) TO (\(readings.upperBound))")
            }
            let values = (1...rows).map { row in
                "("
                    + table.columns.map { column in
                        isOfReadings && column.name == "id"
                            ? "\(readings.lowerBound + Int64(row))" : value(of: column, in: table.name, row)
                    }.joined(separator: ", ") + ")"
            }
            statements.append(
                "INSERT INTO \(table.name) (\(table.columns.map(\.name).joined(separator: ", "))) "
                    + "VALUES \(values.joined(separator: ", "))")
        }
        return statements
    }

    private func value(of column: (name: String, type: String), in table: String, _ row: Int) -> String {
        switch (table, column.name) {
        case ("exposure", "document"), ("notice", "content"): return "''"
        case (_, "pending"), (_, "clock"), (_, "matched"): return "0"
        default: break
        }
        return switch column.type {
        case "TEXT": "'\(column.name) \(row)'"
        case "BLOB": "X'0\(row % 10)'"
        case "BYTEA": "'\\x0\(row % 10)'"
        default: "\(row)"
        }
    }

    /// Statements that insert interactions of twelve subjects at four places, and how long the longest of them is.
    package static func interactions(_ count: Int, _ random: inout SeededGenerator) -> [String] {
        stride(from: 0, to: count, by: 500).map { first in
            let values = (first..<min(first + 500, count)).map { number in
                let started = day * 86_400 + Int64.random(in: 0..<80_000, using: &random)
                let distance = Int64.random(in: 20...900, using: &random)
                let ended = started + Int64.random(in: 0...5000, using: &random)
                return "(\(Int.random(in: 1...4, using: &random)), \(started), 1, \(number + 1), "
                    + "\(Int.random(in: 1...12, using: &random)), \(ended), 1, 1, \(number + 1), 9, -60, \(distance), "
                    + "\(distance / 2), \(distance * 2), 900, 1000, 60, 60, 1)"
            }
            return "INSERT INTO interaction (place, started, origin, number, subject, ended, state, boot, sequence, "
                + "samples, rssi, distance, lower_bound, upper_bound, within_3m, within_6m, seconds_3m, seconds_6m, "
                + "clock) VALUES \(values.joined(separator: ", "))"
        } + ["UPDATE extent SET longest = 5000"]
    }

    /// Statements that insert exposures and notices as versions 3 to 8 kept them.
    package static func notices(_ count: Int, from first: Int = 100) -> [String] {
        stride(from: 0, to: count, by: 500).flatMap { start in
            let rows = start..<min(start + 500, count)
            let content =
                #"{"exposures":2,"label":"x","latest":"2026-11-02T00:00:00Z","level":"high","missing":[],"#
                + #""policy":{"name":"further","version":"2"}}"#
            return [
                "INSERT INTO notice (kind, name, content, changed, delivered, seen, stale) VALUES "
                    + rows.map { "('phone', 'p\(first + $0)', '\(content)', 5, 1, 1, -3)" }.joined(separator: ", "),
                "INSERT INTO exposure (report, kind, name, place, started, ended, milliminutes, document) VALUES "
                    + rows.map { "(1, 'phone', 'p\(first + $0)', 1, \(day * 86_400), \(day * 86_400 + 600), 9500, '')" }
                    .joined(separator: ", "),
            ]
        }
    }
}

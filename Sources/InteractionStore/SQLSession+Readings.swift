import Evidence
import Matching

extension SQLSession {
    func keys(_ numbers: some Sequence<Int64>, of block: ReadingBlock) -> [Int64] {
        numbers.map { ReadingKey(block, $0).rawValue }.sorted()
    }

    /// Reads rows of a table of readings by their keys: keys and contents.
    ///
    /// - Parameter keys: ascending, without duplicates.
    func rows(_ table: String, _ keys: [Int64], _ body: (SQLRow) throws -> Void) throws {
        try rows(of: table, in: Self.ranges(keys), body)
    }

    /// Returns the keys as ranges, with consecutive keys in one range.
    private static func ranges(_ keys: [Int64]) -> [ClosedRange<Int64>] {
        var ranges: [ClosedRange<Int64>] = []
        for key in keys {
            if let last = ranges.last, last.upperBound == key - 1 {
                ranges[ranges.count - 1] = last.lowerBound...key
            } else {
                ranges.append(key...key)
            }
        }
        return ranges
    }

    /// Reads the readings of a block that are not settled: the receiver and content of each.
    package func readings(of block: ReadingBlock, _ body: (Int64, [UInt8]) -> Void) throws {
        try query("SELECT receiver, content FROM reading WHERE block = $1", [.integer(block.number)]) { row in
            // Skips invalid rows from other writers.
            if ReadingKey.isNumber(row.integer(0)) { body(row.integer(0), row.blob(1)) }
        }
    }

    /// Deletes readings of a block by their receivers, boots and sequences; consecutive sequences in one statement.
    func deleteReadings(_ keys: [[Int64]], of block: ReadingBlock) throws {
        var runs: [(first: [Int64], last: [Int64])] = []
        for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            if let last = runs.last?.last, last[0] == key[0], last[1] == key[1], last[2] &+ 1 == key[2] {
                runs[runs.count - 1].last = key
            } else {
                runs.append((key, key))
            }
        }
        for run in runs {
            try execute(
                "DELETE FROM reading WHERE block = $1 AND receiver = $2 AND boot = $3 AND sequence BETWEEN $4 AND $5",
                ([block.number] + run.first + [run.last[2]]).map { .integer($0) })
        }
    }
}

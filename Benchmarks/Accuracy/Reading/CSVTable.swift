/// A file of comma-separated values whose first line names the columns.
struct CSVTable {
    /// One row, by the names of the columns.
    struct Row {
        fileprivate let columns: [String: Int]
        let fields: [Substring]

        /// `nil` when there is no such column.
        subscript(_ column: String) -> Substring? { columns[column].map { fields[$0] } }
        func number(_ column: String) -> Double? { self[column].flatMap(CSV.number) }
    }

    private(set) var rows = 0
    private(set) var malformed = 0
    private(set) var columns: [String] = []

    /// The most rows that are read of a file.
    static let mostRows = 5_000_000

    /// Reads all rows and gives those that have as many fields as the header to `take`, which says whether a row was
    /// what it should be. `nil` when the file can't be opened or has no header with all of `needed`.
    init?(_ path: String, needed: [String], _ take: (Row) -> Bool) {
        guard var lines = LineReader(path), let header = lines.next().flatMap(CSV.fields) else { return nil }
        columns = header.map(String.init)
        var indices: [String: Int] = [:]
        for (index, name) in columns.enumerated() where indices[name] == nil { indices[name] = index }
        guard needed.allSatisfy({ indices[$0] != nil }) else { return nil }
        while rows < Self.mostRows, let line = lines.next() {
            if line.isEmpty { continue }
            rows += 1
            guard let fields = CSV.fields(line), fields.count == columns.count,
                take(Row(columns: indices, fields: fields))
            else {
                malformed += 1
                continue
            }
        }
        rows += lines.overlong
        malformed += lines.overlong
    }
}

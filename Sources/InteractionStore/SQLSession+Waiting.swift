import Matching

extension SQLSession {
    func waiting(of report: Int64) throws -> FiledReport.Waiting {
        try first(
            "SELECT (SELECT count(*) FROM (SELECT DISTINCT kind, name FROM report_subject WHERE report = $1 AND pending = 1) "
                + "AS waiting), (SELECT count(*) FROM positive WHERE report = $1 AND pending = 1)", [.integer(report)]
        ) { FiledReport.Waiting(names: Int($0.integer(0)), entries: Int($0.integer(1))) } ?? .init()
    }

    /// Whether each of some entries is in the list of positives, or is to be, by another's report, or any of them was
    /// published and withdrawn. Entries that wait for confirmation do not count: they are not public.
    ///
    /// - Parameter reports: reports of the same reporter, whose entries count again.
    func areListed(_ entries: [PositiveReport.Entry], but reports: Set<Int64>) throws -> Bool {
        var isListed = !entries.isEmpty
        for (scheme, entries) in Dictionary(grouping: entries, by: \.scheme) {
            let values = Set(entries.map(\.value)).sorted()
            // A statement has at most 32 arguments.
            for start in stride(from: 0, to: values.count, by: 30) {
                let part = values[start..<min(start + 30, values.count)]
                let list = part.indices.map { "$\($0 - start + 2)" }.joined(separator: ", ")
                var listed: Set<String> = []
                var isTakenBack = false
                try query(
                    "SELECT value, report, pending FROM positive WHERE scheme = $1 AND pending <> 1 AND value IN (\(list))",
                    [.text(scheme)] + part.map { .text($0) }, keepsStatement: false
                ) { row in
                    if row.integer(2) == 2 { isTakenBack = true }
                    if !reports.contains(row.integer(1)) { listed.insert(row.text(0) ?? "") }
                }
                // Otherwise the same key with one more interval would count as a new one.
                if isTakenBack { return true }
                isListed = isListed && listed.count == part.count
            }
        }
        return isListed
    }
}

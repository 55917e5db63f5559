package import BeaconModel
package import RecordContract

/// The known state of an outbox before it is opened, and conclusions about missing records.
package struct OutboxBefore: Sendable {
    package var files: OutboxFilesFound
    /// The kept state; `nil` if the outbox is new, or older than such a state.
    package var state: OutboxState?
    /// Bytes at the end of the write-ahead log that belong to an incomplete transaction.
    package var unfinishedBytes = 0

    package init(files: OutboxFilesFound, state: OutboxState? = nil, unfinishedBytes: Int = 0) {
        self.files = files
        self.state = state
        self.unfinishedBytes = unfinishedBytes
    }

    /// Returns the findings to report, and the number of records that are certainly lost.
    package func missing(_ found: OutboxFound, now: ClockReading, path: String) -> (
        findings: [OutboxFinding], certain: Int
    ) {
        var findings: [OutboxFinding] = []
        let lost = found.missing
        // After a power failure the state can be older than the database; records that seem to be missing were then
        // delivered.
        let isCertain =
            state.map { $0.isClosed || (!now.bootID.isEmpty && $0.clock.reading.bootID == now.bootID) } ?? false
        if unfinishedBytes > 0 {
            let remedy =
                if lost != nil, isCertain {
                    "check the disk, and for other programs that write there: more is missing than after a power cut "
                        + "or kill -9"
                } else if state != nil, isCertain {
                    "none needed: the interrupted write was not complete, and nothing that was on disk is missing; "
                        + "records that were only in memory, for example because the disk was full, are lost"
                } else {
                    "none needed after a power cut or kill -9: the interrupted write was not complete; otherwise "
                        + "records are lost, as gaps in `sequence` show"
                }
            findings.append(
                OutboxFinding(
                    "the last \(unfinishedBytes) bytes of the outbox's write-ahead log \(path)-wal are unfinished",
                    remedy: remedy))
        }
        guard let state else { return (findings, 0) }
        let isLogMissing = !state.isClosed && !files.hasLog
        guard let lost, isCertain || isLogMissing || files.isEmpty else { return (findings, 0) }
        let cause =
            if files.isEmpty {
                files.hasLog
                    ? "the file was empty or missing" : "the file and its write-ahead log were empty or missing"
            } else if isLogMissing {
                "its write-ahead log is missing"
            } else if unfinishedBytes > 0 {
                "its write-ahead log ends too early"
            } else {
                "its contents are older than before"
            }
        findings.append(
            OutboxFinding(
                "\(isCertain ? "" : "up to ")\(lost.count) records that waited in the outbox \(path) are lost: \(cause);"
                    + " the gap is from \(lost.oldest) to \(lost.newest)",
                remedy:
                    "restore the files from a backup if there is one; otherwise check the disk, and for other "
                    + "programs that write there"
            ))
        return (findings, isCertain ? lost.count : 0)
    }
}

/// Count of the records found in an outbox, compared with those that it had.
package struct OutboxFound: Sendable {
    package let holding: OutboxState.Holding?
    package var count = 0
    private var newest: RecordPosition?

    package init(holding: OutboxState.Holding?) { self.holding = holding }

    package mutating func count(_ row: OutboxRow) {
        guard let holding, row.id <= holding.newestID, row.position >= holding.oldest else { return }
        count += 1
        newest = max(newest ?? row.position, row.position)
    }

    /// The minimum number of missing records, and their range; `nil` if none is missing.
    package var missing: OutboxLoss? {
        guard let holding, holding.count > count else { return nil }
        var oldest = holding.oldest
        if let newest, newest < holding.newest {
            oldest = RecordPosition(
                boot: newest.boot, sequence: newest.sequence.addingReportingOverflow(1).partialValue)
        }
        return OutboxLoss(count: holding.count - count, oldest: oldest, newest: holding.newest)
    }
}

extension OutboxState.Holding {
    /// Creates a summary of the records on disk.
    ///
    /// - Returns: `nil` if there are no records.
    package init?(_ count: Int, newest: (id: Int64, position: RecordPosition)?, oldest: RecordPosition?) {
        guard count > 0, let newest, let oldest else { return nil }
        self.init(
            count: count, newestID: newest.id, newest: max(newest.position, oldest),
            oldest: min(newest.position, oldest))
    }
}

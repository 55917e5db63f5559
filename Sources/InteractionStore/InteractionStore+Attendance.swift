package import Attendance

extension InteractionStore {
    /// Records that a student signed for a lecture; an earlier signature stays unchanged.
    ///
    /// - Parameter time: time in which the lecture can be signed for, in seconds since 1970. An earlier signature from
    ///   outside it is replaced: the lecture was moved since.
    /// - Returns: the time of the first signature, in seconds since 1970; `checkIn.at` if this is the first.
    /// - Throws: `StoreError`.
    package func checkIn(_ checkIn: CheckIn, during time: Range<Int64> = Int64.min..<Int64.max) throws -> Int64 {
        try database.write { session in
            try session.lockShared()
            try session.execute(
                "INSERT INTO check_in (lecture, student, at, room) VALUES ($1, $2, $3, $4) "
                    + "ON CONFLICT (lecture, student) DO UPDATE SET at = excluded.at, room = excluded.room "
                    + "WHERE check_in.at < $5 OR check_in.at >= $6",
                [
                    .text(checkIn.lecture), .text(checkIn.student), .integer(checkIn.at), .text(checkIn.room),
                    .integer(time.lowerBound), .integer(time.upperBound),
                ])
            return try session.first(
                "SELECT at FROM check_in WHERE lecture = $1 AND student = $2",
                [.text(checkIn.lecture), .text(checkIn.student)]
            ) { $0.integer(0) } ?? checkIn.at
        }
    }

    /// Returns the signatures for a lecture, of one student or by student.
    ///
    /// - Throws: `StoreError`.
    package func checkIns(lecture: String, student: String? = nil) throws -> [CheckIn] {
        let (condition, arguments) = Self.entries(lecture: lecture, student: student)
        return try checkIns("WHERE \(condition) ORDER BY student", arguments)
    }

    /// Returns the condition for the rows of a lecture, of one student or of all.
    private static func entries(lecture: String, student: String?) -> (condition: String, arguments: [SQLValue]) {
        guard let student else { return ("lecture = $1", [.text(lecture)]) }
        return ("lecture = $1 AND student = $2", [.text(lecture), .text(student)])
    }

    /// Returns a student's signatures since a time in seconds since 1970, in chronological order.
    ///
    /// - Throws: `StoreError`.
    package func checkIns(student: String, since: Int64) throws -> [CheckIn] {
        try checkIns("WHERE student = $1 AND at >= $2 ORDER BY at, lecture", [.text(student), .integer(since)])
    }

    private func checkIns(_ condition: String, _ arguments: [SQLValue]) throws -> [CheckIn] {
        try database.read { session in
            var found: [CheckIn] = []
            try session.query("SELECT lecture, student, at, room FROM check_in " + condition, arguments) { row in
                guard let lecture = row.text(0), let student = row.text(1), let room = row.text(3) else { return }
                found.append(CheckIn(lecture: lecture, student: student, at: row.integer(2), room: room))
            }
            return found
        }
    }

    /// Adds a correction; earlier ones are kept.
    ///
    /// - Parameter audit: entry of the audit, which is stored in the same transaction.
    /// - Throws: `StoreError`.
    package func correct(_ correction: Correction, audit: AuditEntry? = nil) throws {
        try database.write { session in
            try session.lockShared()
            try session.note(audit)
            try session.execute(
                "INSERT INTO correction (lecture, student, at, by_whom, reason, status_before, status_after, "
                    + "lecture_start, lecture_end) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                [
                    .text(correction.lecture), .text(correction.student), .integer(correction.at), .text(correction.by),
                    .text(correction.reason), .text(correction.from.rawValue), .text(correction.to.rawValue),
                    .integer(correction.time?.start), .integer(correction.time?.end),
                ])
        }
    }

    /// Returns all corrections, in the order in which they were made.
    ///
    /// - Throws: `StoreError`.
    package func corrections() throws -> [Correction] { try corrections("", []) }

    /// Returns the corrections for a lecture, of one student or of all, in the order in which they were made.
    ///
    /// - Throws: `StoreError`.
    package func corrections(lecture: String, student: String? = nil) throws -> [Correction] {
        let (condition, arguments) = Self.entries(lecture: lecture, student: student)
        return try corrections("WHERE \(condition) ", arguments)
    }

    /// Returns the latest corrections, the last one first.
    ///
    /// - Throws: `StoreError`.
    package func latestCorrections(limit: Int) throws -> [Correction] {
        try corrections("", order: "ORDER BY id DESC LIMIT \(max(0, limit))", [])
    }

    private func corrections(
        _ condition: String, order: String = "ORDER BY id", _ arguments: [SQLValue]
    ) throws -> [Correction] {
        try database.read { session in
            var found: [Correction] = []
            try session.query(
                "SELECT lecture, student, at, by_whom, reason, status_before, status_after, lecture_start, lecture_end "
                    + "FROM correction " + condition + order, arguments
            ) { row in
                guard let from = AttendanceStatus(rawValue: row.text(5) ?? ""),
                    let to = AttendanceStatus(rawValue: row.text(6) ?? "")
                else { return }
                found.append(
                    Correction(
                        lecture: row.text(0) ?? "", student: row.text(1) ?? "", time: row.lectureTime(7),
                        at: row.integer(2), by: row.text(3) ?? "", reason: row.text(4) ?? "", from: from, to: to))
            }
            return found
        }
    }

    /// Stores verdicts, replacing earlier verdicts on the same lectures and students.
    ///
    /// - Throws: `StoreError`.
    package func settle(_ verdicts: [SettledVerdict]) throws {
        if verdicts.isEmpty { return }
        try database.write { session in
            try session.lockShared()
            // The same order everywhere, so that two processes do not deadlock.
            let rows = verdicts.sorted { ($0.lecture, $0.student) < ($1.lecture, $1.student) }.map {
                [
                    .text($0.lecture), .text($0.student), .text($0.status.rawValue), .integer($0.dwell),
                    .integer($0.firstSeen), .integer($0.lastSeen), .integer($0.clockIsSynchronized ? 1 : 0),
                    .integer($0.time?.start), .integer($0.time?.end),
                ] as [SQLValue]
            }
            try session.insert(StoreSchema.attendanceInsertion, rows: rows) { _ in }
        }
    }

    /// Returns the stored verdicts of a lecture, of one student or by student.
    ///
    /// - Throws: `StoreError`.
    package func settledVerdicts(lecture: String, student: String? = nil) throws -> [SettledVerdict] {
        let (condition, arguments) = Self.entries(lecture: lecture, student: student)
        return try database.read { session in
            var found: [SettledVerdict] = []
            try session.query(
                "SELECT student, status, dwell, first_seen, last_seen, clock, lecture_start, lecture_end "
                    + "FROM attendance WHERE \(condition) ORDER BY student", arguments
            ) { row in
                guard let student = row.text(0), let status = AttendanceStatus(rawValue: row.text(1) ?? "") else {
                    return
                }
                found.append(
                    SettledVerdict(
                        lecture: lecture, student: student, time: row.lectureTime(6), status: status,
                        dwell: row.integer(2), firstSeen: row.optionalInteger(3), lastSeen: row.optionalInteger(4),
                        clockIsSynchronized: row.integer(5) != 0))
            }
            return found
        }
    }
}

extension SQLRow {
    /// Returns the time of a lecture from two columns; `nil` for nulls.
    fileprivate func lectureTime(_ column: Int32) -> LectureTime? {
        guard let start = optionalInteger(column), let end = optionalInteger(column + 1) else { return nil }
        return LectureTime(start: start, end: end)
    }
}

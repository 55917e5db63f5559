extension StoreSchema {
    /// Returns the statements for the tables of signatures for lectures, manual corrections, and settled verdicts. All
    /// name students as the roster does, never by the devices that they carry: nothing of an erased badge or phone is
    /// left here.
    static func attendance(_ dialect: SQLDialect) -> [String] {
        [
            // Seconds since 1970.
            """
            CREATE TABLE check_in (lecture TEXT NOT NULL, student TEXT NOT NULL, at BIGINT NOT NULL, \
            room TEXT NOT NULL, PRIMARY KEY (lecture, student))
            """,
            "CREATE INDEX check_in_by_student ON check_in (student, at)",
            // Rows are only ever added; `id` is their order. `lecture_start` and `lecture_end`, here and below: time of
            // the lecture then, which the timetable can change; null before this was recorded.
            """
            CREATE TABLE correction (id \(dialect.identity), lecture TEXT NOT NULL, student TEXT NOT NULL, \
            at BIGINT NOT NULL, by_whom TEXT NOT NULL, reason TEXT NOT NULL, status_before TEXT NOT NULL, \
            status_after TEXT NOT NULL, lecture_start BIGINT, lecture_end BIGINT)
            """,
            // Verdicts on lectures whose interactions are about to be deleted; in seconds, and seconds since 1970.
            // `clock`: 0 where a gateway's clock was not synchronized.
            """
            CREATE TABLE attendance (lecture TEXT NOT NULL, student TEXT NOT NULL, status TEXT NOT NULL, \
            dwell BIGINT NOT NULL, first_seen BIGINT, last_seen BIGINT, clock SMALLINT NOT NULL DEFAULT 1, \
            lecture_start BIGINT, lecture_end BIGINT, PRIMARY KEY (lecture, student))
            """,
            "CREATE INDEX correction_by_lecture ON correction (lecture, student)",
        ]
    }

    /// Change of version 15: the time of the lecture beside what was recorded about it.
    static let lectureTimes = ["correction", "attendance"].flatMap { table in
        ["lecture_start", "lecture_end"].map { "ALTER TABLE \(table) ADD COLUMN \($0) BIGINT" }
    }

    /// Tables that name students.
    static let studentTables = ["check_in", "correction", "attendance"]

    static let attendanceInsertion = SQLInsertion(
        table: "attendance",
        columns: [
            "lecture", "student", "status", "dwell", "first_seen", "last_seen", "clock", "lecture_start", "lecture_end",
        ],
        conflict: "ON CONFLICT (lecture, student) DO UPDATE SET status = excluded.status, dwell = excluded.dwell, "
            + "first_seen = excluded.first_seen, last_seen = excluded.last_seen, clock = excluded.clock, "
            + "lecture_start = excluded.lecture_start, lecture_end = excluded.lecture_end")
}

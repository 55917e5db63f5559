import Evidence

/// Days for which PostgreSQL has a table of their own, so that a day can be dropped instead of deleted. SQLite has
/// none.
struct DayPartitions {
    /// Days since 1970 whose tables exist, as far as this process knows.
    private var interactions: Set<Int64> = []
    private var readings: Set<Int64> = []

    /// Creates the tables of interactions that began on some days.
    mutating func makeInteractions(of days: Set<Int64>, _ session: any SQLSession) throws {
        guard session.dialect == .postgreSQL else { return }
        let new = days.subtracting(interactions)
        if new.isEmpty { return }
        // Of two processes that create a table at the same time, the later would fail.
        try session.lockTables()
        for day in new.sorted() {
            try makePartition(
                of: "interaction", day: day, from: day * InteractionStore.day, to: (day + 1) * InteractionStore.day,
                session)
            interactions.insert(day)
        }
    }

    /// Creates the tables whose rows have a `ReadingKey`.
    ///
    /// - Parameter days: days since 1970, UTC.
    mutating func makeReadings(of days: Set<Int64>, _ session: any SQLSession) throws {
        guard session.dialect == .postgreSQL else { return }
        let new = days.subtracting(readings)
        if new.isEmpty { return }
        try session.lockTables()
        for day in new.sorted() {
            for table in StoreSchema.readingTables {
                try makePartition(
                    of: table, day: day, from: ReadingKey.first(ofDay: day), to: ReadingKey.first(ofDay: day + 1),
                    session)
            }
            readings.insert(day)
        }
    }

    /// Creates the table of a day, and then attaches it. `CREATE TABLE ... PARTITION OF` would wait for all who read the
    /// table, such as a backup, and everybody else would wait for it.
    private func makePartition(
        of table: String, day: Int64, from first: Int64, to end: Int64, _ session: any SQLSession
    ) throws {
        let name = "\(table)_\(day)"
        if try session.hasTable(name) { return }
        try session.execute("CREATE TABLE \(name) (LIKE \(table) INCLUDING DEFAULTS)")
        try session.execute("ALTER TABLE \(table) ATTACH PARTITION \(name) FOR VALUES FROM (\(first)) TO (\(end))")
    }

    /// Forgets that a day has a table of interactions.
    mutating func forgetInteractions(of day: Int64) { interactions.remove(day) }

    /// Forgets that a day has tables of readings.
    mutating func forgetReadings(of day: Int64) { readings.remove(day) }
}

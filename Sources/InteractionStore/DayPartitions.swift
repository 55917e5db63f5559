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
        // Of two processes that create a table at the same time, the later would fail despite `IF NOT EXISTS`.
        try session.lockTables()
        for day in new.sorted() {
            try session.execute(
                """
                CREATE TABLE IF NOT EXISTS interaction_\(day) PARTITION OF interaction \
                FOR VALUES FROM (\(day * InteractionStore.day)) TO (\((day + 1) * InteractionStore.day))
                """)
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
                try session.execute(
                    """
                    CREATE TABLE IF NOT EXISTS \(table)_\(day) PARTITION OF \(table) \
                    FOR VALUES FROM (\(ReadingKey.first(ofDay: day))) TO (\(ReadingKey.first(ofDay: day + 1)))
                    """)
            }
            readings.insert(day)
        }
    }

    /// Forgets that a day has a table of interactions.
    mutating func forgetInteractions(of day: Int64) { interactions.remove(day) }

    /// Forgets that a day has tables of readings.
    mutating func forgetReadings(of day: Int64) { readings.remove(day) }
}

extension StoreSchema {
    /// Returns the statements for the tables of settled positions, of surveys, and of offsets that were learnt.
    ///
    /// Units: seconds since 1970, millimetres on the floor's plan, thousandths of probabilities, hundredths of dBm,
    /// thousandths of dB and of dB². `located_until` has the end of the last block whose stays are located, by
    /// building; `relocation` the earlier blocks whose readings came late, with the number of times that happened.
    static func locatedStays(_ dialect: SQLDialect) -> [String] {
        [
            """
            CREATE TABLE located_stay (subject BIGINT NOT NULL, started BIGINT NOT NULL, ended BIGINT NOT NULL, \
            building TEXT NOT NULL, floor TEXT NOT NULL, room TEXT, probability BIGINT NOT NULL, x BIGINT NOT NULL, y BIGINT NOT NULL, \
            radius BIGINT NOT NULL, surveyed BIGINT NOT NULL, rooms \(dialect.blob) NOT NULL, \
            PRIMARY KEY (subject, started))
            """,
            "CREATE INDEX located_stay_by_floor ON located_stay (floor, started)",
            "CREATE TABLE located_until (building TEXT PRIMARY KEY, until BIGINT NOT NULL)",
            """
            CREATE TABLE relocation (building TEXT NOT NULL, block BIGINT NOT NULL, revision BIGINT NOT NULL, \
            PRIMARY KEY (building, block))
            """,
            "CREATE TABLE subject_power (subject BIGINT PRIMARY KEY, mean BIGINT NOT NULL, variance BIGINT NOT NULL)",
            """
            CREATE TABLE survey_spot (id \(dialect.identity), badge TEXT NOT NULL, floor TEXT NOT NULL, \
            x BIGINT NOT NULL, y BIGINT NOT NULL, started BIGINT NOT NULL, length BIGINT NOT NULL)
            """,
            """
            CREATE TABLE survey_signal (spot BIGINT NOT NULL, receiver TEXT NOT NULL, rssi BIGINT NOT NULL, \
            seconds BIGINT NOT NULL, PRIMARY KEY (spot, receiver))
            """,
            // Versions by the time at which they were learnt; `decibels` in hundredths. `pinned`: somebody went back to
            // the used version, which later ones do not replace.
            """
            CREATE TABLE receiver_offset (building TEXT NOT NULL, learnt BIGINT NOT NULL, receiver TEXT NOT NULL, \
            decibels BIGINT NOT NULL, PRIMARY KEY (building, learnt, receiver))
            """,
            "CREATE TABLE offset_use (building TEXT PRIMARY KEY, learnt BIGINT NOT NULL, pinned BIGINT NOT NULL)",
        ]
    }

    /// The last night in which the receivers of each building were looked at, in days since 1970. `decided` is the time
    /// of the last look that chose offsets or none, in seconds since 1970, 0 before there was one; `chosen` is the time
    /// at which the version that it chose was learnt, 0 for none.
    static let receiverNights = """
        CREATE TABLE receiver_night (building TEXT PRIMARY KEY, night BIGINT NOT NULL, decided BIGINT NOT NULL, \
        chosen BIGINT NOT NULL)
        """

    static let locatedStayColumns = [
        "subject", "started", "ended", "building", "floor", "room", "probability", "x", "y", "radius", "surveyed",
        "rooms",
    ]

    static let locatedStayInsertion = SQLInsertion(
        table: "located_stay", columns: locatedStayColumns,
        conflict: "ON CONFLICT (subject, started) DO UPDATE SET "
            + locatedStayColumns.dropFirst(2).map { "\($0) = excluded.\($0)" }.joined(separator: ", "))

    static let subjectPowerInsertion = SQLInsertion(
        table: "subject_power", columns: ["subject", "mean", "variance"],
        conflict: "ON CONFLICT (subject) DO UPDATE SET mean = excluded.mean, variance = excluded.variance")

    static let offsetInsertion = SQLInsertion(
        table: "receiver_offset", columns: ["building", "learnt", "receiver", "decibels"],
        conflict: "ON CONFLICT (building, learnt, receiver) DO UPDATE SET decibels = excluded.decibels")

    static let surveySignalInsertion = SQLInsertion(
        table: "survey_signal", columns: ["spot", "receiver", "rssi", "seconds"],
        conflict: "ON CONFLICT (spot, receiver) DO NOTHING")
}

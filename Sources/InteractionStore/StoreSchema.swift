/// The tables. One text for every database but for a few words.
enum StoreSchema {
    static let version: Int64 = 8
    /// The client identifier that all matchers had before each store kept its own.
    static let formerClientID = "beacon-matcher"

    /// Columns of `interaction`, in the order in which rows are written.
    static let interactionColumns = [
        "place", "started", "origin", "number", "subject", "ended", "state", "boot", "sequence", "samples", "rssi",
        "distance", "lower_bound", "upper_bound", "within_3m", "within_6m", "seconds_3m", "seconds_6m", "clock",
    ]

    /// What a record says of an interaction besides whose it is and which record it is.
    static let contentColumns = [
        "ended", "state", "samples", "rssi", "distance", "lower_bound", "upper_bound", "within_3m", "within_6m",
        "seconds_3m", "seconds_6m", "clock",
    ]

    /// Bytes of each of them, as the table below has it: 8, unless they are SMALLINT or INTEGER.
    private static let widths = [
        "state": 2, "rssi": 2, "within_3m": 2, "within_6m": 2, "clock": 2, "distance": 4, "lower_bound": 4,
        "upper_bound": 4, "seconds_3m": 4, "seconds_6m": 4,
    ]

    static func statements(_ dialect: SQLDialect) -> [String] {
        let key = "PRIMARY KEY (place, started, origin, number)"
        let interactions =
            switch dialect {
            // The key is the table: what is near in place and time is near on disk.
            // Subjects by days, as they are in PostgreSQL's tables: what comes in is of today, and changes pages that are
            // remembered still.
            case .sqlite: (key: key, options: " WITHOUT ROWID", bySubject: "(\(day), subject, started)")
            case .postgreSQL:
                (
                    key: key + " INCLUDE (subject, ended, distance, lower_bound, upper_bound)",
                    options: " PARTITION BY RANGE (started)", bySubject: "(subject, started) INCLUDE (ended)"
                )
            }
        // `seen` is the day, since 1970, on which one was last heard of, within `NameNumbers.renewal`.
        return [
            "CREATE TABLE schema_version (version BIGINT NOT NULL)",
            "INSERT INTO schema_version VALUES (\(version))",
            // `named`: when its room was named, in the order in which rooms were; 0 before that was written down.
            """
            CREATE TABLE place (id \(dialect.identity), name TEXT NOT NULL UNIQUE, site TEXT NOT NULL, \
            building TEXT NOT NULL, floor TEXT NOT NULL, gateway TEXT NOT NULL, room TEXT, beacon TEXT, \
            seen BIGINT NOT NULL, named BIGINT NOT NULL DEFAULT 0)
            """,
            placeIndex,
            """
            CREATE TABLE subject (id \(dialect.identity), kind TEXT NOT NULL, name TEXT NOT NULL, \
            seen BIGINT NOT NULL, UNIQUE (name, kind))
            """,
            "CREATE TABLE origin (id \(dialect.identity), path TEXT NOT NULL UNIQUE, seen BIGINT NOT NULL)",
            // `heard`: when it last said that it works, in seconds since 1970.
            """
            CREATE TABLE gateway (path TEXT PRIMARY KEY, progress TEXT NOT NULL, seen BIGINT NOT NULL, \
            heard BIGINT NOT NULL DEFAULT 0)
            """,
            // Seconds since 1970, centimetres, dBm, thousandths; `number` counts the interactions of an origin.
            """
            CREATE TABLE interaction (place BIGINT NOT NULL, started BIGINT NOT NULL, origin BIGINT NOT NULL, \
            number BIGINT NOT NULL, subject BIGINT NOT NULL, ended BIGINT NOT NULL, state SMALLINT NOT NULL, \
            boot BIGINT NOT NULL, sequence BIGINT NOT NULL, samples BIGINT NOT NULL, rssi SMALLINT, \
            distance INTEGER, lower_bound INTEGER, upper_bound INTEGER, within_3m SMALLINT, within_6m SMALLINT, \
            seconds_3m INTEGER NOT NULL, seconds_6m INTEGER NOT NULL, clock SMALLINT NOT NULL, \
            \(interactions.key))\(interactions.options)
            """,
            "CREATE INDEX interaction_by_subject ON interaction \(interactions.bySubject)",
            // Places side by side, both ways; centimetres.
            """
            CREATE TABLE neighbour (place BIGINT NOT NULL, other BIGINT NOT NULL, separation BIGINT NOT NULL, \
            PRIMARY KEY (place, other))
            """,
            // The longest interaction that there ever was, in seconds: it bounds searches by the time of the start.
            "CREATE TABLE extent (longest BIGINT NOT NULL)",
            "INSERT INTO extent VALUES (0)",
            // Whose records of before that time aren't taken any more; a keyed hash stands for them.
            "CREATE TABLE erased (hash TEXT PRIMARY KEY, at BIGINT NOT NULL)",
            "CREATE TABLE secret (name TEXT PRIMARY KEY, bytes TEXT NOT NULL)",
        ] + identities(dialect) + reports(dialect) + attendance(dialect) + readings(dialect) + trust()
    }

    static let exposureIndex = "CREATE INDEX exposure_by_name ON exposure (name, kind, ended)"

    /// The latest of all rooms is asked for when another one is named.
    static let placeIndex = "CREATE INDEX place_by_named ON place (named)"

    /// The index and the table that find interactions by their id, and records by their gateway, boot and sequence.
    private static func identities(_ dialect: SQLDialect) -> [String] {
        [
            "CREATE INDEX interaction_by_id ON interaction (origin, number)",
            // Which records were taken, see `PositionMemory`; `seen` is the day, since 1970, of the latest.
            "CREATE TABLE taken (block TEXT PRIMARY KEY, digests TEXT NOT NULL, seen BIGINT NOT NULL)"
                + (dialect == .sqlite ? " WITHOUT ROWID" : ""),
        ]
    }

    /// What makes this version's tables of those of an earlier one; nothing where that can't be, or needn't.
    static func upgrade(from version: Int64, _ dialect: SQLDialect) -> [String] {
        guard (3..<self.version).contains(version) else { return [] }
        var statements: [String] = []
        if version < 4 {
            statements += identities(dialect) + ["ALTER TABLE attendance ADD COLUMN clock SMALLINT NOT NULL DEFAULT 1"]
        }
        if version < 5 { statements += readings(dialect) }
        if version < 6 { statements += trust() + trustColumns }
        if version < 7 { statements += roomOrder }
        return statements + reportedEntries(dialect) + ["UPDATE schema_version SET version = \(self.version)"]
    }

    /// The day on which an interaction began, since 1970.
    private static let day = "started / 86400"

    /// The condition that an interaction is one of a subject's, so that its index finds it.
    ///
    /// - Parameters:
    ///   - alias: of the interaction.
    ///   - subject: an expression.
    static func isOfSubject(_ alias: String, _ subject: String, _ dialect: SQLDialect) -> String {
        let condition = "\(alias).subject = \(subject)"
        guard dialect == .sqlite else { return condition }
        // The days that there are, each found from the one before it.
        return """
            \(condition) AND \(alias).\(day) IN (WITH RECURSIVE known (day) AS (
              SELECT min(\(day)) FROM interaction
              UNION ALL SELECT (SELECT min(\(day)) FROM interaction WHERE \(day) > known.day) FROM known
                WHERE known.day IS NOT NULL)
              SELECT day FROM known WHERE day IS NOT NULL)
            """
    }

    /// A condition on interactions that began on a day since 1970, or later.
    static func isOfDays(since day: Int64, _ dialect: SQLDialect) -> String {
        switch dialect {
        case .sqlite: "\(self.day) >= \(day)"
        case .postgreSQL: "started >= \(day * 86_400)"
        }
    }

    static let progressInsertion = SQLInsertion(
        table: "gateway", columns: ["path", "progress", "seen"],
        conflict: "ON CONFLICT (path) DO UPDATE SET progress = excluded.progress, "
            + "seen = CASE WHEN excluded.seen > 0 THEN excluded.seen ELSE gateway.seen END")

    static let takenInsertion = SQLInsertion(
        table: "taken", columns: ["block", "digests", "seen"],
        conflict: "ON CONFLICT (block) DO UPDATE SET digests = excluded.digests, seen = excluded.seen")

    /// The same where somebody else may have written since the block was read: of each entry what was there first stays.
    static let takenMerge = SQLInsertion(
        table: "taken", columns: ["block", "digests", "seen"],
        conflict: "ON CONFLICT (block) DO UPDATE SET digests = (SELECT string_agg(CASE substr(taken.digests, n, 2) "
            + "WHEN '..' THEN substr(excluded.digests, n, 2) ELSE substr(taken.digests, n, 2) END, '' ORDER BY n) "
            + "FROM generate_series(1, \(2 * PositionMemory.blockSize), 2) n), "
            + "seen = GREATEST(taken.seen, excluded.seen)")

    static let progressCreation = SQLInsertion(
        table: "gateway", columns: ["path", "progress", "seen"], conflict: "ON CONFLICT (path) DO NOTHING")

    static let originInsertion = SQLInsertion(
        table: "origin", columns: ["path", "seen"],
        conflict: "ON CONFLICT (path) DO UPDATE SET seen = excluded.seen RETURNING id, path")

    static let subjectInsertion = SQLInsertion(
        table: "subject", columns: ["kind", "name", "seen"],
        conflict: "ON CONFLICT (name, kind) DO UPDATE SET seen = excluded.seen RETURNING id, kind, name")

    /// Unchanged rows aren't written.
    static let fixedBeaconInsertion = SQLInsertion(
        table: "place", columns: ["name", "site", "building", "floor", "gateway", "room", "beacon", "seen"],
        conflict: "ON CONFLICT (name) DO UPDATE SET beacon = excluded.beacon, "
            + "seen = CASE WHEN excluded.seen > place.seen THEN excluded.seen ELSE place.seen END, "
            + "room = COALESCE(excluded.room, place.room) WHERE place.seen < excluded.seen OR place.beacon IS NULL "
            + "OR COALESCE(place.room, '') <> COALESCE(excluded.room, place.room, '')")

    static let placeInsertion = SQLInsertion(
        table: "place", columns: ["name", "site", "building", "floor", "gateway", "room", "beacon", "seen", "named"],
        conflict: "ON CONFLICT (name) DO UPDATE SET site = excluded.site, building = excluded.building, "
            + "floor = excluded.floor, gateway = excluded.gateway, room = COALESCE(excluded.room, place.room), "
            + "beacon = excluded.beacon, seen = excluded.seen, named = CASE WHEN "
            + "COALESCE(excluded.room, place.room, '') = COALESCE(place.room, '') THEN place.named "
            + "ELSE excluded.named END RETURNING id, name")

    /// What a later record of an interaction changes; an earlier one, and the same again, change nothing.
    static let interactionInsertion = SQLInsertion(
        table: "interaction", columns: interactionColumns,
        conflict: "ON CONFLICT (place, started, origin, number) DO UPDATE SET "
            + interactionColumns.dropFirst(4).map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
            + " WHERE (excluded.boot, excluded.sequence) > (interaction.boot, interaction.sequence)",
        widths: interactionColumns.map { widths[$0] ?? 8 })
}

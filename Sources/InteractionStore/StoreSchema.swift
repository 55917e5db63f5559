import Evidence
import OperatorText

/// The tables, in one text for all databases except for a few words.
enum StoreSchema {
    static let version: Int64 = 16
    /// The earliest version whose tables can be upgraded.
    static let earliest: Int64 = 3
    /// The client identifier that all matchers used before each store kept its own.
    static let formerClientID = "beacon-matcher"

    /// Columns of `interaction`, in the order in which rows are written.
    static let interactionColumns = [
        "place", "started", "origin", "number", "subject", "ended", "state", "boot", "sequence", "samples", "rssi",
        "distance", "lower_bound", "upper_bound", "within_3m", "within_6m", "seconds_3m", "seconds_6m", "clock",
    ]

    /// Columns with the contents of a record: all but the interaction's identity, the subject and the record's
    /// position.
    static let contentColumns = [
        "ended", "state", "samples", "rssi", "distance", "lower_bound", "upper_bound", "within_3m", "within_6m",
        "seconds_3m", "seconds_6m", "clock",
    ]

    /// Width of these columns in bytes, as in the table below; columns that are neither SMALLINT nor INTEGER have 8.
    private static let widths = [
        "state": 2, "rssi": 2, "within_3m": 2, "within_6m": 2, "clock": 2, "distance": 4, "lower_bound": 4,
        "upper_bound": 4, "seconds_3m": 4, "seconds_6m": 4,
    ]

    static func statements(_ dialect: SQLDialect) -> [String] {
        let key = "PRIMARY KEY (place, started, origin, number)"
        let interactions =
            switch dialect {
            // The key is the table: rows that are near in place and time are near on disk. Subjects are indexed by day,
            // as in PostgreSQL's partitions: incoming rows are of today, and change pages that are still cached.
            case .sqlite: (key: key, options: " WITHOUT ROWID", bySubject: "(\(day), subject, started)")
            case .postgreSQL:
                (
                    key: key + " INCLUDE (subject, ended, distance, lower_bound, upper_bound)",
                    options: " PARTITION BY RANGE (started)", bySubject: "(subject, started) INCLUDE (ended)"
                )
            }
        // `seen` is the day, in days since 1970, on which the name was last used, to within `NameNumbers.renewal`.
        return [
            // `program`: version of the program that made or upgraded the tables, for the message of an earlier one.
            "CREATE TABLE schema_version (version BIGINT NOT NULL, program TEXT)",
            "INSERT INTO schema_version VALUES (\(version), '\(ProductVersion.number)')",
            // `named`: number of the naming of its room, in the order in which rooms were named; 0 before this was
            // recorded.
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
            // `heard`: the time at which the gateway last reported that it works, in seconds since 1970.
            """
            CREATE TABLE gateway (path TEXT PRIMARY KEY, progress TEXT NOT NULL, seen BIGINT NOT NULL, \
            heard BIGINT NOT NULL DEFAULT 0)
            """,
            // Units: seconds since 1970, centimetres, dBm, thousandths; `number` counts the interactions of an origin.
            """
            CREATE TABLE interaction (place BIGINT NOT NULL, started BIGINT NOT NULL, origin BIGINT NOT NULL, \
            number BIGINT NOT NULL, subject BIGINT NOT NULL, ended BIGINT NOT NULL, state SMALLINT NOT NULL, \
            boot BIGINT NOT NULL, sequence BIGINT NOT NULL, samples BIGINT NOT NULL, rssi SMALLINT, \
            distance INTEGER, lower_bound INTEGER, upper_bound INTEGER, within_3m SMALLINT, within_6m SMALLINT, \
            seconds_3m INTEGER NOT NULL, seconds_6m INTEGER NOT NULL, clock SMALLINT NOT NULL, \
            \(interactions.key))\(interactions.options)
            """,
            "CREATE INDEX interaction_by_subject ON interaction \(interactions.bySubject)",
            // Neighbouring places, in both directions; centimetres.
            """
            CREATE TABLE neighbour (place BIGINT NOT NULL, other BIGINT NOT NULL, separation BIGINT NOT NULL, \
            PRIMARY KEY (place, other))
            """,
            // The longest interaction ever stored, in seconds: it bounds searches by the time of the start.
            "CREATE TABLE extent (longest BIGINT NOT NULL)",
            "INSERT INTO extent VALUES (0)",
            // Erased subjects, as keyed hashes: their records from before that time are not accepted any more.
            "CREATE TABLE erased (hash TEXT PRIMARY KEY, at BIGINT NOT NULL)",
            "CREATE TABLE secret (name TEXT PRIMARY KEY, bytes TEXT NOT NULL)",
        ] + identities(dialect) + reports(dialect) + attendance(dialect) + readings(dialect) + trust() + [
            receiverPositions
        ] + locatedStays(dialect) + [receiverNights] + page(dialect)
    }

    /// Returns the statements for the tables of people and of the page.
    private static func page(_ dialect: SQLDialect) -> [String] {
        people(dialect)
            + signIn(dialect)
            + mail(dialect)
            + [codes, uploads, questionnaire(dialect)]
            + floorPlans(dialect)
            + submittedResults(dialect)
    }

    static let exposureIndex = "CREATE INDEX exposure_by_name ON exposure (name, kind, ended)"

    /// Index for the latest named room, which is looked up when another room is named.
    static let placeIndex = "CREATE INDEX place_by_named ON place (named)"

    /// Returns the statements for the index and the table that find interactions by their id, and records by their
    /// gateway, boot and sequence.
    static func identities(_ dialect: SQLDialect) -> [String] {
        [
            "CREATE INDEX interaction_by_id ON interaction (origin, number)",
            // Records that were received, see `PositionMemory`; `seen` is the day of the latest, in days since 1970.
            "CREATE TABLE taken (block TEXT PRIMARY KEY, digests TEXT NOT NULL, seen BIGINT NOT NULL)"
                + (dialect == .sqlite ? " WITHOUT ROWID" : ""),
        ]
    }

    /// The day on which an interaction began, in days since 1970.
    private static let day = "started / 86400"

    /// Returns the condition that an interaction is one of a subject's, in a form that uses the index.
    ///
    /// - Parameters:
    ///   - alias: alias of the interaction table.
    ///   - subject: an SQL expression.
    static func isOfSubject(_ alias: String, _ subject: String, _ dialect: SQLDialect) -> String {
        let condition = "\(alias).subject = \(subject)"
        guard dialect == .sqlite else { return condition }
        // All days that exist, each found from the one before.
        return """
            \(condition) AND \(alias).\(day) IN (WITH RECURSIVE known (day) AS (
              SELECT min(\(day)) FROM interaction
              UNION ALL SELECT (SELECT min(\(day)) FROM interaction WHERE \(day) > known.day) FROM known
                WHERE known.day IS NOT NULL)
              SELECT day FROM known WHERE day IS NOT NULL)
            """
    }

    /// Returns the condition that an interaction began on a given day since 1970, or later.
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

    /// The insertion for blocks that another process may have changed since they were read: the first value of each
    /// entry stays.
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

    /// The insertion for fixed beacons; unchanged rows are not written.
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

    /// The insertion for interactions: a later record of an interaction replaces the stored contents; an earlier one or
    /// the same one changes nothing.
    static let interactionInsertion = SQLInsertion(
        table: "interaction", columns: interactionColumns,
        conflict: "ON CONFLICT (place, started, origin, number) DO UPDATE SET "
            + interactionColumns.dropFirst(4).map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
            + " WHERE (excluded.boot, excluded.sequence) > (interaction.boot, interaction.sequence)",
        widths: interactionColumns.map { widths[$0] ?? 8 })
}

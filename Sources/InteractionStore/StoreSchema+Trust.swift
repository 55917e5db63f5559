extension StoreSchema {
    /// What decides who is believed. Times in seconds since 1970.
    static func trust() -> [String] {
        [
            // What gateways say of beacons that hang at their place, other than the beacon's owner: `state` is `refused` (why:
            // `reason`), or what somebody decided, `accepted` or `denied`. `receiver` is a gateway's path, with its ear; a beacon
            // that was denied to everybody has an empty one.
            """
            CREATE TABLE place_claim (beacon TEXT NOT NULL, receiver TEXT NOT NULL, state TEXT NOT NULL, \
            reason TEXT NOT NULL, since BIGINT NOT NULL, seen BIGINT NOT NULL, PRIMARY KEY (beacon, receiver))
            """,
            // Gateways whose records aren't taken any more.
            "CREATE TABLE revoked_gateway (path TEXT PRIMARY KEY, since BIGINT NOT NULL, reason TEXT NOT NULL)",
            // Keys of subjects' topics on which nothing may stay; `done` is 1 when a daemon has emptied it.
            "CREATE TABLE withdrawal (topic_key TEXT PRIMARY KEY, at BIGINT NOT NULL, done SMALLINT NOT NULL)",
            // How often a subject's secret was made anew; a keyed hash stands for the subject.
            "CREATE TABLE secret_version (hash TEXT PRIMARY KEY, version BIGINT NOT NULL, at BIGINT NOT NULL)",
            // Codes by which phones enrol, as keyed hashes.
            """
            CREATE TABLE enrolment (hash TEXT PRIMARY KEY, label TEXT NOT NULL, uses BIGINT NOT NULL, \
            used BIGINT NOT NULL, issued BIGINT NOT NULL, expires BIGINT NOT NULL)
            """,
            // Where beacons were heard by which phones prove where they are; `floor` is `site/building/floor`.
            """
            CREATE TABLE phone_proof (name TEXT NOT NULL, floor TEXT NOT NULL, started BIGINT NOT NULL, \
            ended BIGINT NOT NULL, PRIMARY KEY (name, floor, started))
            """,
            // Hashes of rotating codes to which phones committed before they said them.
            """
            CREATE TABLE code_commitment (phone TEXT NOT NULL, day BIGINT NOT NULL, hash TEXT NOT NULL, \
            at BIGINT NOT NULL, PRIMARY KEY (phone, day, hash))
            """,
        ]
    }

    /// What version 7 adds: the order in which rooms were named, of which before the oldest place was the first, and an index that
    /// leaves out what isn't told yet.
    static let roomOrder = [
        "ALTER TABLE place ADD COLUMN named BIGINT NOT NULL DEFAULT 0", placeIndex, "DROP INDEX exposure_by_name",
        exposureIndex,
    ]

    /// What version 6 adds to tables that there are: `pending` is 1 for what an officer has still to confirm.
    static let trustColumns = [
        "ALTER TABLE report_subject ADD COLUMN pending SMALLINT NOT NULL DEFAULT 0",
        "ALTER TABLE positive ADD COLUMN pending SMALLINT NOT NULL DEFAULT 0",
        // The broker may hold records for it.
        "INSERT INTO secret (name, bytes) VALUES ('client-id', '\(formerClientID)') ON CONFLICT (name) DO NOTHING",
        // Before, a subject of the kind `withdrawn` stood for a topic; what gateways said could have made one.
        "INSERT INTO withdrawal (topic_key, at, done) SELECT name, changed, 0 FROM notice "
            + "WHERE kind = 'withdrawn' AND length(name) = 32",
        "DELETE FROM notice WHERE kind = 'withdrawn'",
    ]
}

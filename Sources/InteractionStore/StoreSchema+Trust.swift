extension StoreSchema {
    /// Returns the statements for the tables that decide which statements of gateways and phones are believed. Times
    /// are in seconds since 1970.
    static func trust() -> [String] {
        [
            // Claims to beacons by receivers other than the beacon's owner: `state` is `refused` (the reason is in
            // `reason`), or an operator's decision, `accepted` or `denied`. `receiver` is a gateway's path, followed by
            // the remote receiver if it is one; it is empty for a beacon that was denied to all receivers.
            """
            CREATE TABLE place_claim (beacon TEXT NOT NULL, receiver TEXT NOT NULL, state TEXT NOT NULL, \
            reason TEXT NOT NULL, since BIGINT NOT NULL, seen BIGINT NOT NULL, PRIMARY KEY (beacon, receiver))
            """,
            // Gateways whose records are not accepted any more.
            "CREATE TABLE revoked_gateway (path TEXT PRIMARY KEY, since BIGINT NOT NULL, reason TEXT NOT NULL)",
            // Keys of subjects' topics that must be empty; `done` is 1 when a daemon has emptied the topic.
            "CREATE TABLE withdrawal (topic_key TEXT PRIMARY KEY, at BIGINT NOT NULL, done SMALLINT NOT NULL)",
            // Number of times that a subject's secret was renewed, by a keyed hash of the subject.
            "CREATE TABLE secret_version (hash TEXT PRIMARY KEY, version BIGINT NOT NULL, at BIGINT NOT NULL)",
            // Codes by which phones enrol, as keyed hashes.
            """
            CREATE TABLE enrolment (hash TEXT PRIMARY KEY, label TEXT NOT NULL, uses BIGINT NOT NULL, \
            used BIGINT NOT NULL, issued BIGINT NOT NULL, expires BIGINT NOT NULL)
            """,
            // Floors on which the proof beacons of phones were heard; `floor` is `site/building/floor`.
            """
            CREATE TABLE phone_proof (name TEXT NOT NULL, floor TEXT NOT NULL, started BIGINT NOT NULL, \
            ended BIGINT NOT NULL, PRIMARY KEY (name, floor, started))
            """,
            // Hashes of rotating codes to which phones committed before they transmitted them.
            """
            CREATE TABLE code_commitment (phone TEXT NOT NULL, day BIGINT NOT NULL, hash TEXT NOT NULL, \
            at BIGINT NOT NULL, PRIMARY KEY (phone, day, hash))
            """,
        ]
    }

    /// Changes of version 7: the order in which rooms were named (before, the oldest place was the first), and an index
    /// with which queries skip exposures that are not published yet.
    static let roomOrder = [
        "ALTER TABLE place ADD COLUMN named BIGINT NOT NULL DEFAULT 0", placeIndex, "DROP INDEX exposure_by_name",
        exposureIndex,
    ]

    /// Changes of version 6 to existing tables: `pending` is 1 for data that an officer has yet to confirm.
    static let trustColumns = [
        "ALTER TABLE report_subject ADD COLUMN pending SMALLINT NOT NULL DEFAULT 0",
        "ALTER TABLE positive ADD COLUMN pending SMALLINT NOT NULL DEFAULT 0",
        // The broker may hold records for the former client identifier.
        "INSERT INTO secret (name, bytes) VALUES ('client-id', '\(formerClientID)') ON CONFLICT (name) DO NOTHING",
        // Before, a subject of the kind `withdrawn` stood for a topic; gateways could have caused such a subject.
        "INSERT INTO withdrawal (topic_key, at, done) SELECT name, changed, 0 FROM notice "
            + "WHERE kind = 'withdrawn' AND length(name) = 32",
        "DELETE FROM notice WHERE kind = 'withdrawn'",
    ]
}

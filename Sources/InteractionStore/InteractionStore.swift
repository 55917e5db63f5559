import Matching
package import RecordContract
package import Evidence

/// The store of recent interactions by place and subject, and of how far each gateway's records are stored.
///
/// Used by one thread at a time; every call blocks. Several processes can share one PostgreSQL database.
package final class InteractionStore {
    let database: any SQLDatabase
    private let location: StoreLocation
    private let retention: Int64
    /// Retention of readings, in seconds.
    let readingRetention: Int64
    var names: NameNumbers
    /// Beacons that the configuration gives a fixed place, as `uuid/major/minor`.
    var configuredBeacons: Set<String>
    private var partitions: Set<Int64> = []
    private let placeEvidence = PlaceEvidenceCache()
    /// Days that have data, while the time is unknown; `nil` if not read yet.
    private var doubtfulDays: DoubtfulDays?
    private var readingPartitions: Set<Int64> = []
    private var longest: Int64 = 0
    var erasures = Erasures()
    private var distrust = Distrust()
    /// Prefix of the names of proof beacons, which phones use to prove where they are: `uuid/`.
    let proofPrefix: String?
    private var quota: IngestQuota
    /// Maximum number of days of one batch whose stored data is counted.
    private static let mostCountedDays = 64
    var settlingOrder = SettlingOrder()

    static let day: Int64 = 86_400
    /// Maximum lead of a gateway's clock, in seconds.
    package static let clockTolerance: Int64 = 86_400

    /// Checks whether an existing store may be used; opens nothing.
    ///
    /// - Throws: `StoreError` for a file that everybody may read or change.
    package static func check(_ location: StoreLocation) throws {
        if case .sqlite(let path) = location { try SQLiteDatabase.refuseIfPublic(path) }
    }

    /// Opens a store and creates or upgrades its tables.
    ///
    /// - Parameters:
    ///   - retention: days for which interactions are kept.
    ///   - readingRetention: days for which readings are kept; default: the same as `retention`.
    ///   - creating: whether a missing store is created. A client that only queries or erases must not be told that a
    ///     mistyped location holds no data.
    ///   - isForAnswers: whether this store only answers queries. Of two stores in one process, the one that stores
    ///     records needs the memory.
    ///   - dailyQuota: bytes that one gateway can have stored for one day.
    ///   - proofUUID: UUID of the proof beacons, by which phones prove where they are.
    ///   - fixedBeacons: `uuid/major/minor` of the beacons that the configuration gives a fixed place. They are fixed
    ///     for queries to this store object; only `setFixedBeacons` persists them for others.
    /// - Throws: `StoreError`.
    package static func open(
        _ location: StoreLocation, retention: Int64 = 14, readingRetention: Int64? = nil, creating: Bool = true,
        isForAnswers: Bool = false, dailyQuota: Int64? = nil, proofUUID: String? = nil,
        fixedBeacons: Set<String> = []
    ) throws -> InteractionStore {
        let database: any SQLDatabase =
            switch location {
            case .sqlite(let path): try SQLiteDatabase(path: path, creating: creating, isForAnswers: isForAnswers)
            case .postgreSQL(let connection): try PostgreSQLDatabase(connection)
            }
        let store = InteractionStore(
            database: database, location: location, retention: retention,
            readingRetention: readingRetention ?? retention,
            quota: IngestQuota(limit: dailyQuota ?? IngestQuota.standardLimit), proofUUID: proofUUID,
            fixedBeacons: fixedBeacons)
        try store.setUp(creating: creating)
        return store
    }

    private init(
        database: any SQLDatabase, location: StoreLocation, retention: Int64, readingRetention: Int64,
        quota: IngestQuota, proofUUID: String?, fixedBeacons: Set<String>
    ) {
        self.database = database
        self.location = location
        self.retention = retention * Self.day
        self.readingRetention = readingRetention * Self.day
        self.quota = quota
        proofPrefix = proofUUID.map { $0 + "/" }
        names = NameNumbers()
        configuredBeacons = fixedBeacons
    }

    private func setUp(creating: Bool) throws {
        try database.write { session in
            // Otherwise two processes that find an empty database at the same time would both create the tables.
            try session.lockExclusively()
            guard try session.hasTable("schema_version") else {
                guard creating else { throw StoreError.noStore(location) }
                for statement in StoreSchema.statements(session.dialect) { try session.execute(statement) }
                return
            }
            let version = try session.first("SELECT version FROM schema_version") { $0.integer(0) } ?? 0
            if try StoreUpgrade.run(from: version, session) { return }
            guard version == StoreSchema.version else {
                throw StoreError(
                    "the store \(location) has version \(version) of the tables, and this program version \(StoreSchema.version)",
                    remedy: version > StoreSchema.version ? "use a newer beacon-matcher" : "give another store")
            }
        }
    }

    // MARK: Storing

    /// The result of storing records.
    package struct Outcome: Equatable, Sendable {
        /// Records of interactions that are newer than the stored state.
        package var stored = 0
        /// Records that changed nothing: the store had the same record or a later one of the same interaction.
        package var known = 0
        /// Records that are not stored and never will be, counted by reason.
        package var refused: [Refusal: Int] = [:]
        /// Records that the database rejects, with its error. They are not stored, and count as received.
        package var rejected: [Rejection] = []
        /// The position up to which the records of each gateway concerned are stored without a gap.
        package var progress: [String: RecordPosition] = [:]
        /// Receivers whose claim to a place's beacon was refused.
        package var refusedClaims: Set<PlaceClaimRefusal> = []

        package init() {}
    }

    package struct Rejection: Equatable, Sendable {
        package var gateway: String
        package var position: RecordPosition
        package var because: String

        package init(gateway: String, position: RecordPosition, because: String) {
            self.gateway = gateway
            self.position = position
            self.because = because
        }
    }

    package enum Refusal: String, Hashable, Sendable, CaseIterable {
        /// The interaction ended before the retention period.
        case expired
        /// The interaction is more than a day ahead: the gateway's clock is wrong.
        case future
        /// The subject has been erased since.
        case erased
        /// The record gives an interaction another subject or another start time than an earlier record.
        case changed
        /// An operator revoked the gateway.
        case revoked
        /// The gateway has used up its quota for that day.
        case overQuota = "over-quota"
        /// The record has the gateway, boot and sequence of an earlier record but different contents, of the same
        /// interaction or of another.
        case contradicting
        /// The records cover more days than are possible, while the time is unknown.
        case manyDays = "many-days"
    }

    /// Stores records in one transaction. When it returns, they survive a loss of power. When it throws, the records
    /// must be stored again; those that were already stored change nothing.
    ///
    /// A record that the database rejects is found by bisection and left out. Otherwise it would be re-delivered for
    /// ever, together with the records of all other gateways.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - clockIsSynchronized: whether `now` can be trusted. If not, no record is refused for its time: on a machine
    ///     whose clock starts in the past, every valid record would lie in the future.
    /// - Throws: `StoreError`.
    package func store(_ records: [ReceivedRecord], now: Int64, clockIsSynchronized: Bool = true) throws -> Outcome {
        do {
            do {
                return try storeWhole(records, now: now, clockIsSynchronized: clockIsSynchronized)
            } catch let error as StoreError where error.isConflict {
                // Another matcher stored names that were new to both.
                return try storeWhole(records, now: now, clockIsSynchronized: clockIsSynchronized)
            }
        } catch let error as StoreError where error.isOfData {
            guard records.count > 1 else { return try reject(records, error) }
            var outcome = Outcome()
            let middle = records.count / 2
            for half in [records[..<middle], records[middle...]] {
                let part = try store(Array(half), now: now, clockIsSynchronized: clockIsSynchronized)
                outcome.stored += part.stored
                outcome.known += part.known
                outcome.refused.merge(part.refused, uniquingKeysWith: +)
                outcome.refusedClaims.formUnion(part.refusedClaims)
                outcome.rejected += part.rejected
                // Of two positions for one gateway, the later one is further along.
                outcome.progress.merge(part.progress) { $1 }
            }
            return outcome
        }
    }

    private func reject(_ records: [ReceivedRecord], _ error: StoreError) throws -> Outcome {
        var outcome = Outcome()
        outcome.rejected = records.map { .init(gateway: $0.gateway, position: $0.position, because: error.what) }
        do {
            outcome.progress = try storing { try advance(records, day: nil, $0) }
        } catch let error as StoreError where error.isOfData {
            // Not even the receipt of the record can be stored.
        }
        return outcome
    }

    private func storeWhole(_ records: [ReceivedRecord], now: Int64, clockIsSynchronized: Bool) throws -> Outcome {
        try countDays(of: records, now: now, clockIsSynchronized)
        return try storing { session in
            var outcome = Outcome()
            if clockIsSynchronized {
                doubtfulDays = nil
            } else if doubtfulDays == nil {
                doubtfulDays = DoubtfulDays(known: try knownDays(session))
            }
            try store(proofs: proofs(in: records, now: now, clockIsSynchronized), session)
            let intake = try intake(of: records, now: now, clockIsSynchronized, session, &outcome)
            // Before the table is read: of two transactions that have read it, neither could create a partition.
            try makePartitions(Set(intake.candidates.map { $0.key.started / Self.day }), session)
            let readings = acceptedReadings(of: records, now: now, clockIsSynchronized, &outcome)
            // Readings and interactions share the same blocks.
            var memory = try memory(
                of: readings.map(\.entry) + intake.candidates.map(\.record.entry), session)
            // The later of the two clocks counts: stored names must be kept as long as their interactions.
            func today(_ ends: [Int64]) -> Int64 { (clockIsSynchronized ? now : ends.reduce(now, max)) / Self.day }
            let dayOfReadings = today(readings.filter(\.clockIsSynchronized).map(\.end))
            try store(readings: readings, now: now, today: dayOfReadings, &memory, session, &outcome)
            let candidates = remembered(intake.candidates, &memory, now: now, &outcome)
            let selection = try selection(candidates, memory, session)
            var rows: [RecordSelection.Candidate] = []
            var tooMany = 0
            for row in selection.rows {
                if selection.isNew(row),
                    !takeRoom(IngestQuota.interaction, of: row.record.gateway, start: row.record.start, now: now)
                {
                    tooMany += 1
                } else {
                    rows.append(row)
                }
            }
            let day = today(candidates.filter(\.record.clockIsSynchronized).map(\.record.end))
            rows = try names.write(intake.newNames, of: rows, today: day, session)
            if !rows.isEmpty { try write(rows, session) }
            try write(selection.memory, today: max(day, dayOfReadings), session)
            outcome.stored += selection.stored - tooMany
            if tooMany > 0 { outcome.refused[.overQuota, default: 0] += tooMany }
            outcome.known += selection.known
            outcome.refused.merge(selection.refused, uniquingKeysWith: +)
            outcome.progress = try advance(records, day: now / Self.day, session)
            return outcome
        }
    }

    /// Runs a transaction that adds interactions.
    func storing<Value>(_ body: (any SQLSession) throws -> Value) throws -> Value {
        do {
            let value = try database.write { session in
                try session.lockShared()
                let isErased = try erasures.refresh(session)
                if try distrust.refresh(session) || isErased { forgetNames() }
                return try body(session)
            }
            quota.commit()
            return value
        } catch {
            quota.rollBack()
            // Numbers assigned in the transaction are void.
            names = NameNumbers(rooms: names.rooms)
            partitions = []
            readingPartitions = []
            longest = 0
            throw error
        }
    }

    /// Drops the cached numbers of names and owners of places, so that the database is asked again.
    func forgetNames() {
        names = NameNumbers(rooms: names.rooms)
        placeEvidence.forget()
    }

    /// Writes the stays that phones ranged, at places whose numbers are known. Each place has one stay per phone and
    /// start.
    func write(_ stays: [(place: Int64, record: InteractionRecord)], today: Int64, _ session: any SQLSession) throws {
        guard !stays.isEmpty else { return }
        try names.prepareSubjects(stays.map(\.record), today: today, session)
        var latest: [RowKey: InteractionRecord] = [:]
        for (place, record) in stays {
            let key = RowKey(
                place: place, started: record.start, origin: names.number(of: record.origin),
                number: names.number(of: record.subject))
            if let other = latest[key], other.position >= record.position { continue }
            latest[key] = record
        }
        try write(
            latest.sorted { $0.key < $1.key }.map {
                RecordSelection.Candidate(key: $0.key, subject: $0.key.number, record: $0.value)
            },
            session)
    }

    /// The key of an interaction's row.
    struct RowKey: Hashable, Comparable {
        package var place: Int64
        var started: Int64
        var origin: Int64
        package var number: Int64

        static func < (left: Self, right: Self) -> Bool {
            (left.place, left.started, left.origin, left.number)
                < (right.place, right.started, right.origin, right.number)
        }
    }

    /// Records that passed admission.
    private struct Intake {
        /// Records with numbers in place of names.
        var candidates: [RecordSelection.Candidate]
        /// The names of the candidates that the database does not have.
        var newNames: NameNumbers.NewNames
    }

    /// Returns the records that can be stored. Nothing that takes up quota is written yet: names of records that are
    /// not stored leave no trace.
    private func intake(
        of records: [ReceivedRecord], now: Int64, _ clockIsSynchronized: Bool, _ session: any SQLSession,
        _ outcome: inout Outcome
    ) throws -> Intake {
        var accepted: [InteractionRecord] = []
        for case .interaction(let record) in records where !isProof(record.subject) {
            if let refusal = distrusted(record.gateway)
                ?? refusal(of: record, now: now, clockIsSynchronized: clockIsSynchronized)
                ?? exhausted(record.gateway, receiver: record.place.gateway, start: record.start, now: now)
            {
                outcome.refused[refusal, default: 0] += 1
            } else {
                accepted.append(record)
            }
        }
        // Names that are stored while the clock is behind must not look old once it has been set.
        let latest = clockIsSynchronized ? now : accepted.reduce(now) { max($0, $1.clockIsSynchronized ? $1.end : 0) }
        var claims = claims(today: latest / Self.day, batch: accepted)
        let (numbers, newNames) = try names.numbers(of: accepted, &claims, today: latest / Self.day, session)
        outcome.refusedClaims.formUnion(claims.refusals)
        placeEvidence.stored(accepted)
        let candidates = zip(accepted, numbers).map { record, numbers in
            RecordSelection.Candidate(
                key: RowKey(
                    place: numbers.place, started: record.start, origin: numbers.origin, number: record.number),
                subject: numbers.subject, record: record)
        }
        return Intake(candidates: candidates, newNames: newNames)
    }

    /// Returns the admitted records of proof beacons, which belong to no subject and by which phones prove where they
    /// are.
    private func proofs(
        in records: [ReceivedRecord], now: Int64, _ clockIsSynchronized: Bool
    ) -> [InteractionRecord] {
        guard proofPrefix != nil else { return [] }
        return records.compactMap { record in
            guard case .interaction(let proof) = record, isProof(proof.subject), distrusted(proof.gateway) == nil,
                refusal(of: proof, now: now, clockIsSynchronized: clockIsSynchronized) == nil,
                takeRoom(IngestQuota.reading, of: proof.gateway, start: proof.start, now: now)
            else { return nil }
            return proof
        }
    }

    func claims(today: Int64, batch: [InteractionRecord] = []) -> PlaceClaims {
        PlaceClaims(
            configured: configuredBeacons, erasures: erasures, today: today, batch: batch, cache: placeEvidence)
    }

    /// Returns `.revoked` for a revoked gateway, from the list that `storing` has read.
    func distrusted(_ gateway: String) -> Refusal? { distrust.revoked.contains(gateway) ? .revoked : nil }

    /// Returns `.overQuota` if the gateway's quota is used up. Called before anything is written.
    ///
    /// - Parameters:
    ///   - receiver: the gateway, or one of its remote receivers.
    ///   - start: start of the record.
    func exhausted(_ gateway: String, receiver: String, start: Int64, now: Int64) -> Refusal? {
        let days = Self.days(start, now)
        if quota.isExhausted(gateway, days) { return .overQuota }
        return quota.admits(receiver: receiver, of: gateway, on: days.received) ? nil : .overQuota
    }

    /// Whether the quota has room for something new; if so, takes it.
    func takeRoom(_ bytes: Int64, of gateway: String, start: Int64, now: Int64) -> Bool {
        quota.take(bytes, of: gateway, Self.days(start, now))
    }

    /// Whether the quota has room for a record of readings that is not stored yet; if so, takes it.
    ///
    /// - Parameter more: additional bytes that the record takes.
    func takeRoom(readings record: ReadingsRecord, inBlocks blocks: Set<Int64>, and more: Int64, now: Int64) -> Bool {
        quota.takeReadings(
            of: record.subjects.count, inBlocks: blocks, and: more, of: record.gateway,
            Self.days(record.start, now))
    }

    /// Charges data that is already written to the quota.
    func addRoom(_ bytes: Int64, of gateway: String, start: Int64, now: Int64) {
        quota.add(bytes, of: gateway, Self.days(start, now))
    }

    private static func days(_ start: Int64, _ now: Int64) -> IngestQuota.Days {
        IngestQuota.Days(told: start / day, received: now / day)
    }

    /// Reads how much is stored for the days of the records, each day once, so that a restarted process does not grant
    /// every gateway its full quota again. Uses a transaction of its own: a transaction that has read the table cannot
    /// create a partition of it.
    private func countDays(of records: [ReceivedRecord], now: Int64, _ clockIsSynchronized: Bool) throws {
        var days: Set<Int64> = [now / Self.day]
        for record in records {
            let span: (start: Int64, end: Int64)
            switch record {
            case .interaction(let record): span = (record.start, record.end)
            case .readings(let record): span = (record.start, record.end)
            case .other: continue
            }
            let kept = max(retention, readingRetention)
            if clockIsSynchronized, refusal(from: span.start, to: span.end, keptFor: kept, now: now) != nil { continue }
            days.insert(span.start / Self.day)
        }
        days = days.filter { !quota.hasCounted($0) }
        if days.isEmpty { return }
        // The latest days. More occur in one batch only while the time is unknown, and in files.
        let latest = Set(days.sorted().suffix(Self.mostCountedDays))
        let counts = try database.read { session in
            var counts: [Int64: [String: Int64]] = [:]
            for day in latest.sorted() { counts[day] = try interactions(of: day, session) }
            return counts
        }
        for day in days { quota.count(counts[day] ?? [:], storedOf: day) }
    }

    /// Returns the number of interactions that began on a day, by gateway.
    private func interactions(of day: Int64, _ session: any SQLSession) throws -> [String: Int64] {
        var counts: [String: Int64] = [:]
        // The first condition matches SQLite's index, the others match PostgreSQL's partitions.
        try session.query(
            "SELECT o.path, c.number FROM (SELECT i.origin AS origin, count(*) AS number FROM interaction i "
                + "WHERE i.started / \(Self.day) = \(day) AND i.started >= \(day * Self.day) "
                + "AND i.started < \((day + 1) * Self.day) GROUP BY i.origin) AS c JOIN origin o ON o.id = c.origin",
            [], keepsStatement: false
        ) { row in
            counts[PlaceClaimRule.gateway(row.text(0) ?? ""), default: 0] += row.integer(1)
        }
        return counts
    }

    /// Forgets the quotas of days whose data has expired.
    func forgetQuotas(before time: Int64) { quota.forget(before: time / Self.day) }

    func refusal(of record: InteractionRecord, now: Int64, clockIsSynchronized: Bool = true) -> Refusal? {
        if clockIsSynchronized,
            let refusal = refusal(from: record.start, to: record.end, keptFor: retention, now: now)
        {
            return refusal
        }
        if !clockIsSynchronized, !admits(start: record.start, of: record.gateway, now: now) { return .manyDays }
        // An interaction that was in progress at the erasure contains minutes from before it.
        if wasErased(record.subject, since: record.start) { return .erased }
        return nil
    }

    /// Whether data of a day can be stored while the time is unknown. No record is refused for its time then, so a
    /// gateway that reports thousands of days would cause thousands of tables.
    func admits(start: Int64, of gateway: String, now: Int64) -> Bool {
        doubtfulDays?.admits(start / Self.day, of: gateway, today: now / Self.day) ?? true
    }

    private func knownDays(_ session: any SQLSession) throws -> Set<Int64> {
        guard session.dialect == .postgreSQL else { return [] }
        var days: Set<Int64> = []
        try session.query(
            "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid "
                + "WHERE i.inhparent = 'interaction'::regclass"
        ) { row in
            if let day = row.text(0).flatMap({ Int64($0.dropFirst("interaction_".count)) }) { days.insert(day) }
        }
        return days
    }

    /// Returns the reason for refusing data of a period, by a clock that can be trusted; `nil` if it is accepted.
    ///
    /// - Parameter kept: retention in seconds.
    func refusal(from start: Int64, to end: Int64, keptFor kept: Int64, now: Int64) -> Refusal? {
        if end < now - kept { return .expired }
        return start > now + Self.clockTolerance ? .future : nil
    }

    /// Whether the subject was erased after `start`, from the list that `storing` has read.
    func wasErased(_ subject: SubjectIdentity, since start: Int64) -> Bool {
        erasure(of: subject).map { start <= $0 } ?? false
    }

    /// Returns the time at which the subject was erased, from the list that `storing` has read; `nil` if it was not.
    func erasure(of subject: SubjectIdentity) -> Int64? { erasures.time(of: subject) }

    private func write(_ rows: [RecordSelection.Candidate], _ session: any SQLSession) throws {
        try makePartitions(Set(rows.map { $0.key.started / Self.day }), session)
        var values: [Int64?] = []
        values.reserveCapacity(rows.count * StoreSchema.interactionColumns.count)
        for row in rows {
            let (key, record) = (row.key, row.record)
            // Appended one by one: a literal would allocate an array for each row.
            values.append(key.place)
            values.append(key.started)
            values.append(key.origin)
            values.append(key.number)
            values.append(row.subject)
            values.append(record.end)
            values.append(record.state.rawValue)
            values.append(Int64(bitPattern: record.position.boot))
            values.append(Int64(bitPattern: record.position.sequence))
            values.append(record.samples)
            values.append(record.rssi)
            values.append(record.distance?.centimetres)
            values.append(record.distance?.lower)
            values.append(record.distance?.upper)
            values.append(record.within3m)
            values.append(record.within6m)
            values.append(record.seconds3m)
            values.append(record.seconds6m)
            values.append(record.clockIsSynchronized ? 1 : 0)
        }
        try session.insert(StoreSchema.interactionInsertion, rows: values)
        let longest = rows.map { $0.record.end - $0.key.started }.max() ?? 0
        if longest > self.longest {
            try session.execute("UPDATE extent SET longest = $1 WHERE longest < $1", [.integer(longest)])
            self.longest = longest
        }
    }

    /// Creates PostgreSQL's table for each day, so that a day can be dropped instead of deleted.
    private func makePartitions(_ days: Set<Int64>, _ session: any SQLSession) throws {
        guard session.dialect == .postgreSQL else { return }
        let new = days.subtracting(partitions)
        if new.isEmpty { return }
        // Of two processes that create a table at the same time, the later would fail despite `IF NOT EXISTS`.
        try session.lockTables()
        for day in new.sorted() {
            try session.execute(
                """
                CREATE TABLE IF NOT EXISTS interaction_\(day) PARTITION OF interaction \
                FOR VALUES FROM (\(day * Self.day)) TO (\((day + 1) * Self.day))
                """)
            partitions.insert(day)
        }
    }

    func forgetPartition(_ day: Int64) { partitions.remove(day) }

    /// Creates PostgreSQL's daily tables whose rows have a `ReadingKey`.
    ///
    /// - Parameter days: days since 1970, UTC.
    func makeReadingPartitions(_ days: Set<Int64>, _ session: any SQLSession) throws {
        guard session.dialect == .postgreSQL else { return }
        let new = days.subtracting(readingPartitions)
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
            readingPartitions.insert(day)
        }
    }

    func forgetReadingPartition(_ day: Int64) { readingPartitions.remove(day) }

    // MARK: Progress

    /// Advances the progress of the records' gateways.
    ///
    /// - Parameter day: today, in days since 1970.
    private func advance(
        _ records: [ReceivedRecord], day: Int64?, _ session: any SQLSession
    ) throws -> [String: RecordPosition] {
        var positions: [String: [RecordPosition]] = [:]
        for record in records { positions[record.gateway, default: []].append(record.position) }
        return try change(positions.keys.sorted(), day: day, session) { gateway, progress in
            for position in positions[gateway] ?? [] { progress.stored(position) }
        }
    }

    /// Changes the progress of gateways, with their rows locked.
    ///
    /// - Parameter gateways: sorted, so that two processes do not deadlock.
    /// - Returns: the positions up to which their records are stored now.
    private func change(
        _ gateways: [String], day: Int64?, _ session: any SQLSession, _ body: (String, inout StoredProgress) -> Void
    ) throws -> [String: RecordPosition] {
        var before = try lockedProgress(gateways, session)
        let unknown = gateways.filter { before[$0] == nil }
        if !unknown.isEmpty {
            // Two processes that first hear of a gateway at once would both find no row to lock, and the later would
            // undo the earlier.
            let none = JSON.encode(StoredProgress())
            try session.insert(
                StoreSchema.progressCreation,
                rows: unknown.map { [.text($0), .text(String(decoding: none, as: UTF8.self)), .integer(day ?? 0)] }
            ) { _ in }
            before = try lockedProgress(gateways, session)
        }
        var result: [String: RecordPosition] = [:]
        var rows: [[SQLValue]] = []
        for gateway in gateways {
            var progress = before[gateway] ?? StoredProgress()
            body(gateway, &progress)
            result[gateway] = progress.through
            if progress == before[gateway] { continue }
            rows.append([
                .text(gateway), .text(String(decoding: JSON.encode(progress), as: UTF8.self)), .integer(day ?? 0),
            ])
        }
        try session.insert(StoreSchema.progressInsertion, rows: rows) { _ in }
        return result
    }

    private func lockedProgress(_ gateways: [String], _ session: any SQLSession) throws -> [String: StoredProgress] {
        var progress: [String: StoredProgress] = [:]
        try session.find("path, progress", in: "gateway", where: "path", is: gateways, isLocking: true) { row in
            guard let path = row.text(0), let text = row.text(1) else { return }
            progress[path] = (try? JSON.decode(StoredProgress.self, from: Array(text.utf8))) ?? StoredProgress()
        }
        return progress
    }

    /// Applies a gateway's statement about the records that it holds.
    ///
    /// - Parameters:
    ///   - position: the gateway holds nothing below this; records missing there will never arrive. `nil`: it holds
    ///     nothing at all, and missing records may still be in transit.
    ///   - lasts: the last record of each of its latest boots.
    ///   - now: seconds since 1970.
    ///   - missing: called with the number of missing records, if there are any.
    /// - Returns: the position up to which its records are stored now.
    /// - Throws: `StoreError`.
    package func settle(
        _ gateway: String, below position: RecordPosition?, lasts: [RecordPosition] = [], now: Int64,
        missing: (UInt64) -> Void = { _ in }
    ) throws -> RecordPosition? {
        var count: UInt64 = 0
        let through = try database.write { session in
            try session.lockShared()
            return try change([gateway], day: now / Self.day, session) {
                $1.given(lasts)
                guard let position else { return }
                count = $1.missing(below: position)
                $1.settled(below: position)
            }[gateway]
        }
        if count > 0 { missing(count) }
        return through
    }
}

extension SQLSession {
    func hasTable(_ name: String) throws -> Bool {
        let sql =
            switch dialect {
            case .sqlite: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1"
            case .postgreSQL: "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1"
            }
        return try first(sql, [.text(name)]) { _ in true } ?? false
    }

    private var lock: Int64 { 0x6265_6163 }

    /// Locks out other sessions that create tables, until the end of the transaction.
    func lockTables() throws {
        guard dialect == .postgreSQL else { return }
        try query("SELECT pg_advisory_xact_lock(\(lock + 1))") { _ in }
    }

    /// Locks out sessions that erase or create tables; sessions that store do not block each other.
    func lockShared() throws {
        guard dialect == .postgreSQL else { return }
        try query("SELECT pg_advisory_xact_lock_shared(\(lock))") { _ in }
    }

    func lockExclusively() throws {
        guard dialect == .postgreSQL else { return }
        try query("SELECT pg_advisory_xact_lock(\(lock))") { _ in }
    }
}

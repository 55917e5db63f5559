import Matching
package import RecordContract

/// Interactions of the last days, by place and subject, and how far each gateway's records are stored.
///
/// Used by one thread at a time; everything blocks. Several processes may use one PostgreSQL database.
package final class InteractionStore {
    let database: any SQLDatabase
    private let location: StoreLocation
    private let retention: Int64
    /// The same of readings.
    let readingRetention: Int64
    var names: NameNumbers
    /// Beacons of which the configuration says that they hang somewhere, `uuid/major/minor`.
    var configuredBeacons: Set<String>
    private var partitions: Set<Int64> = []
    private let placeEvidence = PlaceEvidenceCache()
    /// Days of which there is something, while the time isn't known; `nil`: not looked at.
    private var doubtfulDays: DoubtfulDays?
    private var readingPartitions: Set<Int64> = []
    private var longest: Int64 = 0
    var erasures = Erasures()
    private var distrust = Distrust()
    /// With which names of beacons begin by which phones prove where they are: `uuid/`.
    let proofPrefix: String?
    private var quota: IngestQuota
    /// Days of one batch of which it is counted what there is.
    private static let mostCountedDays = 64
    var settlingOrder = SettlingOrder()

    static let day: Int64 = 86_400
    /// Seconds by which a gateway's clock may be ahead.
    package static let clockTolerance: Int64 = 86_400

    /// Looks whether a store may be used that is there; opens nothing.
    ///
    /// - Throws: `StoreError` for a file that everybody may read or change.
    package static func check(_ location: StoreLocation) throws {
        if case .sqlite(let path) = location { try SQLiteDatabase.refuseIfPublic(path) }
    }

    /// - Parameters:
    ///   - retention: for how many days interactions are kept.
    ///   - readingRetention: for how many days readings are kept; as interactions without.
    ///   - creating: whether a store is made where there is none. Who only asks, or erases, and has mistyped the location
    ///     must not be told that nothing is there.
    ///   - isForAnswers: of two in a process the one that stores needs the memory.
    ///   - dailyQuota: bytes that one gateway may have stored of one day.
    ///   - proofUUID: of beacons by which phones prove where they are.
    ///   - fixedBeacons: `uuid/major/minor` of beacons that hang somewhere by the configuration. They are fixed for whoever
    ///     asks this store; only `setFixedBeacons` writes them down for others.
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
            // Two that find an empty database at once would both make the tables.
            try session.lockExclusively()
            guard try session.hasTable("schema_version") else {
                guard creating else { throw StoreError.noStore(location) }
                for statement in StoreSchema.statements(session.dialect) { try session.execute(statement) }
                return
            }
            let version = try session.first("SELECT version FROM schema_version") { $0.integer(0) } ?? 0
            let upgrade = StoreSchema.upgrade(from: version, session.dialect)
            if !upgrade.isEmpty {
                for statement in upgrade { try session.execute(statement) }
                return
            }
            guard version == StoreSchema.version else {
                throw StoreError(
                    "the store \(location) has version \(version) of the tables, and this program version \(StoreSchema.version)",
                    remedy: version > StoreSchema.version ? "use a newer beacon-matcher" : "give another store")
            }
        }
    }

    // MARK: Storing

    /// What became of records.
    package struct Outcome: Equatable, Sendable {
        /// Records of interactions that are newer than what the store had of them.
        package var stored = 0
        /// Records that changed nothing: the store had the same, or a later one of the same interaction.
        package var known = 0
        /// Not stored, and never will be, by why.
        package var refused: [Refusal: Int] = [:]
        /// Records that the database doesn't take, with what it said: they aren't stored, and count as seen.
        package var rejected: [Rejection] = []
        /// How far the records of the gateways concerned are stored without a gap.
        package var progress: [String: RecordPosition] = [:]
        /// Receivers that aren't believed what they say of a place's beacon.
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
        /// Longer ago than interactions are kept.
        case expired
        /// More than a day ahead: of a gateway whose clock is wrong.
        case future
        /// Of a subject that was erased since.
        case erased
        /// Says of an interaction that another subject had it, or that it began at another time, than an earlier record.
        case changed
        /// Of a gateway that an operator revoked.
        case revoked
        /// Its gateway has had stored of that day as much as one may.
        case overQuota = "over-quota"
        /// Has the gateway, boot and sequence of an earlier record, and says something else, of the same interaction or of another.
        case contradicting
        /// Of more days than there can be, while the time isn't known.
        case manyDays = "many-days"
    }

    /// Stores records in one transaction: when this returns, they survive the loss of power. When it throws, they are to be
    /// stored again; those that were stored before change nothing.
    ///
    /// A record that the database doesn't take is found by halves and left out: else it would come again for ever, and
    /// everybody's records with it.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - clockIsSynchronized: whether `now` can be believed. If not, nothing is refused for its time: on a machine that
    ///     began in the past all that is good would be of the future.
    /// - Throws: `StoreError`.
    package func store(_ records: [ReceivedRecord], now: Int64, clockIsSynchronized: Bool = true) throws -> Outcome {
        do {
            do {
                return try storeWhole(records, now: now, clockIsSynchronized: clockIsSynchronized)
            } catch let error as StoreError where error.isConflict {
                // Another matcher, with names that are new to both.
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
                // Of two that are said of a gateway the later is the farther.
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
            // Not even that it came can be stored.
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
            // Before the table is read: of two who have read it neither could make a part of it.
            try makePartitions(Set(intake.candidates.map { $0.key.started / Self.day }), session)
            let readings = acceptedReadings(of: records, now: now, clockIsSynchronized, &outcome)
            // Of both, which are in the same blocks.
            var memory = try memory(
                of: readings.map(\.entry) + intake.candidates.map(\.record.entry), session)
            // By whichever clock is later: what is stored is to be kept as long as its interactions.
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

    /// A transaction that adds interactions.
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
            // Numbers that were given in the transaction are void.
            names = NameNumbers(rooms: names.rooms)
            partitions = []
            readingPartitions = []
            longest = 0
            throw error
        }
    }

    /// Has the database asked again for the numbers of names, and whose places are.
    func forgetNames() {
        names = NameNumbers(rooms: names.rooms)
        placeEvidence.forget()
    }

    /// Writes what phones ranged, at places whose numbers are known; of one phone each place has one stay of one start.
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
        var place: Int64
        var started: Int64
        var origin: Int64
        var number: Int64

        static func < (left: Self, right: Self) -> Bool {
            (left.place, left.started, left.origin, left.number)
                < (right.place, right.started, right.origin, right.number)
        }
    }

    /// Records that may be stored.
    private struct Intake {
        /// With numbers in the place of names.
        var candidates: [RecordSelection.Candidate]
        /// Those of the names that the database doesn't have.
        var newNames: NameNumbers.NewNames
    }

    /// Nothing that costs room is written yet: names of records that aren't stored leave nothing.
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
        // Names that are stored under a clock that is behind must not look old when it has been set.
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

    /// Of beacons that are nobody's, by which phones prove where they are.
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

    /// As `storing` has read.
    func distrusted(_ gateway: String) -> Refusal? { distrust.revoked.contains(gateway) ? .revoked : nil }

    /// Before anything is written down.
    ///
    /// - Parameters:
    ///   - receiver: the gateway, or one of its ears.
    ///   - start: of the record.
    func exhausted(_ gateway: String, receiver: String, start: Int64, now: Int64) -> Refusal? {
        let days = Self.days(start, now)
        if quota.isExhausted(gateway, days) { return .overQuota }
        return quota.admits(receiver: receiver, of: gateway, on: days.received) ? nil : .overQuota
    }

    /// Whether there is room for something new.
    func takeRoom(_ bytes: Int64, of gateway: String, start: Int64, now: Int64) -> Bool {
        quota.take(bytes, of: gateway, Self.days(start, now))
    }

    /// Whether there is room for a record of readings that nobody has yet.
    ///
    /// - Parameter more: bytes that it takes besides.
    func takeRoom(readings record: ReadingsRecord, inBlocks blocks: Set<Int64>, and more: Int64, now: Int64) -> Bool {
        quota.takeReadings(
            of: record.subjects.count, inBlocks: blocks, and: more, of: record.gateway,
            Self.days(record.start, now))
    }

    /// Takes room for what is written already.
    func addRoom(_ bytes: Int64, of gateway: String, start: Int64, now: Int64) {
        quota.add(bytes, of: gateway, Self.days(start, now))
    }

    private static func days(_ start: Int64, _ now: Int64) -> IngestQuota.Days {
        IngestQuota.Days(told: start / day, received: now / day)
    }

    /// Reads how much there is of the days of records, of each day once, so that a process that was started anew doesn't give
    /// everybody all of their room again. In a transaction of its own: whoever has read the table can't make a part of it.
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
        // The latest; so many are in no batch but while the time isn't known, and in files.
        let latest = Set(days.sorted().suffix(Self.mostCountedDays))
        let counts = try database.read { session in
            var counts: [Int64: [String: Int64]] = [:]
            for day in latest.sorted() { counts[day] = try interactions(of: day, session) }
            return counts
        }
        for day in days { quota.count(counts[day] ?? [:], storedOf: day) }
    }

    /// Interactions that began on a day, by gateway.
    private func interactions(of day: Int64, _ session: any SQLSession) throws -> [String: Int64] {
        var counts: [String: Int64] = [:]
        // The first condition is that of SQLite's index, the others are those of PostgreSQL's tables.
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

    /// Days of which nothing is kept any more have no quota.
    func forgetQuotas(before time: Int64) { quota.forget(before: time / Self.day) }

    func refusal(of record: InteractionRecord, now: Int64, clockIsSynchronized: Bool = true) -> Refusal? {
        if clockIsSynchronized,
            let refusal = refusal(from: record.start, to: record.end, keptFor: retention, now: now)
        {
            return refusal
        }
        if !clockIsSynchronized, !admits(start: record.start, of: record.gateway, now: now) { return .manyDays }
        // One that was under way then has minutes of before.
        if wasErased(record.subject, since: record.start) { return .erased }
        return nil
    }

    /// Whether something may be stored of a day while the time isn't known: nothing is refused for its time then, and whoever tells
    /// of thousands of days would have thousands of tables made.
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

    /// Why something of a time isn't stored, by a clock that can be believed.
    ///
    /// - Parameter kept: for how many seconds it would be kept.
    func refusal(from start: Int64, to end: Int64, keptFor kept: Int64, now: Int64) -> Refusal? {
        if end < now - kept { return .expired }
        return start > now + Self.clockTolerance ? .future : nil
    }

    /// As `storing` has read.
    func wasErased(_ subject: SubjectIdentity, since start: Int64) -> Bool {
        erasure(of: subject).map { start <= $0 } ?? false
    }

    /// The same: when it was.
    func erasure(of subject: SubjectIdentity) -> Int64? { erasures.time(of: subject) }

    private func write(_ rows: [RecordSelection.Candidate], _ session: any SQLSession) throws {
        try makePartitions(Set(rows.map { $0.key.started / Self.day }), session)
        var values: [Int64?] = []
        values.reserveCapacity(rows.count * StoreSchema.interactionColumns.count)
        for row in rows {
            let (key, record) = (row.key, row.record)
            // One by one: an array of them would be made for each row.
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

    /// PostgreSQL has a table for each day, so that a day is dropped and not deleted.
    private func makePartitions(_ days: Set<Int64>, _ session: any SQLSession) throws {
        guard session.dialect == .postgreSQL else { return }
        let new = days.subtracting(partitions)
        if new.isEmpty { return }
        // Of two that make a table at once the later would fail, although it asks whether it is there.
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

    /// The same for tables whose rows have a `ReadingKey`.
    ///
    /// - Parameter days: since 1970, UTC.
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

    /// - Parameter day: today, since 1970.
    private func advance(
        _ records: [ReceivedRecord], day: Int64?, _ session: any SQLSession
    ) throws -> [String: RecordPosition] {
        var positions: [String: [RecordPosition]] = [:]
        for record in records { positions[record.gateway, default: []].append(record.position) }
        return try change(positions.keys.sorted(), day: day, session) { gateway, progress in
            for position in positions[gateway] ?? [] { progress.stored(position) }
        }
    }

    /// - Parameter gateways: in order, so that two processes don't wait for each other.
    /// - Returns: how far their records are stored now.
    private func change(
        _ gateways: [String], day: Int64?, _ session: any SQLSession, _ body: (String, inout StoredProgress) -> Void
    ) throws -> [String: RecordPosition] {
        var before = try lockedProgress(gateways, session)
        let unknown = gateways.filter { before[$0] == nil }
        if !unknown.isEmpty {
            // Two that hear of a gateway at once would both find no row to lock, and the later would undo the earlier.
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

    /// What a gateway says of its records.
    ///
    /// - Parameters:
    ///   - position: it holds nothing below: what is missing there will never come. `nil`: it holds nothing at all, and what is
    ///     missing may be on its way.
    ///   - lasts: the last record of each of its latest boots.
    ///   - now: seconds since 1970.
    ///   - missing: is told how many of them there are, where some are.
    /// - Returns: how far its records are stored now.
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

    /// Against others that make tables, until the end of the transaction.
    func lockTables() throws {
        guard dialect == .postgreSQL else { return }
        try query("SELECT pg_advisory_xact_lock(\(lock + 1))") { _ in }
    }

    /// Against what erases and makes tables; who stores doesn't keep others from storing.
    func lockShared() throws {
        guard dialect == .postgreSQL else { return }
        try query("SELECT pg_advisory_xact_lock_shared(\(lock))") { _ in }
    }

    func lockExclusively() throws {
        guard dialect == .postgreSQL else { return }
        try query("SELECT pg_advisory_xact_lock(\(lock))") { _ in }
    }
}

package import Evidence
import Matching
import RecordContract

/// The store of recent interactions by place and subject, and of how far each gateway's records are stored.
///
/// Used by one thread at a time; every call blocks. Several processes can share one PostgreSQL database.
package final class InteractionStore {
    let database: any SQLDatabase
    let location: StoreLocation
    let retention: Int64
    /// Retention of readings, in seconds.
    let readingRetention: Int64
    var names: NameNumbers
    /// Beacons that the configuration gives a fixed place, as `uuid/major/minor`.
    var configuredBeacons: Set<String>
    var partitions = DayPartitions()
    let placeEvidence = PlaceEvidenceCache()
    /// Days that have data, while the time is unknown; `nil` if not read yet.
    var doubtfulDays: DoubtfulDays?
    var longest: Int64 = 0
    var erasures = Erasures()
    var distrust = Distrust()
    /// Prefix of the names of proof beacons, which phones use to prove where they are: `uuid/`.
    let proofPrefix: String?
    var quota: IngestQuota
    var settlingOrder = SettlingOrder()
    var standings = KnownStandings()

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
    ///   - report: called while the tables of an earlier version are upgraded.
    /// - Throws: `StoreError`.
    package static func open(
        _ location: StoreLocation, retention: Int64 = 14, readingRetention: Int64? = nil, creating: Bool = true,
        isForAnswers: Bool = false, dailyQuota: Int64? = nil, proofUUID: String? = nil,
        fixedBeacons: Set<String> = [], report: (StoreUpgradeProgress) -> Void = { _ in }
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
        try store.setUp(creating: creating, report: report)
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

    // MARK: Storing

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
        do {
            return try storeAll(records, now: now, clockIsSynchronized, isFirst: true)
        } catch is OldNames {
            // Whatever was stored under these names is found now.
            return try storeAll(records, now: now, clockIsSynchronized, isFirst: false)
        }
    }

    /// Names that were looked up may have been stored by another process in the meantime.
    ///
    /// A transaction of PostgreSQL sees what others have committed since its last statement: an interaction of a subject
    /// that had no number a moment ago. Without another try its record would look like that of another subject.
    private struct OldNames: Error {}

    private func storeAll(
        _ records: [ReceivedRecord], now: Int64, _ clockIsSynchronized: Bool, isFirst: Bool
    ) throws -> Outcome {
        try storing { session in
            var outcome = Outcome()
            if clockIsSynchronized {
                doubtfulDays = nil
            } else if doubtfulDays == nil {
                doubtfulDays = DoubtfulDays(known: try knownDays(session))
            }
            try store(proofs: proofs(in: records, now: now, clockIsSynchronized), session)
            let intake = try intake(of: records, now: now, clockIsSynchronized, session, &outcome)
            // Before the table is read: of two transactions that have read it, neither could create a partition.
            try partitions.makeInteractions(of: Set(intake.candidates.map { $0.key.started / Self.day }), session)
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
            if isFirst, selection.mayHaveOldNames { throw OldNames() }
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
            try store(
                positionsOf: rows.lazy.map(\.record), readings, now: now, today: max(day, dayOfReadings), session)
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
            standings = KnownStandings()
            partitions = DayPartitions()
            longest = 0
            throw error
        }
    }

    /// Drops the cached numbers of names and owners of places, so that the database is asked again.
    func forgetNames() {
        names = NameNumbers(rooms: names.rooms)
        standings = KnownStandings()
        placeEvidence.forget()
    }
}

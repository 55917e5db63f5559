import Evidence
import Matching
import RecordContract

extension InteractionStore {
    /// Records that passed admission.
    struct Intake {
        /// Records with numbers in place of names.
        var candidates: [RecordSelection.Candidate]
        /// The names of the candidates that the database does not have.
        var newNames: NameNumbers.NewNames
    }

    /// Returns the records that can be stored. Nothing that takes up quota is written yet: names of records that are
    /// not stored leave no trace.
    func intake(
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
    func proofs(
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

    func knownDays(_ session: any SQLSession) throws -> Set<Int64> {
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
}

import Matching

extension InteractionStore {
    /// The amounts of deleted data.
    package struct Deletion: Equatable, Sendable {
        package var interactions = 0
        /// Number of blocks of 15 minutes, counted by subject.
        package var readings = 0
        /// Located stays.
        package var stays = 0
        package var subjects = 0
        package var reports = 0

        package init(
            interactions: Int = 0, readings: Int = 0, stays: Int = 0, subjects: Int = 0, reports: Int = 0
        ) {
            self.interactions = interactions
            self.readings = readings
            self.stays = stays
            self.subjects = subjects
            self.reports = reports
        }
    }

    /// Deletes all expired data, in one go.
    ///
    /// - Parameters: see `retentionSteps`.
    /// - Throws: `StoreError`.
    package func enforceRetention(
        days: Int64, readingDays: Int64? = nil, stayDays: Int64? = nil, reportDays: Int64 = 28, now: Int64,
        clockIsSynchronized: Bool = true
    ) throws -> Deletion {
        try retentionSteps(
            days: days, readingDays: readingDays, stayDays: stayDays, reportDays: reportDays, now: now,
            clockIsSynchronized: clockIsSynchronized
        )
        .reduce(into: Deletion()) { $0 += try perform($1) }
    }

    /// Returns the steps that delete all expired data: interactions, names that were not used since, and reports with
    /// everything that follows from them.
    ///
    /// PostgreSQL drops whole days, once everything that began in them has expired: up to a day later.
    ///
    /// - Parameters:
    ///   - days: retention of interactions.
    ///   - readingDays: retention of readings; default: the same as `days`.
    ///   - stayDays: retention of located stays; default: the same as that of readings.
    ///   - reportDays: retention of reports.
    ///   - now: seconds since 1970.
    ///   - clockIsSynchronized: whether `now` can be trusted. If not, it is limited to the latest start that a gateway
    ///     with a synchronized clock has reported, so that a clock that is ahead does not delete everything.
    /// - Throws: `StoreError`.
    package func retentionSteps(
        days: Int64, readingDays: Int64? = nil, stayDays: Int64? = nil, reportDays: Int64 = 28, now: Int64,
        clockIsSynchronized: Bool = true
    ) throws -> [RetentionStep] {
        let places: [Int64] = try database.read { session in
            var places: [Int64] = []
            try session.query("SELECT id FROM place ORDER BY id") { places.append($0.integer(0)) }
            return places
        }
        var now = now
        if !clockIsSynchronized {
            guard let latest = try latestStart(at: places) else { return [] }
            now = min(now, latest)
        }
        let limit = now - days * Self.day
        let tooLate = clockIsSynchronized ? now + Self.clockTolerance : nil
        var steps: [RetentionStep] = try storedDays(endedBefore: limit, after: tooLate).map { .day($0) }
        // A few places at a time, so that nothing else waits long.
        if database is SQLiteDatabase {
            for start in stride(from: 0, to: places.count, by: 50) {
                steps.append(
                    .places(Array(places[start..<min(start + 50, places.count)]), before: limit, after: tooLate))
            }
        }
        let readingLimit = now - (readingDays ?? days) * Self.day
        steps += try self.readingDays(before: readingLimit, after: tooLate).map { .readings(day: $0) }
        steps.append(.unsettledReadings(before: readingLimit, after: tooLate))
        let stayLimit = now - (stayDays ?? readingDays ?? days) * Self.day
        steps.append(.locatedStays(before: stayLimit, after: tooLate))
        // Names are needed as long as any data with their numbers.
        steps.append(
            .names(
                before: min(limit, readingLimit, stayLimit) / Self.day, today: now / Self.day,
                clockIsSynchronized: clockIsSynchronized))
        steps.append(.reports(before: now - reportDays * Self.day, exposuresBefore: limit, now: now))
        return steps
    }

    /// Performs a step.
    ///
    /// - Throws: `StoreError`.
    package func perform(_ step: RetentionStep) throws -> Deletion {
        switch step {
        case .day(let day): Deletion(interactions: try drop(day))
        case .places(let places, let limit, let tooLate):
            Deletion(interactions: try delete(at: places, before: limit, after: tooLate))
        case .readings(let day): Deletion(readings: try deleteReadings(ofDay: day))
        case .unsettledReadings(let limit, let tooLate): try deleteUnsettledReadings(before: limit, after: tooLate)
        case .locatedStays(let limit, let tooLate):
            Deletion(stays: try deleteLocatedStays(before: limit, after: tooLate))
        case .names(let day, let today, let clockIsSynchronized):
            Deletion(
                subjects: try deleteNames(before: day, today: today, clockIsSynchronized: clockIsSynchronized))
        case .reports(let limit, let earliest, let now):
            Deletion(reports: try deleteReports(before: limit, exposuresBefore: earliest, now: now))
        }
    }

    /// Returns the latest start of an interaction reported by a gateway with a synchronized clock, using the key by
    /// place and start.
    private func latestStart(at places: [Int64]) throws -> Int64? {
        try database.read { session in
            var latest: Int64?
            for place in places {
                let start = try session.first(
                    "SELECT started FROM interaction WHERE place = $1 AND clock = 1 ORDER BY started DESC LIMIT 1",
                    [.integer(place)]
                ) { $0.integer(0) }
                latest = [latest, start].compactMap(\.self).max()
            }
            return latest
        }
    }

    private func delete(at places: [Int64], before limit: Int64, after tooLate: Int64?) throws -> Int {
        try database.write { session in
            try session.lockShared()
            return try places.reduce(0) { count, place in
                var count = count
                count += try session.execute(
                    "DELETE FROM interaction WHERE place = $1 AND started < $2 AND ended < $2",
                    [.integer(place), .integer(limit)])
                // These were stored while the time was unknown.
                if let tooLate {
                    count += try session.execute(
                        "DELETE FROM interaction WHERE place = $1 AND started > $2",
                        [.integer(place), .integer(tooLate)])
                }
                return count
            }
        }
    }

    /// Days for which a gateway's progress is kept without new records.
    private static let gatewayDays: Int64 = 28

    private func deleteNames(before day: Int64, today: Int64, clockIsSynchronized: Bool) throws -> Int {
        forgetQuotas(before: day * Self.day)
        return try database.write { session in
            try session.lockExclusively()
            try session.execute("DELETE FROM erased WHERE at < $1", [.integer(day * Self.day)])
            try session.execute("DELETE FROM code_commitment WHERE day < $1", [.integer(day)])
            try session.execute("DELETE FROM enrolment WHERE expires < $1", [.integer(today * Self.day)])
            try session.execute(
                "DELETE FROM phone_proof WHERE ended < $1", [.integer((today - Self.proofDays) * Self.day)])
            if clockIsSynchronized {
                // Names seen while the clock was ahead would otherwise stay until that day.
                for table in [
                    "subject", "place", "origin", "gateway", "taken", "receiver", "receiver_position",
                ] {
                    try session.execute("UPDATE \(table) SET seen = $1 WHERE seen > $1", [.integer(today)])
                }
                try session.execute("DELETE FROM gateway WHERE seen < $1", [.integer(today - Self.gatewayDays)])
            }
            // A process that stores interactions marks their names as seen every few days.
            let last = SQLValue.integer(day - NameNumbers.renewal)
            try session.execute("DELETE FROM origin WHERE seen < $1", [last])
            try session.execute("DELETE FROM receiver WHERE seen < $1", [last])
            // While a survey names a receiver, its position tells whether it was moved since. The inner query has no
            // reference to the outer one: it runs once, whatever the number of receivers.
            try session.execute(
                "DELETE FROM receiver_position WHERE seen < $1 "
                    + "AND path NOT IN (SELECT receiver FROM survey_signal)", [last])
            try session.execute("DELETE FROM taken WHERE seen < $1", [last])
            try session.execute("DELETE FROM place_claim WHERE state = 'refused' AND seen < $1", [last])
            try session.execute(
                "DELETE FROM place WHERE seen < $1 AND id NOT IN (SELECT place FROM neighbour) "
                    + "AND id NOT IN (SELECT place FROM exposure) AND id NOT IN (SELECT place FROM receiver) "
                    + "AND NOT EXISTS (SELECT 1 FROM interaction WHERE interaction.place = place.id)", [last])
            let subjects = try session.execute("DELETE FROM subject WHERE seen < $1", [last])
            try session.execute(
                "DELETE FROM subject_power WHERE subject NOT IN (SELECT id FROM subject)")
            return subjects
        }
    }

    private func deleteReports(before limit: Int64, exposuresBefore earliest: Int64, now: Int64) throws -> Int {
        try database.write { session in
            try session.lockExclusively()
            let count = try session.execute("DELETE FROM report WHERE received < $1", [.integer(limit)])
            try session.execute("DELETE FROM questionnaire WHERE at < $1", [.integer(limit)])
            // Subjects that were notified of more are notified of what is left.
            try session.execute(
                "UPDATE notice SET stale = abs(stale) + 1 WHERE EXISTS (SELECT 1 FROM exposure e "
                    + "WHERE e.name = notice.name AND e.kind = notice.kind "
                    + "AND (e.ended < $1 OR e.report NOT IN (SELECT id FROM report)))", [.integer(earliest)])
            for table in ["report_subject", "exposure"] {
                try session.execute("DELETE FROM \(table) WHERE report NOT IN (SELECT id FROM report)")
            }
            try session.execute(
                "DELETE FROM positive WHERE report <> $1 AND report NOT IN (SELECT id FROM report)",
                [.integer(PositiveReport.Entry.unlinked)])
            try session.execute("DELETE FROM exposure WHERE ended < $1", [.integer(earliest)])
            let isOld =
                "changed < $1 AND NOT EXISTS "
                + "(SELECT 1 FROM exposure e WHERE e.name = notice.name AND e.kind = notice.kind)"
            try session.execute(
                "DELETE FROM notice WHERE \(isOld) AND (NOT \(NoticeColumns.isPresent) OR seen = 1)",
                [.integer(earliest)])
            try session.execute("DELETE FROM withdrawal WHERE at < $1 AND done = 1", [.integer(earliest)])
            // The notice was never read. It stays as an empty row: the process that empties its topic must know of it,
            // also after a restart.
            try session.execute(
                "UPDATE notice SET \(NoticeColumns.assignments(from: 3)), seen = 1, delivered = 1, changed = $2, "
                    + "stale = -abs(stale) WHERE \(isOld) AND \(NoticeColumns.isPresent)",
                [.integer(earliest), .integer(now)] + NoticeColumns.values(of: nil))
            try session.execute("DELETE FROM spent_token WHERE expires < $1", [.integer(now)])
            try session.removeCodes(expiredAt: now)
            return count
        }
    }

    /// Returns the days that have a table of their own and of which nothing is to be kept.
    private func storedDays(endedBefore limit: Int64, after tooLate: Int64?) throws -> [Int64] {
        try database.read { session in
            guard session.dialect == .postgreSQL else { return [] }
            let longest = try session.longest()
            var days: [Int64] = []
            try session.query(
                """
                SELECT substr(c.relname, length('interaction_') + 1)::bigint FROM pg_inherits i \
                JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent \
                WHERE p.relname = 'interaction' AND c.relname ~ '^interaction_[0-9]{1,9}$' ORDER BY 1
                """
            ) { days.append($0.integer(0)) }
            return days.filter { day in
                (day + 1) * Self.day + longest <= limit || tooLate.map { day * Self.day > $0 } ?? false
            }
        }
    }

    private func drop(_ day: Int64) throws -> Int {
        defer { partitions.forgetInteractions(of: day) }
        return try database.write { session in
            try session.lockExclusively()
            try session.limitWaiting()
            // Another process may have been faster.
            guard try session.hasTable("interaction_\(day)") else { return 0 }
            let rows = try session.count("SELECT count(*) FROM interaction_\(day)")
            try session.execute("DROP TABLE interaction_\(day)")
            return rows
        }
    }
}

extension InteractionStore.Deletion {
    package static func += (left: inout Self, right: Self) {
        left.interactions += right.interactions
        left.readings += right.readings
        left.stays += right.stays
        left.subjects += right.subjects
        left.reports += right.reports
    }
}

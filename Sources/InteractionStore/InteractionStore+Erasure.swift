package import Matching
import People
import SystemIO

extension InteractionStore {
    /// The data that was erased for a subject, and what is left.
    package struct Erasure: Equatable, Sendable {
        package var interactions: Int
        /// Minutes in which receivers heard the subject.
        package var minutes = 0
        /// Located stays of the subject.
        package var stays = 0
        /// Spots of surveys at which the badge was carried.
        package var surveySpots = 0
        package var subjects: Int
        /// Rows that still name the subject, by table.
        package var remaining: [String: Int]
        /// Places with the same name, because the configuration or an operator places the beacon there. They stay, and
        /// so does the name.
        package var places: Int
        /// Database files that were searched for the subject's name, followed by those in which it was found.
        package var searchedFiles: [String]
        package var foundIn: [String]
        /// Tables with texts in which the files still have the name; empty if it is not known where it is.
        package var foundInTables: [String] = []
        /// Whether the broker still holds the subject's notice until the daemon has withdrawn it.
        package var withdrawsNotice = false
        /// Number of places whose beacon was known only from a gateway's claim, which is now forgotten.
        package var forgottenPlaces = 0
        /// Receivers whose gateway had named their room after the subject; the room name is forgotten.
        package var forgottenRooms: [String] = []
        /// Loss of the register of people; `nil` if it did not have the subject.
        package var register: RegisterLoss?

        /// Tables that still have the name, as far as it is known.
        package var remainingTables: [String] {
            Set(foundInTables).union(remaining.filter { $0.value > 0 }.keys).sorted()
        }

        /// Whether nothing is left.
        package var isComplete: Bool {
            remaining.values.allSatisfy { $0 == 0 } && foundIn.isEmpty && places == 0
        }
    }

    /// Erasure whose rows are gone. What databases keep of deleted rows is still there.
    package struct UnprovenErasure: Sendable {
        fileprivate var subject: SubjectIdentity
        fileprivate var proofs: [String]
        /// Number of the subject before the erasure.
        fileprivate var number: Int64?
        /// Number of the person to whom the subject belonged by the register.
        fileprivate var owner: String?
        fileprivate var erasure: Erasure
    }

    /// Removes all data of a subject, also from the unused parts of the database's files, and checks that nothing is
    /// left. Records from before `now` are no longer accepted, whichever gateway sends them again.
    ///
    /// It is `eraseRows`, all `traceSteps`, and `prove`.
    ///
    /// - Throws: `StoreError`.
    package func erase(
        _ subject: SubjectIdentity, listed: [String] = [], proofs: [String] = [], topicKey: String? = nil, now: Int64
    ) throws -> Erasure {
        let erasure = try eraseRows(of: subject, listed: listed, proofs: proofs, topicKey: topicKey, now: now)
        for step in traceSteps { try removeTraces(step) }
        return try prove(erasure)
    }

    /// Removes all rows of a subject. Records from before `now` are no longer accepted.
    ///
    /// - Parameters:
    ///   - listed: the entries that stand for the subject in the list of positives.
    ///   - proofs: beacons by which a phone proved where it was, as `uuid/major/minor`.
    ///   - topicKey: key of the subject's topic. The notice on it is withdrawn, even if no daemon is running to do that
    ///     now.
    ///   - now: seconds since 1970.
    ///   - entry: entry of the audit, which is stored in the same transaction.
    /// - Throws: `StoreError`.
    package func eraseRows(
        of subject: SubjectIdentity, listed: [String], proofs: [String], topicKey: String?, now: Int64,
        audit entry: AuditEntry? = nil
    ) throws -> UnprovenErasure {
        var erasure = Erasure(
            interactions: 0, subjects: 0, remaining: [:], places: 0, searchedFiles: [], foundIn: [])
        let number = try numbers(of: [subject])[subject]
        var owner: String?
        try database.write { session in
            try session.lockExclusively()
            let key = try Erasures.key(session)
            try session.execute(
                // Later than the previous time even if the clock was set back: other processes detect the change by it.
                "INSERT INTO erased (hash, at) VALUES ($1, $2) ON CONFLICT (hash) DO UPDATE SET "
                    + "at = CASE WHEN excluded.at > erased.at THEN excluded.at ELSE erased.at + 1 END",
                [.text(Erasures.hash(subject, key)), .integer(now)])
            try session.unlinkShownPositives(of: subject, listed: listed)
            // The report is deleted with the reporter's other names: rotating codes, a badge beside a phone.
            try session.execute(
                "DELETE FROM report_subject WHERE report IN (SELECT report FROM report_subject WHERE name = $1 AND kind = $2)",
                [.text(subject.id), .text(subject.kind)])
            let arguments: [SQLValue] = [.text(subject.id), .text(subject.kind)]
            try session.execute("DELETE FROM exposure WHERE name = $1 AND kind = $2", arguments)
            // Also for a notice that no longer says anything: the broker may not know that yet. An exposed subject that
            // was never notified must not learn of the exposure from a topic that is emptied.
            let wasTold =
                try session.first(
                    "SELECT 1 FROM notice WHERE name = $1 AND kind = $2 AND changed > 0", arguments
                ) { _ in true } ?? false
            try session.execute("DELETE FROM notice WHERE name = $1 AND kind = $2", arguments)
            if let topicKey, wasTold {
                try session.withdraw(topicKey: topicKey, now: now)
                erasure.withdrawsNotice = true
            }
            try session.removeReportsOfNobody()
            // The holder of the old secret must not be able to query what is stored under the name later.
            try session.renewSecret(of: subject)
            erasure.forgottenPlaces = try forgetPlaces(of: subject, session)
            erasure.forgottenRooms = try forgetRooms(of: subject, session)
            try session.forget(proofs: proofs)
            if subject.kind == SubjectIdentity.badge {
                erasure.surveySpots = try session.removeSurveySpots(of: subject.id)
            }
            if subject.kind == SubjectIdentity.phone {
                try session.execute("DELETE FROM code_commitment WHERE phone = $1", [.text(subject.id)])
            }
            owner = try session.people(of: [subject])[subject]?.number
            erasure.register = try session.removeFromRegister(subject)
            try session.removeFromUploads(subject, now: now)
            try session.removeFromTexts(subject)
            try session.note(entry)
            // A roster can name its students by the devices that they carry.
            for table in StoreSchema.studentTables {
                try session.execute(
                    "DELETE FROM \(table) WHERE lower(student) IN (lower($1), lower($2))",
                    [.text(subject.id), .text(subject.description)])
            }
            guard let number else { return }
            erasure.minutes = try eraseReadings(of: number, session)
            erasure.stays = try eraseLocatedStays(of: number, session)
            erasure.interactions = try session.execute(
                "DELETE FROM interaction AS i WHERE \(StoreSchema.isOfSubject("i", "$1", session.dialect))",
                [.integer(number)])
            erasure.subjects = try session.execute(
                "DELETE FROM subject WHERE name = $1 AND kind = $2", [.text(subject.id), .text(subject.kind)])
        }
        return UnprovenErasure(subject: subject, proofs: proofs, number: number, owner: owner, erasure: erasure)
    }

    /// Checks that nothing is left of a subject, after all `traceSteps`.
    ///
    /// - Throws: `StoreError`.
    package func prove(_ unproven: UnprovenErasure) throws -> Erasure {
        let (subject, number) = (unproven.subject, unproven.number)
        var erasure = unproven.erasure
        try database.read { session in
            for table in ["report_subject", "exposure", "notice", "person_subject", "subject"] {
                erasure.remaining[table] = try session.count(
                    "SELECT count(*) FROM \(table) WHERE name = $1 AND kind = $2",
                    [.text(subject.id), .text(subject.kind)])
            }
            if subject.kind == SubjectIdentity.phone {
                erasure.remaining["code_commitment"] = try session.count(
                    "SELECT count(*) FROM code_commitment WHERE phone = $1", [.text(subject.id)])
            }
            if subject.kind == SubjectIdentity.badge {
                erasure.remaining["survey_spot"] = try session.count(
                    "SELECT count(*) FROM survey_spot WHERE badge = $1", [.text(subject.id)])
            }
            erasure.remaining["uploaded_file"] = try session.uploadsNaming(subject)
            if let owner = unproven.owner {
                for table in ["mail", "questionnaire"] {
                    erasure.remaining[table] = try session.count(
                        "SELECT count(*) FROM \(table) WHERE number = $1", [.text(owner)])
                }
                erasure.remaining["submitted_result"] = try session.submittedResultCount(number: owner)
            }
            erasure.remaining["phone_proof"] = try heardProofs(Set(unproven.proofs), session).count
            for table in StoreSchema.studentTables {
                erasure.remaining[table] = try session.count(
                    "SELECT count(*) FROM \(table) WHERE lower(student) IN (lower($1), lower($2))",
                    [.text(subject.id), .text(subject.description)])
            }
            erasure.remaining.merge(try session.textsNaming(subject)) { $0 + $1 }
            if let number {
                erasure.remaining.merge(try remainingReadings(of: number, session)) { $1 }
                for table in ["located_stay", "subject_power"] {
                    erasure.remaining[table] = try session.count(
                        "SELECT count(*) FROM \(table) WHERE subject = $1", [.integer(number)])
                }
                erasure.remaining["interaction"] = try session.count(
                    "SELECT count(*) FROM interaction i WHERE \(StoreSchema.isOfSubject("i", "$1", session.dialect))",
                    [.integer(number)])
            }
        }
        try searchFiles(for: subject, &erasure)
        return erasure
    }

    /// Removes a badge's name from places that have it only from a gateway's claim.
    ///
    /// - Returns: the number of places.
    private func forgetPlaces(of subject: SubjectIdentity, _ session: any SQLSession) throws -> Int {
        guard subject.kind == SubjectIdentity.badge, !configuredBeacons.contains(subject.id) else { return 0 }
        let name: [SQLValue] = [.text(subject.id)]
        let isAccepted = try session.first(
            "SELECT 1 FROM place_claim WHERE beacon = $1 AND state = 'accepted'", name
        ) { _ in true }
        if isAccepted == true { return 0 }
        try session.execute("DELETE FROM place_claim WHERE beacon = $1", name)
        return try session.execute(
            // What was heard there remains valid: the place stays, under another name.
            "UPDATE place SET name = 'place-' || id, beacon = NULL WHERE name = $1 OR beacon = $1", name)
    }

    /// Removes room names given by gateways that contain the subject's name.
    ///
    /// - Returns: the receivers of the rooms.
    private func forgetRooms(of subject: SubjectIdentity, _ session: any SQLSession) throws -> [String] {
        let isNamed =
            subject.isNamedByIDAlone
            ? "replace(lower(room), lower($1), '') <> lower(room)" : "lower(room) = lower($1)"
        let name: [SQLValue] = [.text(subject.id)]
        var receivers: [String] = []
        try session.query("SELECT gateway FROM place WHERE \(isNamed) ORDER BY gateway", name) { row in
            receivers.append(row.text(0) ?? "")
        }
        for table in ["place", "receiver_position"] {
            try session.execute("UPDATE \(table) SET room = NULL WHERE \(isNamed)", name)
        }
        return receivers
    }

    /// Returns the times at which the given subjects were erased, in seconds since 1970.
    ///
    /// - Throws: `StoreError`.
    package func erasures(among subjects: Set<SubjectIdentity>) throws -> [SubjectIdentity: Int64] {
        // Attendance queries must not wait for a process that stores.
        if try !database.read({ try erasures.areCurrent($0) }) { try storing { _ in } }
        var times: [SubjectIdentity: Int64] = [:]
        for subject in subjects { times[subject] = erasure(of: subject) }
        return times
    }
}

extension SQLSession {
    /// Deletes the records of the given proof beacons.
    ///
    /// - Parameter proofs: names of beacons.
    func forget(proofs: [String]) throws {
        try inParts(proofs.map { SQLValue.text($0) }) { list, names in
            try execute("DELETE FROM phone_proof WHERE name IN (\(list))", names)
        }
    }

    /// Requests that the daemon empty a subject's topic.
    func withdraw(topicKey: String, now: Int64) throws {
        try execute(
            // Later than the previous time even if the clock was set back: the daemon detects the change by it.
            "INSERT INTO withdrawal (topic_key, at, done) VALUES ($1, $2, 0) ON CONFLICT (topic_key) DO UPDATE SET done = 0, "
                + "at = CASE WHEN excluded.at > withdrawal.at THEN excluded.at ELSE withdrawal.at + 1 END",
            [.text(topicKey), .integer(now)])
    }
}

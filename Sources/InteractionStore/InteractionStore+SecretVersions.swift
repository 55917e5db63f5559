package import Matching

extension InteractionStore {
    /// Returns how often the secrets of some subjects were renewed: 0 for most, and negative where a secret is revoked
    /// and has not been replaced.
    ///
    /// A keyed hash stands for a subject, so that an erased name is not kept.
    ///
    /// - Throws: `StoreError`.
    package func secretVersions(of subjects: some Sequence<SubjectIdentity>) throws -> [SubjectIdentity: Int64] {
        try database.read { session in
            // If there is no key, there are no versions: it is created with the first.
            let key = try Erasures.presentKey(session)
            var versions: [SubjectIdentity: Int64] = [:]
            for subject in subjects {
                versions[subject] = try key.map { try session.secretVersion(of: subject, $0) } ?? 0
            }
            return versions
        }
    }

    /// Replaces the secret of a subject, and its topic.
    ///
    /// - Parameters:
    ///   - revoking: whether no secret is valid until it is renewed again.
    ///   - topicKey: key of the previous topic, on which the notice is withdrawn.
    ///   - now: seconds since 1970.
    ///   - entry: entry of the audit, which is stored in the same transaction.
    /// - Returns: the new version.
    /// - Throws: `StoreError`.
    package func renewSecret(
        of subject: SubjectIdentity, revoking: Bool = false, topicKey: String, now: Int64,
        audit entry: AuditEntry? = nil
    ) throws -> Int64 {
        try database.write { session in
            try session.lockExclusively()
            try session.note(entry)
            let version = try session.renewSecret(of: subject, revoking: revoking)
            try session.withdraw(topicKey: topicKey, now: now)
            // An unread notice is published on the new topic.
            try session.execute(
                "UPDATE notice SET delivered = 0, seen = 0 WHERE name = $1 AND kind = $2 AND seen = 0",
                [.text(subject.id), .text(subject.kind)])
            return version
        }
    }
}

extension SQLSession {
    fileprivate func secretVersion(of subject: SubjectIdentity, _ key: [UInt8]) throws -> Int64 {
        try first("SELECT version FROM secret_version WHERE hash = $1", [.text(Erasures.hash(subject, key))]) {
            $0.integer(0)
        } ?? 0
    }

    @discardableResult
    func renewSecret(of subject: SubjectIdentity, revoking: Bool = false) throws -> Int64 {
        let key = try Erasures.key(self)
        let version = abs(try secretVersion(of: subject, key)) + 1
        let kept = revoking ? -version : version
        try execute(
            "INSERT INTO secret_version (hash, version, at) VALUES ($1, $2, $3) "
                + "ON CONFLICT (hash) DO UPDATE SET version = excluded.version, at = excluded.at",
            // The time is not needed, and would permanently reveal when a person asked to be erased.
            [.text(Erasures.hash(subject, key)), .integer(kept), .integer(0)])
        return kept
    }
}

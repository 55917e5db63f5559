package import Matching

extension InteractionStore {
    /// How often the secrets of some subjects were made anew: 0 for most, and negative where a secret is
    /// revoked and none was made since.
    ///
    /// A keyed hash stands for a subject, so that a name which was erased isn't kept.
    ///
    /// - Throws: `StoreError`.
    package func secretVersions(of subjects: some Sequence<SubjectIdentity>) throws -> [SubjectIdentity: Int64] {
        try database.read { session in
            // Without it there is none: it is made with the first.
            let key = try session.first("SELECT bytes FROM secret WHERE name = 'erasure'") {
                Array(($0.text(0) ?? "").utf8)
            }
            var versions: [SubjectIdentity: Int64] = [:]
            for subject in subjects {
                versions[subject] = try key.map { try session.secretVersion(of: subject, $0) } ?? 0
            }
            return versions
        }
    }

    /// Makes the secret of a subject, and its topic, others than they were.
    ///
    /// - Parameters:
    ///   - revoking: whether none is valid until one is made again.
    ///   - topicKey: of the topic that it had: what it was told there is withdrawn.
    ///   - now: seconds since 1970.
    /// - Returns: the version of the new one.
    /// - Throws: `StoreError`.
    package func renewSecret(
        of subject: SubjectIdentity, revoking: Bool = false, topicKey: String, now: Int64
    ) throws -> Int64 {
        try database.write { session in
            try session.lockExclusively()
            let version = try session.renewSecret(of: subject, revoking: revoking)
            try session.withdraw(topicKey: topicKey, now: now)
            // What it hasn't read is told on the new one.
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
            // When that was, nobody asks, and it would say for good when somebody had themselves erased.
            [.text(Erasures.hash(subject, key)), .integer(kept), .integer(0)])
        return kept
    }
}

package import InteractionStore
import MatcherCore
package import Matching

/// Erasure of a subject with everything that stands for it elsewhere: entries in the list of positives, proofs of a
/// phone, and the topic of its notice. `beacon-matcher erase` and the page do the same.
package struct SubjectErasure: Sendable {
    /// Data that was erased, and data that is left.
    package var erasure: InteractionStore.Erasure
    /// Key of the topic that the subject's notice had.
    package var topicKey: String

    /// Erases a subject.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - entry: entry of the audit, which is stored with the erasure of the rows.
    /// - Throws: `StoreError`.
    package init(
        of subject: SubjectIdentity, in store: InteractionStore, now: Int64, audit entry: AuditEntry? = nil
    ) throws {
        let begun = try Self.eraseRows(of: subject, in: store, now: now, audit: entry)
        for step in store.traceSteps { try store.removeTraces(step) }
        erasure = try store.prove(begun.erasure)
        topicKey = begun.topicKey
    }

    /// Erases the rows of a subject. What databases keep of deleted rows is removed by all `traceSteps` of the store
    /// afterwards, once for several subjects.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: `StoreError`.
    static func eraseRows(
        of subject: SubjectIdentity, in store: InteractionStore, now: Int64, audit entry: AuditEntry? = nil
    ) throws -> (erasure: InteractionStore.UnprovenErasure, topicKey: String) {
        let secrets = SubjectSecrets(secret: try store.secret("subjects"))
        let version = try store.secretVersions(of: [subject])[subject] ?? 0
        let topicKey = secrets.topicKey(of: subject, version: version)
        // UUIDs from the store: the configuration may have another, or none.
        let proofs = try store.proofUUIDs().flatMap { uuid in
            secrets.proofs(of: subject, version: version, uuid: uuid, now: now)
        }
        let erasure = try store.eraseRows(
            of: subject, listed: [PositiveScheme.digest(kind: subject.kind, id: subject.id)], proofs: proofs,
            topicKey: topicKey, now: now, audit: entry)
        return (erasure, topicKey)
    }
}

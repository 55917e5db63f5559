extension InteractionStore {
    /// Name of the secret from which the identifier is derived.
    private static let clientIDName = "client-id"

    /// Returns the identifier by which the broker knows the matchers of this store: 64 random bits, or the former
    /// common identifier in a store from that time.
    ///
    /// - Throws: `StoreError`.
    package func clientID() throws -> String {
        let kept = try secret(Self.clientIDName)
        return kept == StoreSchema.formerClientID ? kept : "\(StoreSchema.formerClientID)-\(kept.prefix(16))"
    }

    /// Returns the name of the share by which the matchers of this store divide the records. A client that knows the
    /// name can take records away by joining the share, since brokers such as mosquitto distribute them before they
    /// check read access.
    ///
    /// - Parameter name: a readable prefix.
    /// - Throws: `StoreError`.
    package func shareName(_ name: String) throws -> String { "\(name)-\(try secret("share").prefix(16))" }

    /// Replaces the identifier. Records that the broker holds for the former one are lost to the matcher.
    ///
    /// - Parameter entry: entry of the audit, which is stored in the same transaction.
    /// - Throws: `StoreError`.
    package func renewClientID(audit entry: AuditEntry? = nil) throws -> String {
        try database.write { session in
            try session.lockExclusively()
            try session.note(entry)
            try session.execute("DELETE FROM secret WHERE name = $1", [.text(Self.clientIDName)])
        }
        return try clientID()
    }
}

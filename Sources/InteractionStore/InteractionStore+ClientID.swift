extension InteractionStore {
    /// The name of the secret that makes the identifier.
    private static let clientIDName = "client-id"

    /// The identifier by which matchers of this store are known to the broker: 64 random bits, or what all had before, in a
    /// store of that time.
    ///
    /// - Throws: `StoreError`.
    package func clientID() throws -> String {
        let kept = try secret(Self.clientIDName)
        return kept == StoreSchema.formerClientID ? kept : "\(StoreSchema.formerClientID)-\(kept.prefix(16))"
    }

    /// The name of the share by which matchers of this store divide the records: whoever knows it takes records away by joining
    /// it, since brokers such as mosquitto deal them out before they look who may read them.
    ///
    /// - Parameter name: for people.
    /// - Throws: `StoreError`.
    package func shareName(_ name: String) throws -> String { "\(name)-\(try secret("share").prefix(16))" }

    /// Makes another identifier. What the broker holds for the former one is lost to the matcher.
    ///
    /// - Throws: `StoreError`.
    package func renewClientID() throws -> String {
        try database.write { session in
            try session.lockExclusively()
            try session.execute("DELETE FROM secret WHERE name = $1", [.text(Self.clientIDName)])
        }
        return try clientID()
    }
}

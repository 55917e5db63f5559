package import RecordContract

extension InteractionStore {
    /// A gateway that the store knows.
    package struct GatewayState: Equatable, Sendable {
        /// The gateway as `site/building/floor/gateway`.
        package var path: String
        /// The time at which the gateway last reported that it works, in seconds since 1970; `nil` if it has not yet.
        package var heard: Int64?
        /// The position up to which its records are stored without a gap.
        package var stored: RecordPosition?
        package var revocation: Revocation?

        package struct Revocation: Equatable, Sendable {
            /// Time of the revocation, in seconds since 1970.
            package var since: Int64
            package var reason: String
            /// Name of the account that revoked it on the page, or of the user of the command line; `nil` when the
            /// audit has no entry any more.
            package var name: String?
        }
    }

    /// Returns all gateways that have sent records, and those that are revoked.
    ///
    /// - Parameter withStored: whether `stored` is read, which takes longer than everything else.
    /// - Throws: `StoreError`.
    package func gatewayStates(withStored: Bool = true) throws -> [GatewayState] {
        let progress = try withStored ? progress() : [:]
        return try database.read { session in
            var states: [String: GatewayState] = [:]
            try session.query("SELECT path, heard FROM gateway") { row in
                guard let path = row.text(0) else { return }
                states[path] = GatewayState(
                    path: path, heard: row.integer(1) > 0 ? row.integer(1) : nil, stored: progress[path])
            }
            for (path, revocation) in try session.revocations() {
                states[path, default: GatewayState(path: path)].revocation = revocation
            }
            return states.values.sorted { $0.path < $1.path }
        }
    }

    /// Returns the gateways whose records are not accepted any more, as `site/building/floor/gateway`.
    ///
    /// - Throws: `StoreError`.
    package func revokedGateways() throws -> Set<String> {
        try database.read { session in
            var paths: Set<String> = []
            try session.query("SELECT path FROM revoked_gateway") { row in
                if let path = row.text(0) { paths.insert(path) }
            }
            return paths
        }
    }

    /// Revokes a gateway: its records are not accepted any more. Those that arrive count as received, so that nothing
    /// waits for them.
    ///
    /// - Parameters:
    ///   - gateway: `site/building/floor/gateway`.
    ///   - reason: reason for display.
    ///   - now: seconds since 1970.
    ///   - entry: entry of the audit, which is stored in the same transaction.
    /// - Returns: the earlier revocation if the gateway is revoked already: then nothing changes, since its time and
    ///   its reason are those of whoever revoked it. `nil` if it is done.
    /// - Throws: `StoreError`.
    @discardableResult
    package func revoke(
        _ gateway: String, reason: String, now: Int64, audit entry: AuditEntry? = nil
    ) throws -> GatewayState.Revocation? {
        try database.write { session -> GatewayState.Revocation? in
            try session.lockExclusively()
            if let earlier = try session.revocations()[gateway] { return earlier }
            try session.execute(
                "INSERT INTO revoked_gateway (path, since, reason) VALUES ($1, $2, $3)",
                [.text(gateway), .integer(now), .text(reason)])
            try session.note(entry)
            return nil
        }
    }

    /// Revokes a gateway on the page, in one transaction with the entry of the audit.
    ///
    /// - Parameters:
    ///   - gateway: `site/building/floor/gateway`.
    ///   - reason: reason for display.
    ///   - audit: entry at the time of the revocation.
    /// - Returns: the earlier revocation if the gateway is revoked already: then nothing changes. `nil` if it is done.
    /// - Throws: `StoreError`.
    package func revoke(
        _ gateway: String, reason: String, audit: AuditEntry
    ) throws -> GatewayState.Revocation? {
        try revoke(gateway, reason: reason, now: audit.at, audit: audit)
    }

    /// Accepts records of a gateway again by the page, in one transaction with the entry of the audit.
    ///
    /// - Parameters:
    ///   - gateway: `site/building/floor/gateway`.
    ///   - since: time of the revocation that the operator saw, in seconds since 1970.
    /// - Returns: `false` if that revocation does not hold any more: then nothing changes.
    /// - Throws: `StoreError`.
    package func restore(_ gateway: String, revokedSince since: Int64, audit: AuditEntry) throws -> Bool {
        try database.write { session in
            try session.lockExclusively()
            let count = try session.execute(
                "DELETE FROM revoked_gateway WHERE path = $1 AND since = $2", [.text(gateway), .integer(since)])
            if count > 0 { try session.note(audit) }
            return count > 0
        }
    }

    /// Returns the position up to which the records of one gateway are stored without a gap.
    ///
    /// - Throws: `StoreError`.
    package func progress(of gateway: String) throws -> RecordPosition? {
        let text = try database.read { session in
            try session.first("SELECT progress FROM gateway WHERE path = $1", [.text(gateway)]) { $0.text(0) ?? "" }
        }
        return text.flatMap { try? JSON.decode(StoredProgress.self, from: Array($0.utf8)) }?.through
    }

    /// Accepts records of a gateway again.
    ///
    /// - Parameter entry: entry of the audit, which is stored in the same transaction.
    /// - Returns: whether it was revoked.
    /// - Throws: `StoreError`.
    package func restore(_ gateway: String, audit entry: AuditEntry? = nil) throws -> Bool {
        try database.write { session in
            try session.lockExclusively()
            let count = try session.execute("DELETE FROM revoked_gateway WHERE path = $1", [.text(gateway)])
            if count > 0 { try session.note(entry) }
            return count > 0
        }
    }

    /// Forgets how far a gateway's records are stored, for a gateway whose numbers somebody else has used up.
    ///
    /// - Parameter entry: entry of the audit, which is stored in the same transaction.
    /// - Returns: whether anything was known.
    /// - Throws: `StoreError`.
    package func forgetProgress(of gateway: String, audit entry: AuditEntry? = nil) throws -> Bool {
        try database.write { session in
            try session.lockExclusively()
            let count = try session.execute("DELETE FROM gateway WHERE path = $1", [.text(gateway)])
            if count > 0 { try session.note(entry) }
            return count > 0
        }
    }
}

extension SQLSession {
    /// Returns the gateways that are revoked, by their paths.
    fileprivate func revocations() throws -> [String: InteractionStore.GatewayState.Revocation] {
        var revocations: [String: InteractionStore.GatewayState.Revocation] = [:]
        try query(
            "SELECT r.path, r.since, r.reason, "
                + DecisionName.query(actions: "$1", object: "r.path", since: "r.since") + " FROM revoked_gateway r",
            [.text(AuditEntry.Action.revokedGateway.rawValue)]
        ) { row in
            guard let path = row.text(0) else { return }
            revocations[path] = .init(since: row.integer(1), reason: row.text(2) ?? "", name: row.text(3))
        }
        return revocations
    }
}

extension InteractionStore.GatewayState {
    init(path: String) { self.init(path: path, heard: nil, stored: nil, revocation: nil) }
}

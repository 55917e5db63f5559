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
            try session.query("SELECT path, since, reason FROM revoked_gateway") { row in
                guard let path = row.text(0) else { return }
                states[path, default: GatewayState(path: path)].revocation = .init(
                    since: row.integer(1), reason: row.text(2) ?? "")
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
    /// - Throws: `StoreError`.
    package func revoke(_ gateway: String, reason: String, now: Int64) throws {
        try database.write { session in
            try session.lockExclusively()
            try session.execute(
                "INSERT INTO revoked_gateway (path, since, reason) VALUES ($1, $2, $3) "
                    + "ON CONFLICT (path) DO UPDATE SET reason = excluded.reason",
                [.text(gateway), .integer(now), .text(reason)])
        }
    }

    /// Accepts records of a gateway again.
    ///
    /// - Returns: whether it was revoked.
    /// - Throws: `StoreError`.
    package func restore(_ gateway: String) throws -> Bool {
        try database.write { session in
            try session.lockExclusively()
            return try session.execute("DELETE FROM revoked_gateway WHERE path = $1", [.text(gateway)]) > 0
        }
    }

    /// Forgets how far a gateway's records are stored, for a gateway whose numbers somebody else has used up.
    ///
    /// - Returns: whether anything was known.
    /// - Throws: `StoreError`.
    package func forgetProgress(of gateway: String) throws -> Bool {
        try database.write { session in
            try session.lockExclusively()
            return try session.execute("DELETE FROM gateway WHERE path = $1", [.text(gateway)]) > 0
        }
    }
}

extension InteractionStore.GatewayState {
    init(path: String) { self.init(path: path, heard: nil, stored: nil, revocation: nil) }
}

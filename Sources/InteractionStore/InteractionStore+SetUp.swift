import Glibc

/// Creation and upgrade of the tables when a store is opened.
extension InteractionStore {
    /// Interval at which a process looks whether another one has upgraded the store, in microseconds.
    private static let waitingInterval: UInt32 = 200_000

    /// Creates missing tables, or upgrades those of an earlier version.
    ///
    /// - Throws: `StoreError`.
    func setUp(creating: Bool, report: (StoreUpgradeProgress) -> Void) throws {
        var version = try database.read { try StoreUpgrade.version($0) }
        if version == nil {
            guard creating else { throw StoreError.noStore(location) }
            version = try database.write { session in
                // Otherwise two processes that find an empty database at the same time would both create the tables.
                try session.lockExclusively()
                if let version = try StoreUpgrade.version(session) { return version }
                for statement in StoreSchema.statements(session.dialect) { try session.execute(statement) }
                return StoreSchema.version
            }
        }
        if let former = version, StoreUpgrade.isNeeded(from: former) { version = try upgrade(report) }
        guard version == StoreSchema.version else { throw wrongVersion(version ?? 0) }
    }

    /// Upgrades the tables in one transaction: whatever interrupts it, the store is then as it was before, and the next
    /// start does it again.
    ///
    /// - Returns: the version of the tables after that.
    private func upgrade(_ report: (StoreUpgradeProgress) -> Void) throws -> Int64? {
        let lease = try upgradeLease(report)
        defer { withExtendedLifetime(lease) {} }
        let start = ContinuousClock.now
        var former: Int64?
        do {
            let (leader, version) = try database.write { session -> (StoreLease?, Int64?) in
                try session.lockExclusively()
                // Another process may have been faster.
                let version = try StoreUpgrade.version(session)
                guard let version, StoreUpgrade.isNeeded(from: version) else { return (nil, version) }
                // An earlier program would go on leading, and fail at what it does not know.
                guard let leader = try StoreLease.acquirePatiently(location, .leader) else {
                    throw StoreError.usedByEarlierVersion(location)
                }
                former = version
                report(.began(from: version, to: StoreSchema.version))
                try StoreUpgrade.run(from: version, session, report: report)
                return (leader, StoreSchema.version)
            }
            // Nobody leads before the upgrade is committed.
            withExtendedLifetime(leader) {}
            if let former {
                let duration = ContinuousClock.now - start
                report(.finished(from: former, to: StoreSchema.version, seconds: duration / .seconds(1)))
            }
            return version
        } catch var error as StoreError {
            if let former {
                error.meaning =
                    "the upgrade was undone: the store has schema version \(former) as before, and nothing is lost"
                error.remedy = (error.remedy.map { "\($0); " } ?? "") + "then start the program again"
            }
            throw error
        }
    }

    /// Waits until no other process upgrades the store.
    private func upgradeLease(_ report: (StoreUpgradeProgress) -> Void) throws -> StoreLease {
        var isReported = false
        while true {
            if let lease = try StoreLease.acquire(location, .upgrader) { return lease }
            if !isReported { report(.waiting) }
            isReported = true
            usleep(Self.waitingInterval)
        }
    }

    private func wrongVersion(_ version: Int64) -> StoreError {
        // Versions before 16 have no such column, and a later version can have renamed it.
        let program = try? database.read { session in
            try session.first("SELECT program FROM schema_version") { $0.text(0) } ?? nil
        }
        return .wrongVersion(version, by: program ?? nil, location)
    }
}

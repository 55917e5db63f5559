extension InteractionStore {
    /// Remembers when gateways said that they work; of those only that have sent records.
    ///
    /// - Parameter times: by `site/building/floor/gateway`, seconds since 1970.
    /// - Throws: `StoreError`.
    public func setHeard(_ times: [String: Int64]) throws {
        if times.isEmpty { return }
        try database.write { session in
            try session.lockShared()
            // In one order everywhere, so that two processes don't wait for each other.
            for (gateway, time) in times.sorted(by: { $0.key < $1.key }) {
                try session.execute(
                    "UPDATE gateway SET heard = $2 WHERE path = $1 AND heard < $2", [.text(gateway), .integer(time)])
            }
        }
    }

    /// Gateways that have said since a time, in seconds since 1970, that they work: to any matcher of this store.
    ///
    /// - Throws: `StoreError`.
    public func gateways(heardSince time: Int64) throws -> Set<String> {
        try database.read { session in
            var gateways: Set<String> = []
            try session.query("SELECT path FROM gateway WHERE heard >= $1", [.integer(time)]) { row in
                if let path = row.text(0) { gateways.insert(path) }
            }
            return gateways
        }
    }

    /// Remembers beacons of which the configuration says that they hang somewhere: phones may range them, and they expose
    /// nobody. Rooms of this go before what gateways say. What isn't said any more is forgotten like places of which nothing is heard.
    ///
    /// - Parameters:
    ///   - beacons: `uuid/major/minor`, with the room where one hangs.
    ///   - now: seconds since 1970.
    /// - Throws: `StoreError`.
    public func setFixedBeacons(_ beacons: [String: String?], now: Int64) throws {
        if beacons.isEmpty { return }
        names.rooms = beacons.compactMapValues(\.self)
        configuredBeacons.formUnion(beacons.keys)
        try database.write { session in
            try session.lockShared()
            // In one order everywhere, so that two processes don't wait for each other.
            try session.insert(
                StoreSchema.fixedBeaconInsertion,
                rows: beacons.sorted { $0.key < $1.key }.map { beacon, room in
                    [
                        .text(beacon), .text(""), .text(""), .text(""), .text(""), .text(room), .text(beacon),
                        .integer(now / Self.day),
                    ]
                }
            ) { _ in }
        }
    }
}

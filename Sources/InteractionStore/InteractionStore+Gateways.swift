extension InteractionStore {
    /// Remembers when gateways said that they work; of those only that have sent records.
    ///
    /// - Parameter times: by `site/building/floor/gateway`, seconds since 1970.
    /// - Throws: `StoreError`.
    package func setHeard(_ times: [String: Int64]) throws {
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
    package func gateways(heardSince time: Int64) throws -> Set<String> {
        try database.read { session in
            var gateways: Set<String> = []
            try session.query("SELECT path FROM gateway WHERE heard >= $1", [.integer(time)]) { row in
                if let path = row.text(0) { gateways.insert(path) }
            }
            return gateways
        }
    }

    /// Remembers beacons of which the configuration says that they hang somewhere: phones may range them, and they expose
    /// nobody. Rooms of this go before what gateways say. What isn't said any more, and no gateway says, is forgotten: whoever
    /// carries a badge that was named by mistake would be exposed to nobody for as long as interactions are kept.
    ///
    /// - Parameters:
    ///   - beacons: `uuid/major/minor`, with the room where one hangs.
    ///   - now: seconds since 1970.
    ///   - areAll: whether others than these are forgotten: a daemon's configuration says so of its store, and nobody else's.
    /// - Throws: `StoreError`.
    package func setFixedBeacons(_ beacons: [String: String?], now: Int64, areAll: Bool = true) throws {
        names.rooms = beacons.compactMapValues(\.self)
        configuredBeacons = areAll ? Set(beacons.keys) : configuredBeacons.union(beacons.keys)
        try database.write { session in
            try session.lockShared()
            var former: [String] = []
            try session.query(
                "SELECT beacon FROM place WHERE name = beacon AND site = '' AND gateway = '' ORDER BY name"
            ) { row in
                if areAll, let beacon = row.text(0), beacons[beacon] == nil { former.append(beacon) }
            }
            for beacon in former {
                try session.execute("UPDATE place SET beacon = NULL, room = NULL WHERE name = $1", [.text(beacon)])
            }
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

extension InteractionStore {
    /// Records the times at which gateways reported that they work; only for gateways that have sent records.
    ///
    /// A time is never replaced by an earlier one, unless it is from a clock that was ahead.
    ///
    /// - Parameter times: seconds since 1970, by `site/building/floor/gateway`.
    /// - Throws: `StoreError`.
    package func setHeard(_ times: [String: Int64]) throws {
        if times.isEmpty { return }
        try database.write { session in
            try session.lockShared()
            // The same order everywhere, so that two processes do not deadlock.
            for (gateway, time) in times.sorted(by: { $0.key < $1.key }) {
                try session.execute(
                    "UPDATE gateway SET heard = $2 WHERE path = $1 AND (heard < $2 OR heard - \(Self.ahead) > $2)",
                    [.text(gateway), .integer(time)])
            }
        }
    }

    /// Seconds by which a stored time must be later than a new one to be that of a clock that was ahead.
    private static let ahead: Int64 = 600

    /// Returns the gateways that have reported to any matcher of this store that they work.
    ///
    /// - Parameters:
    ///   - since: beginning of the time in which they reported, in seconds since 1970.
    ///   - until: end of that time; later reports are those of a clock that was ahead.
    /// - Throws: `StoreError`.
    package func gateways(heardSince since: Int64, until: Int64) throws -> Set<String> {
        try database.read { session in
            var gateways: Set<String> = []
            try session.query(
                "SELECT path FROM gateway WHERE heard >= $1 AND heard <= $2", [.integer(since), .integer(until)]
            ) { row in
                if let path = row.text(0) { gateways.insert(path) }
            }
            return gateways
        }
    }

    /// Stores the beacons that the configuration gives a fixed place: phones can range them, and they are never
    /// exposed. Rooms given here take precedence over what gateways report. Beacons that are not given any more, and
    /// that no gateway names, are forgotten: otherwise a person who carries a badge that was named by mistake would
    /// count as exposed to nobody for as long as interactions are kept.
    ///
    /// - Parameters:
    ///   - beacons: `uuid/major/minor`, with the room of the beacon.
    ///   - now: seconds since 1970.
    ///   - areAll: whether all other beacons are forgotten. Only a daemon's configuration is complete for its store.
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
            // The same order everywhere, so that two processes do not deadlock.
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

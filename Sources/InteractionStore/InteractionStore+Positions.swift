package import BeaconModel
import Evidence
import RecordContract

extension InteractionStore {
    /// Where a receiver hangs, by its latest records.
    package struct ReceiverPosition: Equatable, Sendable {
        /// `site/building/floor/gateway`, followed by the remote receiver if it is one.
        package var path: String
        /// Position on the floor's plan, in metres; `z` counts from the floor. `nil` if the receiver has none.
        package var position: Place.Position?
        package var room: String?
        /// Time since which the position holds, in seconds since 1970.
        package var since: Int64
        /// Position before that; `nil` if the receiver had no other.
        package var former: Place.Position?
    }

    /// Days after the latest record of all for which a receiver of which there are no records is still taken for one.
    private static let mostAbsence = 30

    /// Returns the positions of receivers, in the order of their paths.
    ///
    /// One that was not heard of for 30 days is left out, although a survey may keep its position in the store.
    ///
    /// - Parameter withRevoked: whether those of revoked gateways are returned too, for as long as the store has them:
    ///   they say where a stolen gateway hung, and nobody is located by them.
    /// - Throws: `StoreError`.
    package func receiverPositions(withRevoked: Bool = false) throws -> [ReceiverPosition] {
        let isHeard = "p.seen >= (SELECT max(seen) FROM receiver_position) - \(Self.mostAbsence)"
        let isRevoked =
            "EXISTS (SELECT 1 FROM revoked_gateway r WHERE r.path = p.path "
            + "OR substr(p.path, 1, length(r.path) + 1) = r.path || '/')"
        let condition = withRevoked ? "\(isHeard) OR \(isRevoked)" : "\(isHeard) AND NOT \(isRevoked)"
        return try database.read { session in
            var positions: [ReceiverPosition] = []
            try session.query(
                "SELECT \(StoreSchema.receiverPositionColumns.joined(separator: ", ")) FROM receiver_position p "
                    + "WHERE \(condition) ORDER BY path"
            ) { row in
                let standing = row.standing
                positions.append(
                    ReceiverPosition(
                        path: row.text(0) ?? "", position: standing.coordinates.map(\.metres), room: standing.room,
                        since: standing.since, former: standing.former.map(\.metres)))
            }
            return positions.sorted { $0.path < $1.path }
        }
    }

    /// Stores the positions that accepted records give for their receivers, as far as they are new.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - today: days since 1970.
    func store(
        positionsOf interactions: some Sequence<InteractionRecord>, _ readings: [ReadingsRecord], now: Int64,
        today: Int64, _ session: any SQLSession
    ) throws {
        var statements: [String: [ReceiverStanding.Statement]] = [:]
        func add(
            _ path: String, _ coordinates: ReceiverCoordinates?, _ room: String?, _ start: Int64?,
            _ record: RecordPosition
        ) {
            if standings.isKnown(path, coordinates, room, today: today) { return }
            statements[path, default: []].append(
                .init(coordinates: coordinates, room: room, start: start, record: record))
        }
        for record in interactions {
            add(
                record.place.gateway, record.coordinates, record.place.room,
                record.clockIsSynchronized ? record.start : nil, record.position)
        }
        for record in readings {
            add(
                record.receiver, record.coordinates, record.place.room,
                record.clockIsSynchronized ? record.start : nil, record.position)
        }
        if statements.isEmpty { return }
        var known: [String: (standing: ReceiverStanding, seen: Int64)] = [:]
        // The same order everywhere, so that two processes do not deadlock.
        let paths = statements.keys.sorted()
        try session.find(
            StoreSchema.receiverPositionColumns.joined(separator: ", "), in: "receiver_position", where: "path",
            is: paths, isLocking: true
        ) { row in
            if let path = row.text(0) { known[path] = (row.standing, row.integer(11)) }
        }
        var rows: [[SQLValue]] = []
        for path in paths {
            let (old, seen) = known[path].map { ($0.standing, $0.seen) } ?? (nil, 0)
            var standing = old
            for statement in (statements[path] ?? []).sorted(by: { $0.record < $1.record }) {
                if let present = standing {
                    standing = present.after(statement, now: now) ?? present
                } else {
                    standing = ReceiverStanding(
                        coordinates: statement.coordinates, room: statement.room, since: statement.start ?? now,
                        record: statement.record)
                }
            }
            guard let standing else { continue }
            standings.remember(path, standing, today: today)
            if standing == old, (today - NameNumbers.renewal + 1...today).contains(seen) { continue }
            rows.append(standing.row(path, seen: today))
        }
        try session.insert(StoreSchema.receiverPositionInsertion, rows: rows) { _ in }
    }
}

/// Positions and rooms of receivers that are known to be stored, so that most records need no query.
struct KnownStandings {
    private struct Known {
        var coordinates: ReceiverCoordinates?
        var room: String?
        var day: Int64
    }

    private var known = GenerationalCache<String, Known>(capacity: 20_000)

    /// Returns whether a receiver's position and room were stored or confirmed today.
    mutating func isKnown(_ path: String, _ coordinates: ReceiverCoordinates?, _ room: String?, today: Int64) -> Bool {
        guard let known = known.value(for: path) else { return false }
        return known.coordinates == coordinates && known.room == room && known.day == today
    }

    mutating func remember(_ path: String, _ standing: ReceiverStanding, today: Int64) {
        known.insert(Known(coordinates: standing.coordinates, room: standing.room, day: today), for: path)
    }
}

extension ReceiverStanding {
    /// Values in the order of `StoreSchema.receiverPositionColumns`.
    fileprivate func row(_ path: String, seen: Int64) -> [SQLValue] {
        [
            .text(path), .integer(coordinates?.x), .integer(coordinates?.y), .integer(coordinates?.z), .text(room),
            .integer(since), .integer(former?.x), .integer(former?.y), .integer(former?.z),
            .integer(Int64(bitPattern: record.boot)), .integer(Int64(bitPattern: record.sequence)), .integer(seen),
        ]
    }
}

extension SQLRow {
    /// The columns of `StoreSchema.receiverPositionColumns`.
    fileprivate var standing: ReceiverStanding {
        ReceiverStanding(
            coordinates: coordinates(1), room: text(4), since: integer(5), former: coordinates(6),
            record: RecordPosition(
                boot: UInt64(bitPattern: integer(9)), sequence: UInt64(bitPattern: integer(10))))
    }

    private func coordinates(_ first: Int32) -> ReceiverCoordinates? {
        guard let x = optionalInteger(first), let y = optionalInteger(first + 1), let z = optionalInteger(first + 2)
        else { return nil }
        return ReceiverCoordinates(millimetres: x, y, z)
    }
}

extension ReceiverCoordinates {
    fileprivate var metres: Place.Position {
        Place.Position(x: Double(x) / 1000, y: Double(y) / 1000, z: Double(z) / 1000)
    }
}

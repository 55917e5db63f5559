import FloorPlans
package import Localisation

extension InteractionStore {
    /// A spot of a survey with its number.
    package struct NumberedSpot: Equatable, Sendable {
        package var number: Int64
        package var spot: SurveySpot
    }

    /// A spot of a survey as lists show it.
    package struct ListedSpot: Equatable, Sendable {
        package var number: Int64
        /// The spot without its signals.
        package var spot: SurveySpot
        /// Number of receivers that heard the badge.
        package var receivers: Int
    }

    /// Spots that are kept at most, so that no script fills the store.
    package static let mostSpots = 20_000

    /// Stores a spot.
    ///
    /// - Returns: its number; `nil` if there are `mostSpots` already.
    /// - Throws: `StoreError`.
    package func add(_ spot: SurveySpot) throws -> Int64? {
        try database.write { session in
            try session.lockShared()
            guard try session.spotCount() < Self.mostSpots else { return nil }
            return try session.insert(spot)
        }
    }

    /// Replaces the spots of a building's modules.
    ///
    /// - Parameter building: `site/building`.
    /// - Throws: `StoreError`.
    package func setModuleSpots(_ spots: [SurveySpot], in building: String) throws {
        try database.write { session in
            try session.lockShared()
            let (prefix, floors) = (SurveySpot.modulePrefix, building + "/")
            let own = "substr(badge, 1, $1) = $2 AND substr(floor, 1, $3) = $4"
            let parameters: [SQLValue] = [
                .length(of: prefix), .text(prefix), .length(of: floors), .text(floors),
            ]
            try session.execute(
                "DELETE FROM survey_signal WHERE spot IN (SELECT id FROM survey_spot WHERE \(own))", parameters)
            try session.execute("DELETE FROM survey_spot WHERE \(own)", parameters)
            let room = try Self.mostSpots - session.spotCount()
            for spot in spots.prefix(max(0, room)) { try session.insert(spot) }
        }
    }

    /// Returns all spots in the order of their numbers.
    ///
    /// - Throws: `StoreError`.
    package func surveySpots() throws -> [NumberedSpot] {
        try database.read { session in
            var signals: [Int64: [SurveySpot.Signal]] = [:]
            try session.query("SELECT spot, receiver, rssi, seconds FROM survey_signal") { row in
                signals[row.integer(0), default: []].append(
                    .init(
                        receiver: row.text(1) ?? "", rssi: Double(row.integer(2)) / 100,
                        seconds: Int(clamping: row.integer(3))))
            }
            var spots: [NumberedSpot] = []
            try session.query("SELECT id, badge, floor, x, y, started, length FROM survey_spot ORDER BY id") { row in
                spots.append(
                    NumberedSpot(
                        number: row.integer(0),
                        spot: SurveySpot(
                            badge: row.text(1) ?? "", floor: row.text(2) ?? "",
                            position: PlanPoint(x: row.metres(3), y: row.metres(4)), startedAt: row.integer(5),
                            length: row.integer(6),
                            signals: (signals[row.integer(0)] ?? []).sorted { $0.receiver < $1.receiver })))
            }
            return spots
        }
    }

    /// Number of all spots.
    ///
    /// - Throws: `StoreError`.
    package func surveySpotCount() throws -> Int {
        try database.read { try $0.spotCount() }
    }

    /// Returns a part of the spots in the order of their numbers.
    ///
    /// - Parameters:
    ///   - first: number of spots before the part.
    ///   - limit: maximum number of spots.
    /// - Throws: `StoreError`.
    package func surveySpots(from first: Int, limit: Int) throws -> [ListedSpot] {
        try database.read { session in
            var spots: [ListedSpot] = []
            // The part is taken before signals are counted, so that those of spots before it are not.
            try session.query(
                "SELECT p.id, p.badge, p.floor, p.x, p.y, p.started, p.length, "
                    + "(SELECT count(*) FROM survey_signal s WHERE s.spot = p.id) "
                    + "FROM (SELECT id, badge, floor, x, y, started, length FROM survey_spot ORDER BY id "
                    + "LIMIT $1 OFFSET $2) AS p ORDER BY p.id", [.integer(Int64(limit)), .integer(Int64(first))]
            ) { row in
                spots.append(
                    ListedSpot(
                        number: row.integer(0),
                        spot: SurveySpot(
                            badge: row.text(1) ?? "", floor: row.text(2) ?? "",
                            position: PlanPoint(x: row.metres(3), y: row.metres(4)), startedAt: row.integer(5),
                            length: row.integer(6), signals: []), receivers: Int(row.integer(7))))
            }
            return spots
        }
    }

    /// Returns the floors with spots, in the order of their paths.
    ///
    /// - Parameter modules: whether modules at receivers are spots.
    /// - Throws: `StoreError`.
    package func surveyedFloors(withModules modules: Bool) throws -> [String] {
        let prefix = SurveySpot.modulePrefix
        return try database.read { session in
            var floors: [String] = []
            try session.query(
                "SELECT DISTINCT floor FROM survey_spot"
                    + (modules ? "" : " WHERE substr(badge, 1, $1) <> $2") + " ORDER BY floor",
                modules ? [] : [.length(of: prefix), .text(prefix)]
            ) { floors.append($0.text(0) ?? "") }
            return floors
        }
    }

    /// Returns the spots by which models are corrected: without modules and receivers that were moved since.
    ///
    /// - Parameter modules: whether modules at receivers are spots.
    /// - Throws: `StoreError`.
    package func usableSurvey(withModules modules: Bool) throws -> [SurveySpot] {
        let moved = Dictionary(
            try receiverPositions().compactMap { $0.former == nil ? nil : ($0.path, $0.since) }
        ) { first, _ in first }
        return try surveySpots().compactMap { numbered in
            var spot = numbered.spot
            if let module = spot.module, !modules || moved[module].map({ $0 > spot.startedAt }) ?? false { return nil }
            spot.signals.removeAll { moved[$0.receiver].map { $0 > spot.startedAt } ?? false }
            return spot
        }
    }

    /// Level at which a receiver heard the module at another one in the last night that was looked at.
    package struct ModuleLevel: Equatable, Sendable {
        /// Path of the receiver at which the module hangs.
        package var module: String
        /// Path of the receiver that heard it.
        package var receiver: String
        /// Mean RSSI in dBm.
        package var rssi: Double
        /// Time of the look, in seconds since 1970.
        package var at: Int64
    }

    /// Returns what the receivers of a gateway heard of modules, and what was heard of the modules at them, in the order
    /// of both paths.
    ///
    /// - Parameters:
    ///   - gateway: `site/building/floor/gateway`.
    ///   - limit: maximum number of levels.
    /// - Throws: `StoreError`.
    package func moduleLevels(around gateway: String, limit: Int) throws -> [ModuleLevel] {
        let prefix = SurveySpot.modulePrefix
        return try moduleLevels(
            where: "substr(p.badge, 1, $1) = $2 AND (s.receiver = $3 OR substr(s.receiver, 1, $4) = $5 "
                + "OR p.badge = $6 OR substr(p.badge, 1, $7) = $8) ORDER BY p.badge, s.receiver LIMIT $9",
            [
                .length(of: prefix), .text(prefix), .text(gateway), .length(of: gateway + "/"),
                .text(gateway + "/"), .text(prefix + gateway), .length(of: prefix + gateway + "/"),
                .text(prefix + gateway + "/"), .integer(Int64(limit)),
            ])
    }

    /// Returns what the receivers of a floor heard of the modules at each other, in the order of both paths.
    ///
    /// - Parameters:
    ///   - floor: `site/building/floor`.
    ///   - limit: maximum number of levels.
    /// - Throws: `StoreError`.
    package func moduleLevels(on floor: String, limit: Int) throws -> [ModuleLevel] {
        let (module, receiver) = (SurveySpot.modulePrefix + floor + "/", floor + "/")
        return try moduleLevels(
            where: "substr(p.badge, 1, $1) = $2 AND substr(s.receiver, 1, $3) = $4 "
                + "ORDER BY p.badge, s.receiver LIMIT $5",
            [
                .length(of: module), .text(module), .length(of: receiver), .text(receiver), .integer(Int64(limit)),
            ])
    }

    private func moduleLevels(where condition: String, _ values: [SQLValue]) throws -> [ModuleLevel] {
        let prefix = SurveySpot.modulePrefix
        return try database.read { session in
            var levels: [ModuleLevel] = []
            try session.query(
                "SELECT p.badge, s.receiver, s.rssi, p.started FROM survey_signal s JOIN survey_spot p ON p.id = s.spot "
                    + "WHERE " + condition, values
            ) { row in
                levels.append(
                    ModuleLevel(
                        module: String((row.text(0) ?? "").dropFirst(prefix.count)), receiver: row.text(1) ?? "",
                        rssi: Double(row.integer(2)) / 100, at: row.integer(3)))
            }
            return levels
        }
    }

    /// Removes spots.
    ///
    /// - Returns: the numbers of those that existed.
    /// - Throws: `StoreError`.
    package func removeSurveySpots(_ numbers: Set<Int64>) throws -> Set<Int64> {
        try database.write { session in
            try session.lockShared()
            var removed: Set<Int64> = []
            for number in numbers.sorted() {
                try session.execute("DELETE FROM survey_signal WHERE spot = $1", [.integer(number)])
                if try session.execute("DELETE FROM survey_spot WHERE id = $1", [.integer(number)]) > 0 {
                    removed.insert(number)
                }
            }
            return removed
        }
    }
}

extension SQLSession {
    fileprivate func spotCount() throws -> Int { try count("SELECT count(*) FROM survey_spot") }

    /// Stores a spot.
    ///
    /// - Returns: its number.
    @discardableResult
    func insert(_ spot: SurveySpot) throws -> Int64? {
        let number = try first(
            "INSERT INTO survey_spot (badge, floor, x, y, started, length) VALUES ($1, $2, $3, $4, $5, $6) "
                + "RETURNING id",
            [
                .text(spot.badge), .text(spot.floor), .integer(spot.position.x.millimetres),
                .integer(spot.position.y.millimetres), .integer(spot.startedAt), .integer(spot.length),
            ]
        ) { $0.integer(0) }
        guard let number else { return nil }
        try insert(
            StoreSchema.surveySignalInsertion,
            rows: spot.signals.map {
                [
                    .integer(number), .text($0.receiver), .integer(Int64(($0.rssi * 100).rounded())),
                    .integer(Int64($0.seconds)),
                ]
            }
        ) { _ in }
        return number
    }

    /// Removes the spots at which a badge was carried.
    ///
    /// - Returns: their number.
    func removeSurveySpots(of badge: String) throws -> Int {
        try execute(
            "DELETE FROM survey_signal WHERE spot IN (SELECT id FROM survey_spot WHERE badge = $1)", [.text(badge)])
        return try execute("DELETE FROM survey_spot WHERE badge = $1", [.text(badge)])
    }
}

extension SQLValue {
    /// Length of a text in characters, as databases count them.
    fileprivate static func length(of text: String) -> SQLValue { .integer(Int64(text.unicodeScalars.count)) }
}

extension Double {
    /// Whole millimetres of a length in metres.
    var millimetres: Int64 { Int64((min(max(self, -1e9), 1e9) * 1000).rounded()) }
}

extension SQLRow {
    /// A length that is stored in millimetres, in metres.
    func metres(_ column: Int32) -> Double { Double(integer(column)) / 1000 }
}

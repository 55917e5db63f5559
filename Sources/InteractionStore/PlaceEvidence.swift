import Evidence
import Matching

/// The evidence from gateways about a beacon that a receiver claims to be at its place. Pure.
///
/// A gateway can lie about its own floor, and no further. It also states itself when its claim begins. The data of
/// other gateways therefore decides: a badge that is carried comes near gateways of other floors, and a beacon that
/// hangs on one floor is faint on all others.
struct PlaceEvidence: Sendable {
    /// `site/building/floor/gateway` of the claiming receiver, followed by the remote receiver if it is one.
    let receiver: String
    /// Start of that gateway's latest record, in seconds since 1970; `nil` before its first. A gateway reports in
    /// order, so a claim from long before that is backdated.
    var latestTold: Int64?
    private var earliest: [String: Int64] = [:]
    private var near: Set<String> = []

    /// Time in seconds before the claim; a beacon that was heard earlier than that is a badge.
    static let grace: Int64 = 3600
    /// Maximum time in seconds by which a gateway's record can begin before its earlier records: an interaction may
    /// last a day.
    static let longestDelay: Int64 = 86_400
    /// Maximum distance, in centimetres, at which a gateway hears a beacon on its own floor: a floor attenuates by 15
    /// dB and more, which makes 3 m look like 10 m.
    private static let nearest = 800
    /// Minimum signal strength, in dBm, that counts as near if no distance is known.
    private static let loudest = -70

    init(receiver: String) { self.receiver = receiver }

    static func isNear(centimetres: Int64?, rssi: Int64?) -> Bool {
        centimetres.map { $0 <= nearest } ?? rssi.map { $0 >= loudest } ?? false
    }

    /// Adds an observation of another receiver.
    ///
    /// - Parameters:
    ///   - other: a receiver, or the place of one.
    ///   - start: seconds since 1970.
    mutating func heard(by other: String, since start: Int64, isNear: Bool) {
        guard !other.isEmpty, PlaceClaimRule.gateway(other) != PlaceClaimRule.gateway(receiver) else { return }
        earliest[other] = min(earliest[other] ?? .max, start)
        if isNear { near.insert(other) }
    }

    /// Whether a first claim is refused; an operator can still accept it. Two gateways of other floors that hear the
    /// beacon at all, however faintly, are enough.
    ///
    /// - Parameters:
    ///   - start: start of the claim, as stated by the claiming receiver; seconds since 1970.
    ///   - isConfigured: whether the configuration gives the beacon a fixed place. In that case it may have been heard
    ///     for long, but on that floor.
    func refutesNew(claimedSince start: Int64, isConfigured: Bool = false) -> Bool {
        let start = max(start, latestTold.map { $0 - Self.longestDelay } ?? start)
        let known = isConfigured ? earliest.filter { !isOnFloor($0.key) } : earliest
        return !outside.isEmpty || !nearOnOtherFloors.isEmpty || onOtherFloors(Set(known.keys)).count > 1
            || known.contains { $0.value < start - Self.grace }
    }

    /// Whether the present owner is no longer believed. A single gateway, which may lie, cannot take away another's
    /// beacon.
    var refutes: Bool { outside.count > 1 || nearOnOtherFloors.count > 1 }

    /// Gateways of other buildings.
    private var outside: Set<String> {
        Set(
            earliest.keys.filter { PlaceClaimRule.building($0) != PlaceClaimRule.building(receiver) }
                .map(PlaceClaimRule.gateway))
    }

    private var nearOnOtherFloors: Set<String> { onOtherFloors(near) }

    private func onOtherFloors(_ paths: Set<String>) -> Set<String> {
        Set(paths.filter { !isOnFloor($0) }.map(PlaceClaimRule.gateway))
    }

    private func isOnFloor(_ path: String) -> Bool { PlaceClaimRule.floor(path) == PlaceClaimRule.floor(receiver) }
}

extension PlaceEvidence {
    /// A receiver's observations of a beacon.
    struct Heard {
        /// `site/building/floor/gateway`, followed by the remote receiver if it is one.
        var path: String
        /// Start of the first observation, in seconds since 1970.
        var since: Int64
        var isNear: Bool
    }

    /// Returns the stored observations of a beacon, without those of revoked gateways.
    static func heard(of badge: SubjectIdentity, _ session: any SQLSession) throws -> [Heard] {
        guard let number = try session.number(of: badge) else { return [] }
        let revoked = try revoked(session)
        var heard: [Heard] = []
        // By the reporting origin: a gateway can claim to be at the place of another on its floor.
        try session.query(
            "SELECT o.path, min(i.started), \(isFar) FROM interaction i JOIN origin o ON o.id = i.origin "
                + "WHERE \(StoreSchema.isOfSubject("i", "$1", session.dialect)) GROUP BY o.path",
            [.integer(number)]
        ) { row in
            let path = row.text(0) ?? ""
            if path == InteractionStore.phones || revoked.contains(PlaceClaimRule.gateway(path)) { return }
            heard.append(Heard(path: path, since: row.integer(1), isNear: row.integer(2) == 0))
        }
        return heard
    }

    /// Returns the stored observations of claimed beacons that are at no place, by beacon, as `heard(of:_:)` does. A
    /// beacon that hangs is heard by its neighbours, and by those at the place from which it was moved.
    ///
    /// - Parameter condition: SQL condition for the claims `c`.
    static func heard(
        ofClaimed condition: String, _ arguments: [SQLValue], _ session: any SQLSession
    ) throws -> [String: [Heard]] {
        let revoked = try revoked(session)
        var heard: [String: [Heard]] = [:]
        try session.query(
            // The cross joins have SQLite begin with the claims, which are few.
            "SELECT b.name, o.path, min(i.started), \(isFar) FROM (SELECT DISTINCT s.id, s.name FROM place_claim c "
                + "CROSS JOIN subject s WHERE s.name = c.beacon AND s.kind = '\(SubjectIdentity.badge)' "
                + "AND \(condition) "
                + "AND NOT EXISTS (SELECT 1 FROM place p WHERE p.name = c.beacon AND p.beacon = c.beacon)) b "
                + "CROSS JOIN interaction i JOIN origin o ON o.id = i.origin "
                + "WHERE \(StoreSchema.isOfSubject("i", "b.id", session.dialect)) GROUP BY b.name, o.path",
            arguments
        ) { row in
            let path = row.text(1) ?? ""
            guard let beacon = row.text(0), path != InteractionStore.phones,
                !revoked.contains(PlaceClaimRule.gateway(path))
            else { return }
            heard[beacon, default: []].append(
                Heard(path: path, since: row.integer(2), isNear: row.integer(3) == 0))
        }
        return heard
    }

    /// SQL expression that is 0 if any of the interactions `i` was near, otherwise 1.
    private static let isFar =
        "min(CASE WHEN i.distance <= \(nearest) OR (i.distance IS NULL AND i.rssi >= \(loudest)) THEN 0 ELSE 1 END)"

    /// Returns the revoked gateways. Their statements count neither for nor against any receiver.
    private static func revoked(_ session: any SQLSession) throws -> Set<String> {
        var revoked: Set<String> = []
        try session.query("SELECT path FROM revoked_gateway") { row in
            if let path = row.text(0) { revoked.insert(path) }
        }
        return revoked
    }

    /// Returns the start of the latest interaction that a gateway reported, in seconds since 1970; `nil` if there is
    /// none since the given day.
    ///
    /// - Parameter day: days since 1970; earlier data is not searched.
    static func latestTold(by gateway: String, since day: Int64, _ session: any SQLSession) throws -> Int64? {
        var origins: [String] = []
        try session.query(
            "SELECT id FROM origin WHERE substr(path, 1, length($1)) = $1", [.text(gateway + "/")]
        ) { origins.append(String($0.integer(0))) }
        if origins.isEmpty { return nil }
        return try session.first(
            "SELECT max(started) FROM interaction WHERE \(StoreSchema.isOfDays(since: day, session.dialect)) "
                + "AND origin IN (\(origins.joined(separator: ", ")))", []
        ) { $0.optionalInteger(0) } ?? nil
    }
}

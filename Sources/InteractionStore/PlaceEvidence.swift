import Matching

/// What gateways heard of a beacon that a receiver says hangs at its place. Pure.
///
/// A gateway may lie about its own floor, and no further. When its claim begins it says itself. So what others heard decides:
/// whoever carries a badge comes near gateways of other floors, and what hangs on one floor is faint on all others.
struct PlaceEvidence: Sendable {
    /// `site/building/floor/gateway`, with an ear after it, of the one who claims.
    let receiver: String
    /// When the latest of what that gateway has told began, in seconds since 1970; `nil` before it told anything. It tells in
    /// order, so a claim of long before that is dated back.
    var latestTold: Int64?
    private var earliest: [String: Int64] = [:]
    private var near: Set<String> = []

    /// What was heard for so long before was a badge, in seconds.
    static let grace: Int64 = 3600
    /// What a gateway tells begins no longer before what it told already, in seconds: an interaction may last a day.
    static let longestDelay: Int64 = 86_400
    /// A gateway that hears something so near, in centimetres, hears it on its own floor: a floor takes 15 dB and more, which
    /// makes 10 m of three.
    private static let nearest = 800
    /// The same where no distance is known, in dBm.
    private static let loudest = -70

    init(receiver: String) { self.receiver = receiver }

    static func isNear(centimetres: Int64?, rssi: Int64?) -> Bool {
        centimetres.map { $0 <= nearest } ?? rssi.map { $0 >= loudest } ?? false
    }

    /// - Parameters:
    ///   - other: a receiver, or the place of one.
    ///   - start: seconds since 1970.
    mutating func heard(by other: String, since start: Int64, isNear: Bool) {
        guard !other.isEmpty, PlaceClaimRule.gateway(other) != PlaceClaimRule.gateway(receiver) else { return }
        earliest[other] = min(earliest[other] ?? .max, start)
        if isNear { near.insert(other) }
    }

    /// Whether nobody is believed who claims it now for the first time: refusing costs an operator's word. Two gateways of other
    /// floors that hear it at all, however faintly, are enough.
    ///
    /// - Parameters:
    ///   - start: of the claim, as the one who claims says it; seconds since 1970.
    ///   - isConfigured: whether the configuration says that it hangs somewhere: then it may have been heard for long, but on
    ///     that floor.
    func refutesNew(claimedSince start: Int64, isConfigured: Bool = false) -> Bool {
        let start = max(start, latestTold.map { $0 - Self.longestDelay } ?? start)
        let known = isConfigured ? earliest.filter { !isOnFloor($0.key) } : earliest
        return !outside.isEmpty || !nearOnOtherFloors.isEmpty || onOtherFloors(Set(known.keys)).count > 1
            || known.contains { $0.value < start - Self.grace }
    }

    /// Whether whoever has it isn't believed any more: one gateway alone, which may lie, takes no other's beacon away.
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
    /// What a receiver heard of a beacon.
    struct Heard {
        /// `site/building/floor/gateway`, with an ear after it.
        var path: String
        /// Seconds since 1970.
        var since: Int64
        var isNear: Bool
    }

    /// What is stored of a beacon, but for what revoked gateways said.
    static func heard(of badge: SubjectIdentity, _ session: any SQLSession) throws -> [Heard] {
        let number = try session.first(
            "SELECT id FROM subject WHERE name = $1 AND kind = $2", [.text(badge.id), .text(badge.kind)]
        ) { $0.integer(0) }
        guard let number else { return [] }
        // What a revoked gateway said counts neither for nor against anybody.
        var revoked: Set<String> = []
        try session.query("SELECT path FROM revoked_gateway") { row in
            if let path = row.text(0) { revoked.insert(path) }
        }
        var heard: [Heard] = []
        // By who told it: a gateway may say that it was at the place of another of its floor.
        try session.query(
            "SELECT o.path, min(i.started), min(CASE WHEN i.distance <= \(Self.nearest) "
                + "OR (i.distance IS NULL AND i.rssi >= \(Self.loudest)) THEN 0 ELSE 1 END) "
                + "FROM interaction i JOIN origin o ON o.id = i.origin "
                + "WHERE \(StoreSchema.isOfSubject("i", "$1", session.dialect)) GROUP BY o.path",
            [.integer(number)]
        ) { row in
            let path = row.text(0) ?? ""
            if path == InteractionStore.phones || revoked.contains(PlaceClaimRule.gateway(path)) { return }
            heard.append(Heard(path: path, since: row.integer(1), isNear: row.integer(2) == 0))
        }
        return heard
    }

    /// When the latest interaction began that a gateway told, in seconds since 1970; `nil` when it has told nothing since.
    ///
    /// - Parameter day: since 1970; what was before isn't looked through.
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

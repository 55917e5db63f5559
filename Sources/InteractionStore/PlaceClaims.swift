import Evidence
import Matching

/// Decides which receivers own the beacons of places, within a transaction that stores.
struct PlaceClaims {
    /// Beacons from the configuration.
    var configured: Set<String>
    var erasures: Erasures
    /// The current day, in days since 1970.
    var today: Int64
    private let cache: PlaceEvidenceCache
    /// Records of the batch that are not in the store yet.
    private let batch: [InteractionRecord]
    /// Indices of the batch's records by their subject.
    private lazy var indices = Dictionary(grouping: batch.indices) { batch[$0].subject }
    private(set) var refusals: [PlaceClaimRefusal] = []
    /// Number of examined claims by gateway; bounded because there may be much stored data about a badge.
    private var examined: [String: Int] = [:]
    /// Maximum number of claims examined for one gateway in one batch: more than it can own, and as many refused ones.
    private static let mostExamined = 2 * PlaceClaimRule.mostOfGateway

    /// Days after which a beacon that was not named is no longer the receiver's; a receiver's beacon is marked as seen
    /// every `NameNumbers.renewal` days.
    private static let memory = 2 * NameNumbers.renewal

    init(
        configured: Set<String>, erasures: Erasures, today: Int64, batch: [InteractionRecord],
        cache: PlaceEvidenceCache
    ) {
        self.cache = cache
        self.batch = batch
        self.configured = configured
        self.erasures = erasures
        self.today = today
    }

    /// Decides a receiver's claim to a place's beacon.
    ///
    /// - Parameter start: start of the record that makes the claim, in seconds since 1970.
    /// - Returns: the place of the receiver, and whether its statements about the place are written to the database.
    mutating func place(
        _ claimed: PlaceName, start: Int64, _ session: any SQLSession
    ) throws -> (name: PlaceName, isWritten: Bool) {
        guard let beacon = claimed.beacon else { return (claimed, true) }
        let gateway = PlaceClaimRule.gateway(claimed.gateway)
        examined[gateway, default: 0] += 1
        if examined[gateway] ?? 0 > Self.mostExamined {
            refusals.append(PlaceClaimRefusal(beacon: beacon, receiver: claimed.gateway, reason: .tooMany))
            var own = claimed
            (own.key, own.beacon) = (claimed.gateway, nil)
            return (own, true)
        }
        let rule = PlaceClaimRule(
            beacon: beacon, receiver: claimed.gateway,
            knowledge: try knowledge(of: beacon, claimedBy: claimed.gateway, start: start, session))
        switch rule.verdict {
        case .owner: return (claimed, true)
        case .shared: return (claimed, false)
        case .refused(let reason):
            try refuse(PlaceClaimRefusal(beacon: beacon, receiver: claimed.gateway, reason: reason), start, session)
            var own = claimed
            (own.key, own.beacon) = (claimed.gateway, nil)
            return (own, true)
        }
    }

    private mutating func knowledge(
        of beacon: String, claimedBy receiver: String, start: Int64, _ session: any SQLSession
    ) throws -> PlaceClaimRule.Knowledge {
        var knowledge = PlaceClaimRule.Knowledge()
        let name: [SQLValue] = [.text(beacon)]
        try session.query(
            "SELECT gateway, CASE WHEN \(InteractionStore.isTrusted("place")) THEN 1 ELSE 0 END FROM place "
                + "WHERE name = $1 AND beacon IS NOT NULL", name
        ) { row in
            guard let owner = row.text(0), !owner.isEmpty else { return }
            // A place taken by a revoked gateway belongs to no receiver, except for receivers of the same floor.
            if row.integer(1) == 1 || PlaceClaimRule.floor(owner) == PlaceClaimRule.floor(receiver) {
                knowledge.owner = owner
            }
        }
        try session.query("SELECT receiver, state FROM place_claim WHERE beacon = $1 AND state <> 'refused'", name) {
            switch $0.text(1) {
            case "accepted": knowledge.accepted = $0.text(0)
            default: knowledge.isDenied = true
            }
        }
        knowledge.isConfigured = configured.contains(beacon)
        guard let badge = SubjectIdentity(kind: SubjectIdentity.badge, id: beacon) else { return knowledge }
        knowledge.wasErased = erasures.time(of: badge) != nil
        if knowledge.isConfigured {
            if knowledge.owner == nil {
                knowledge.wasHeardElsewhere = try wasHeardElsewhere(
                    badge, than: receiver, isNew: true, isConfigured: true, start: start, session)
            }
            return knowledge
        }
        knowledge.isOfPerson =
            try session.first(
                "SELECT 1 FROM report_subject WHERE name = $1 AND kind = $2", [.text(beacon), .text(badge.kind)]
            ) { _ in true } ?? false
        knowledge.wasHeardElsewhere = try wasHeardElsewhere(
            badge, than: receiver, isNew: knowledge.owner == nil, start: start, session)
        let gateway = PlaceClaimRule.gateway(receiver)
        knowledge.other = try session.first(
            "SELECT beacon FROM place WHERE gateway = $1 AND name <> $2 AND beacon IS NOT NULL AND seen >= $3",
            [.text(receiver), .text(beacon), .integer(today - Self.memory)]
        ) { $0.text(0) ?? "" }
        // Includes beacons that were not named for long: they count as fixed in queries about the time in which they
        // were named, until their place expires.
        knowledge.countOfGateway =
            try session.count(
                "SELECT count(*) FROM place WHERE (gateway = $1 OR substr(gateway, 1, length($2)) = $2) "
                    + "AND beacon IS NOT NULL",
                [.text(gateway), .text(gateway + "/")])
        return knowledge
    }

    /// Whether other receivers' data refutes the claim. A beacon that hangs is heard by its neighbours from the moment
    /// it is put up; a badge was there before.
    ///
    /// - Parameters:
    ///   - isNew: whether no receiver owns the beacon yet.
    ///   - isConfigured: whether the configuration gives the beacon a fixed place.
    private mutating func wasHeardElsewhere(
        _ badge: SubjectIdentity, than receiver: String, isNew: Bool, isConfigured: Bool = false, start: Int64,
        _ session: any SQLSession
    ) throws -> Bool {
        var evidence = PlaceEvidence(receiver: receiver)
        for index in indices[badge, default: []] {
            let record = batch[index]
            evidence.heard(
                by: record.gateway, since: record.start,
                isNear: PlaceEvidence.isNear(centimetres: record.distance?.centimetres, rssi: record.rssi))
        }
        for heard in try cache.heard(of: badge, today: today, session) {
            evidence.heard(by: heard.path, since: heard.since, isNear: heard.isNear)
        }
        guard isNew else { return evidence.refutes }
        evidence.latestTold = try cache.latestTold(by: PlaceClaimRule.gateway(receiver), today: today, session)
        return evidence.refutesNew(claimedSince: start, isConfigured: isConfigured)
    }

    private mutating func refuse(_ refusal: PlaceClaimRefusal, _ start: Int64, _ session: any SQLSession) throws {
        refusals.append(refusal)
        try session.refuseClaim(refusal, since: start, today: today)
    }
}

extension SQLSession {
    /// Maximum number of refused claims remembered for one gateway.
    private var mostRefused: Int64 { 64 }

    /// Records that a claim is refused.
    ///
    /// - Parameters:
    ///   - start: the time since which the claim is made, in seconds since 1970.
    ///   - today: days since 1970.
    func refuseClaim(_ refusal: PlaceClaimRefusal, since start: Int64, today: Int64) throws {
        if refusal.reason == .heardElsewhere || refusal.reason == .ofPerson {
            // A receiver that was believed before loses the beacon.
            try execute(
                "UPDATE place SET beacon = NULL WHERE name = $1 AND gateway = $2",
                [.text(refusal.beacon), .text(refusal.receiver)])
        }
        // The name of an erased subject must not be stored again; where an operator has decided, the decision is
        // enough.
        guard refusal.reason != .erased, refusal.reason != .denied else { return }
        let gateway = PlaceClaimRule.gateway(refusal.receiver)
        let count =
            try first(
                "SELECT count(*) FROM place_claim WHERE state = 'refused' AND beacon <> $3 "
                    + "AND (receiver = $1 OR substr(receiver, 1, length($2)) = $2)",
                [.text(gateway), .text(gateway + "/"), .text(refusal.beacon)]
            ) { $0.integer(0) } ?? 0
        guard count < mostRefused else { return }
        try execute(
            "INSERT INTO place_claim (beacon, receiver, state, reason, since, seen) "
                + "VALUES ($1, $2, 'refused', $3, $4, $5) ON CONFLICT (beacon, receiver) DO UPDATE SET "
                + "reason = excluded.reason, seen = excluded.seen WHERE place_claim.state = 'refused'",
            [
                .text(refusal.beacon), .text(refusal.receiver), .text(refusal.reason.rawValue), .integer(start),
                .integer(today),
            ])
    }
}

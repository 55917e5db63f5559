import Evidence
import Matching

/// Beacons about which the page decides: those that count as mounted, and those of refused claims that it shows.
/// Operators see neither badges nor reports, so nothing may tell them which beacons a person carries.
extension InteractionStore {
    /// Refused claims to places' beacons, as the page shows them.
    package struct ShownClaims: Equatable, Sendable {
        package var refused: [RefusedClaim]
        /// The beacons of these claims that a person may carry.
        package var carried: Set<String>
    }

    /// Returns the refused claims, and the beacons among them that a person may carry.
    ///
    /// - Parameters:
    ///   - roster: badges in the roster of the configuration, as `uuid/major/minor`; `nil` if it cannot be read: then
    ///     a person may carry any of the beacons.
    ///   - now: seconds since 1970.
    /// - Throws: `StoreError`.
    package func shownClaims(roster: Set<String>?, now: Int64) throws -> ShownClaims {
        try database.read { session -> ShownClaims in
            let refused = try session.refusedClaims()
            return ShownClaims(
                refused: refused, carried: try session.carriedBeacons(of: refused, roster: roster, now: now))
        }
    }

    /// Notes that an operator asks what it means to accept a place, whatever the answer is.
    ///
    /// - Parameters:
    ///   - beacon: `uuid/major/minor`.
    ///   - roster: as in `shownClaims(roster:now:)`.
    ///   - audit: entry as of a decision, at the time of the question.
    /// - Returns: whether the page decides about the beacon.
    /// - Throws: `StoreError`.
    package func ask(about beacon: String, roster: Set<String>? = [], audit: AuditEntry) throws -> Bool {
        try database.write { session -> Bool in
            // A concurrent erasure finds the entry, or the entry finds the erasure.
            try session.lockShared()
            let isListed = try session.isListed(beacon, roster: roster, now: audit.at)
            try session.note(audit, as: isListed ? .askedPlace : .triedPlace, about: beacon)
            return isListed
        }
    }
}

extension SQLSession {
    /// Returns the refused claims, or those to one beacon.
    func refusedClaims(to beacon: String? = nil) throws -> [InteractionStore.RefusedClaim] {
        var claims: [InteractionStore.RefusedClaim] = []
        try query(
            "SELECT beacon, receiver, reason, since FROM place_claim WHERE state = 'refused'"
                + (beacon == nil ? "" : " AND beacon = $1") + " ORDER BY receiver, beacon",
            beacon.map { [.text($0)] } ?? []
        ) { row in
            guard let beacon = row.text(0), let receiver = row.text(1),
                let reason = PlaceClaimRefusal.Reason(rawValue: row.text(2) ?? "")
            else { return }
            claims.append(
                InteractionStore.RefusedClaim(
                    claim: PlaceClaimRefusal(beacon: beacon, receiver: receiver, reason: reason),
                    since: row.integer(3)))
        }
        return claims
    }

    /// Whether the page decides about a beacon. It lists beacons that count as mounted: these are nobody's badge
    /// already, so that accepting a place only moves them. Of others it lists those of claims that it shows.
    func isListed(_ beacon: String, roster: Set<String>?, now: Int64) throws -> Bool {
        let name: [SQLValue] = [.text(beacon)]
        let decided = try first("SELECT state FROM place_claim WHERE beacon = $1 AND state <> 'refused'", name) {
            $0.text(0) ?? ""
        }
        if let decided { return decided == "accepted" }
        let isMounted = try first("SELECT 1 FROM place WHERE name = $1 AND beacon = $1", name) { _ in true }
        if isMounted == true { return true }
        let claims = try refusedClaims(to: beacon)
        if claims.isEmpty { return false }
        return try carriedBeacons(of: claims, to: beacon, roster: roster, now: now).isEmpty
    }

    /// Returns the beacons of refused claims that a person may carry, by anything that the store says. All claims take
    /// as many queries as one.
    ///
    /// - Parameters:
    ///   - claims: all refused claims, or all of those to one beacon.
    ///   - beacon: the only beacon of the claims; `nil` for all claims.
    ///   - roster: as in `InteractionStore.shownClaims(roster:now:)`.
    ///   - now: seconds since 1970.
    func carriedBeacons(
        of claims: [InteractionStore.RefusedClaim], to beacon: String? = nil, roster: Set<String>?, now: Int64
    ) throws -> Set<String> {
        if claims.isEmpty { return [] }
        let beacons = Set(claims.map(\.claim.beacon))
        guard let roster else { return beacons }
        var carried = Set(claims.lazy.filter { $0.claim.reason.mayBeCarried }.map(\.claim.beacon))
        carried.formUnion(roster)
        carried.formUnion(try uploadedBadges())
        let erasures = try Erasures(reading: self)
        for beacon in beacons {
            guard let badge = SubjectIdentity(kind: SubjectIdentity.badge, id: beacon) else { continue }
            if erasures.time(of: badge) != nil { carried.insert(beacon) }
        }
        let condition = "c.state = 'refused'" + (beacon == nil ? "" : " AND c.beacon = $1")
        let arguments: [SQLValue] = beacon.map { [.text($0)] } ?? []
        func add(_ row: SQLRow) {
            if let beacon = row.text(0) { carried.insert(beacon) }
        }
        for table in ["person_subject", "report_subject", "exposure", "notice"] {
            try query(
                "SELECT DISTINCT c.beacon FROM place_claim c JOIN \(table) s "
                    + "ON s.name = c.beacon AND s.kind = '\(SubjectIdentity.badge)' WHERE \(condition)", arguments, add)
        }
        try query(
            "SELECT c.beacon FROM place_claim c JOIN place_claim d ON d.beacon = c.beacon AND d.state = 'denied' "
                + "WHERE \(condition)", arguments, add)
        let heard = try PlaceEvidence.heard(ofClaimed: condition, arguments, self)
        for one in claims {
            guard let observations = heard[one.claim.beacon] else { continue }
            var evidence = PlaceEvidence(receiver: one.claim.receiver)
            for heard in observations { evidence.heard(by: heard.path, since: heard.since, isNear: heard.isNear) }
            // As if it were claimed now: a gateway states itself when its claim began.
            if evidence.refutesNew(claimedSince: now) { carried.insert(one.claim.beacon) }
        }
        return carried.intersection(beacons)
    }

    /// Notes an attempt to decide about a beacon. The name of an erased badge is not stored again.
    func note(_ audit: AuditEntry, as action: AuditEntry.Action, about beacon: String) throws {
        var entry = audit
        entry.action = action
        let badge = SubjectIdentity(kind: SubjectIdentity.badge, id: beacon)
        if action == .triedPlace, let badge, try Erasures(reading: self).time(of: badge) != nil {
            entry.object = AuditEntry.erased
        }
        try note(entry)
    }

    /// Returns the badges in uploaded rosters, and in lists of people that wait, as `uuid/major/minor`.
    private func uploadedBadges() throws -> Set<String> {
        var names: Set<String> = []
        try query(
            "SELECT content FROM uploaded_file WHERE kind <> $1", [.text(UploadedFile.Kind.timetable.rawValue)]
        ) { names.formUnion(BadgesInText.names(in: ($0.text(0) ?? "").utf8)) }
        return names
    }
}

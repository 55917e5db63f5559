import Matching

extension InteractionStore {
    /// A fixed beacon, and who says where it hangs.
    package struct PlaceBeacon: Equatable, Sendable {
        /// `uuid/major/minor`.
        package var beacon: String
        /// `site/building/floor/gateway`, with an ear after it; `nil` while no gateway has named it.
        package var receiver: String?
        package var room: String?
        package var basis: Basis
        /// Whether where it hangs is the word of a gateway alone.
        package var isClaimed: Bool

        package enum Basis: String, Sendable {
            case configuration
            /// An operator said so.
            case accepted
            /// The gateway alone says so.
            case claimed
        }
    }

    /// A claim that isn't believed, and since when it is made, in seconds since 1970.
    package struct RefusedClaim: Equatable, Sendable {
        package var claim: PlaceClaimRefusal
        package var since: Int64
    }

    /// The beacons of all places.
    ///
    /// - Throws: `StoreError`.
    package func placeBeacons() throws -> [PlaceBeacon] {
        try database.read { session in
            var accepted: Set<String> = []
            try session.query("SELECT beacon FROM place_claim WHERE state = 'accepted'") { row in
                if let beacon = row.text(0) { accepted.insert(beacon) }
            }
            var beacons: [PlaceBeacon] = []
            try session.query(
                "SELECT beacon, gateway, room FROM place WHERE beacon IS NOT NULL ORDER BY gateway, beacon"
            ) { row in
                guard let beacon = row.text(0) else { return }
                let receiver = row.text(1) ?? ""
                beacons.append(
                    PlaceBeacon(
                        beacon: beacon, receiver: receiver.isEmpty ? nil : receiver, room: row.text(2),
                        basis: configuredBeacons.contains(beacon)
                            ? .configuration : accepted.contains(beacon) ? .accepted : .claimed,
                        isClaimed: !receiver.isEmpty && !accepted.contains(beacon)))
            }
            return beacons
        }
    }

    /// Whether what others heard of a beacon refutes by now that it hangs where a gateway alone says that it does.
    ///
    /// - Throws: `StoreError`.
    package func isRefuted(_ place: PlaceBeacon) throws -> Bool {
        guard place.basis == .claimed, let receiver = place.receiver,
            let badge = SubjectIdentity(kind: SubjectIdentity.badge, id: place.beacon)
        else { return false }
        return try database.read { session in
            var evidence = PlaceEvidence(receiver: receiver)
            for heard in try PlaceEvidence.heard(of: badge, session) {
                evidence.heard(by: heard.path, since: heard.since, isNear: heard.isNear)
            }
            return evidence.refutes
        }
    }

    /// Believes a gateway no longer that a beacon hangs at its place.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: `StoreError`.
    package func withdrawClaim(_ place: PlaceBeacon, now: Int64) throws {
        guard let receiver = place.receiver else { return }
        try database.write { session in
            try session.lockExclusively()
            try session.refuseClaim(
                PlaceClaimRefusal(beacon: place.beacon, receiver: receiver, reason: .heardElsewhere), since: now,
                today: now / Self.day)
        }
        // What it says of the place is looked at anew.
        forgetNames()
    }

    /// Claims of places' beacons that aren't believed, as far as they are remembered.
    ///
    /// - Throws: `StoreError`.
    package func refusedClaims() throws -> [RefusedClaim] {
        try database.read { session in
            var claims: [RefusedClaim] = []
            try session.query(
                "SELECT beacon, receiver, reason, since FROM place_claim WHERE state = 'refused' ORDER BY receiver, beacon"
            ) { row in
                guard let beacon = row.text(0), let receiver = row.text(1),
                    let reason = PlaceClaimRefusal.Reason(rawValue: row.text(2) ?? "")
                else { return }
                claims.append(
                    RefusedClaim(
                        claim: PlaceClaimRefusal(beacon: beacon, receiver: receiver, reason: reason),
                        since: row.integer(3)))
            }
            return claims
        }
    }

    /// Beacons of which an operator said that they are no place's.
    ///
    /// - Throws: `StoreError`.
    package func deniedBeacons() throws -> [String] {
        try database.read { session in
            var beacons: [String] = []
            try session.query("SELECT beacon FROM place_claim WHERE state = 'denied' ORDER BY beacon") { row in
                if let beacon = row.text(0) { beacons.append(beacon) }
            }
            return beacons
        }
    }

    /// An operator's decision about a beacon.
    package enum PlaceDecision: Equatable, Sendable {
        /// It hangs at a receiver's place, whatever others say.
        case accepted(receiver: String)
        /// It hangs nowhere: somebody carries it.
        case denied
        /// What gateways say decides again.
        case undecided
    }

    /// Takes a decision down. Whoever stores records heeds it from the next one on.
    ///
    /// - Parameters:
    ///   - beacon: `uuid/major/minor`.
    ///   - now: seconds since 1970.
    /// - Throws: `StoreError`.
    package func decide(_ decision: PlaceDecision, on beacon: String, now: Int64) throws {
        try database.write { session in
            try session.lockExclusively()
            // Others see by the sum of the times that there is something new.
            let latest =
                try session.first("SELECT COALESCE(max(since), 0) FROM place_claim WHERE state <> 'refused'") {
                    $0.integer(0)
                } ?? 0
            try session.execute("DELETE FROM place_claim WHERE beacon = $1", [.text(beacon)])
            func insert(_ receiver: String, _ state: String) throws {
                try session.execute(
                    "INSERT INTO place_claim (beacon, receiver, state, reason, since, seen) "
                        + "VALUES ($1, $2, $3, '', $4, $5)",
                    [
                        .text(beacon), .text(receiver), .text(state), .integer(max(now, latest + 1)),
                        .integer(now / Self.day),
                    ])
            }
            switch decision {
            case .accepted(let receiver): try insert(receiver, "accepted")
            case .denied: try insert("", "denied")
            case .undecided: break
            }
            if decision == .denied || decision == .undecided {
                // The place stays; what was said of its beacon goes.
                try session.execute("UPDATE place SET beacon = NULL WHERE name = $1", [.text(beacon)])
            }
        }
    }
}

package import Evidence
import Matching

extension InteractionStore {
    /// A fixed beacon, and the source of its place.
    package struct PlaceBeacon: Equatable, Sendable {
        /// The beacon as `uuid/major/minor`.
        package var beacon: String
        /// `site/building/floor/gateway`, followed by the remote receiver if it is one; `nil` while no gateway has
        /// named the beacon.
        package var receiver: String?
        package var room: String?
        package var basis: Basis
        /// Whether the beacon's place is known from a gateway alone.
        package var isClaimed: Bool

        package enum Basis: String, Sendable {
            case configuration
            /// An operator confirmed the place.
            case accepted
            /// Only the gateway claims the place.
            case claimed
        }
    }

    /// A claim that is refused, and the time since which it is made, in seconds since 1970.
    package struct RefusedClaim: Equatable, Sendable {
        package var claim: PlaceClaimRefusal
        package var since: Int64
    }

    /// Returns the beacons of all places.
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

    /// Whether data of other receivers by now refutes a place that only a gateway claims.
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

    /// Revokes a gateway's claim to a place's beacon.
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
        // The gateway's statements about the place are examined again.
        forgetNames()
    }

    /// Returns the refused claims to places' beacons, as far as they are remembered.
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

    /// Returns the beacons that an operator has declared to belong to no place.
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
        /// The beacon hangs at a receiver's place, whatever others report.
        case accepted(receiver: String)
        /// The beacon hangs nowhere: a person carries it.
        case denied
        /// The gateways' claims decide again.
        case undecided
    }

    /// Records a decision. Processes that store records heed it from the next record on.
    ///
    /// - Parameters:
    ///   - beacon: `uuid/major/minor`.
    ///   - now: seconds since 1970.
    /// - Throws: `StoreError`.
    package func decide(_ decision: PlaceDecision, on beacon: String, now: Int64) throws {
        try database.write { session in
            try session.lockExclusively()
            // Other processes detect changes by the sum of the times.
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
                // The place stays; the claim to its beacon is removed.
                try session.execute("UPDATE place SET beacon = NULL WHERE name = $1", [.text(beacon)])
            }
        }
    }
}

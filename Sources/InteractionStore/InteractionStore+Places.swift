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
        try database.read { try $0.refusedClaims() }
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

    /// A decision about a beacon that holds.
    package struct DecidedPlace: Equatable, Sendable {
        /// The beacon as `uuid/major/minor`.
        package var beacon: String
        package var decision: PlaceDecision
        /// Time of the decision, in seconds since 1970.
        package var since: Int64
        /// Name of the account that decided on the page, or of the user of the command line; `nil` when the audit has
        /// no entry any more.
        package var name: String?
    }

    /// The result of a decision on the page.
    package enum PlaceDecided: Equatable, Sendable {
        case done
        /// Somebody decided after the operator looked. `nil`: the decision that the operator saw was taken back.
        case changed(DecidedPlace?)
        /// The page does not list the beacon, so it does not decide about it. Nothing tells why: a person may carry the
        /// beacon, or nobody has heard it.
        case notListed
    }

    /// Returns the decisions that hold, in the order of the beacons.
    ///
    /// - Throws: `StoreError`.
    package func placeDecisions() throws -> [DecidedPlace] { try database.read { try $0.placeDecisions() } }

    /// Records a decision. Processes that store records heed it from the next record on.
    ///
    /// - Parameters:
    ///   - beacon: `uuid/major/minor`.
    ///   - now: seconds since 1970.
    ///   - entry: entry of the audit, which is stored in the same transaction.
    /// - Throws: `StoreError`.
    package func decide(
        _ decision: PlaceDecision, on beacon: String, now: Int64, audit entry: AuditEntry? = nil
    ) throws {
        try database.write { session in
            try session.lockExclusively()
            try session.decide(decision, on: beacon, now: now)
            try session.note(entry)
        }
    }

    /// Records a decision of the page, in one transaction with the entry of the audit. The page decides only about
    /// beacons that it lists: operators do not see who is in reports, and could hide anybody from them. What is not
    /// decided is noted too.
    ///
    /// - Parameters:
    ///   - beacon: `uuid/major/minor`.
    ///   - seen: time of the decision that the operator saw; `nil` if there was none.
    ///   - roster: as in `shownClaims(roster:now:)`.
    ///   - audit: entry at the time of the decision.
    /// - Returns: `done` also if the same account decided the same some seconds ago, with a double click.
    /// - Throws: `StoreError`.
    package func decide(
        _ decision: PlaceDecision, on beacon: String, after seen: Int64?, roster: Set<String>? = [], audit: AuditEntry
    ) throws -> PlaceDecided {
        try database.write { session -> PlaceDecided in
            try session.lockExclusively()
            // First: another answer would tell that somebody declared the beacon as carried.
            guard try session.isListed(beacon, roster: roster, now: audit.at) else {
                try session.note(audit, as: .triedPlace, about: beacon)
                return .notListed
            }
            let present = try session.placeDecisions().first { $0.beacon == beacon }
            guard present?.since == seen else {
                try session.note(audit, as: .triedPlace, about: beacon)
                let isRepeated =
                    present.map {
                        $0.decision == decision && DecisionName.isRepeated(by: audit, since: $0.since, name: $0.name)
                    } ?? false
                return isRepeated ? .done : .changed(present)
            }
            try session.decide(decision, on: beacon, now: audit.at)
            try session.note(audit)
            return .done
        }
    }
}

extension SQLSession {
    fileprivate func placeDecisions() throws -> [InteractionStore.DecidedPlace] {
        var decisions: [InteractionStore.DecidedPlace] = []
        try query(
            "SELECT c.beacon, c.receiver, c.state, c.since, "
                + DecisionName.query(actions: "$1, $2", object: "c.beacon", since: "c.since")
                + " FROM place_claim c WHERE c.state <> 'refused' ORDER BY c.beacon",
            [
                .text(AuditEntry.Action.acceptedPlace.rawValue), .text(AuditEntry.Action.decidedBeacon.rawValue),
            ]
        ) { row in
            guard let beacon = row.text(0) else { return }
            let decision: InteractionStore.PlaceDecision =
                row.text(2) == "accepted" ? .accepted(receiver: row.text(1) ?? "") : .denied
            decisions.append(
                InteractionStore.DecidedPlace(
                    beacon: beacon, decision: decision, since: row.integer(3), name: row.text(4)))
        }
        return decisions
    }

    /// Records a decision about a beacon.
    fileprivate func decide(
        _ decision: InteractionStore.PlaceDecision, on beacon: String, now: Int64
    ) throws {
        let earlier = try first(
            "SELECT since FROM place_claim WHERE beacon = $1 AND state <> 'refused'", [.text(beacon)]
        ) { $0.integer(0) }
        // Who saw the earlier decision is told apart from who saw this one by its time. The time of a clock that was
        // wrong once is not carried on.
        var since = now
        if let earlier, (now...now + DecisionName.mostApart).contains(earlier) { since = earlier + 1 }
        try execute("DELETE FROM place_claim WHERE beacon = $1", [.text(beacon)])
        func enter(_ state: String, _ receiver: String) throws {
            try execute(
                "INSERT INTO place_claim (beacon, receiver, state, reason, since, seen) "
                    + "VALUES ($1, $2, $3, '', $4, $5)",
                [
                    .text(beacon), .text(receiver), .text(state), .integer(since),
                    .integer(now / InteractionStore.day),
                ])
        }
        switch decision {
        case .accepted(let receiver): try enter("accepted", receiver)
        case .denied: try enter("denied", "")
        case .undecided: break
        }
        if decision == .denied || decision == .undecided {
            // The place stays; the claim to its beacon is removed.
            try execute("UPDATE place SET beacon = NULL WHERE name = $1", [.text(beacon)])
        }
    }
}

/// Finds who made a decision that holds.
package enum DecisionName {
    /// Number of seconds in which the same decision of the same account is a double click.
    private static let doubleClick: Int64 = 60

    /// Whether somebody who decides again what holds already has only clicked twice.
    ///
    /// - Parameters:
    ///   - audit: entry of the second decision.
    ///   - since: time of the decision that holds, in seconds since 1970.
    ///   - name: name of the account that made it; `nil` if it is not known.
    package static func isRepeated(by audit: AuditEntry, since: Int64, name: String?) -> Bool {
        name == audit.name && (audit.at - doubleClick...audit.at + doubleClick).contains(since)
    }

    /// Maximum number of seconds by which an earlier decision can be ahead, so that the next one counts as later than
    /// it. One that is further ahead is of a clock that was wrong.
    static let mostApart: Int64 = 60

    /// Returns the query for the name in the latest entry of the audit about an object at the time of the decision. It
    /// finds none when the entry is not kept any more.
    ///
    /// - Parameters:
    ///   - actions: list of the actions.
    ///   - object: column with the object.
    ///   - since: column with the time of the decision.
    static func query(actions: String, object: String, since: String) -> String {
        // The decision can be a second later than an earlier one that is as far ahead as possible.
        let apart = mostApart + 1
        return "(SELECT a.name FROM audit a WHERE a.at BETWEEN \(since) - \(apart) AND \(since) + \(apart) "
            + "AND a.action IN (\(actions)) AND a.object = \(object) ORDER BY a.id DESC LIMIT 1)"
    }
}

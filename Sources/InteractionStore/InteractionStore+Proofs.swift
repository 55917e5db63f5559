package import BeaconModel
import Evidence
import Matching

/// Beacons by which phones prove where they are. They are not subjects: none of their interactions is stored, only that
/// they were heard on a floor, and only for a day.
extension InteractionStore {
    /// Days for which proofs are kept.
    static let proofDays: Int64 = 1

    /// Whether a subject is a proof beacon.
    func isProof(_ subject: SubjectIdentity) -> Bool {
        proofPrefix.map { subject.kind == SubjectIdentity.badge && subject.id.hasPrefix($0) } ?? false
    }

    /// Records where proof beacons were heard.
    func store(proofs records: [InteractionRecord], _ session: any SQLSession) throws {
        for record in records {
            let floor = "\(record.place.site)/\(record.place.building)/\(record.place.floor)"
            try session.execute(
                "INSERT INTO phone_proof (name, floor, started, ended) VALUES ($1, $2, $3, $4) "
                    + "ON CONFLICT (name, floor, started) DO UPDATE SET "
                    + "ended = CASE WHEN excluded.ended > phone_proof.ended THEN excluded.ended ELSE phone_proof.ended END",
                [.text(record.subject.id), .text(floor), .integer(record.start), .integer(record.end)])
        }
    }

    /// Returns the UUIDs of the proof beacons that were heard.
    ///
    /// - Throws: `StoreError`.
    package func proofUUIDs() throws -> [ProximityUUID] {
        try database.read { session in
            var uuids: [ProximityUUID] = []
            try session.query("SELECT DISTINCT substr(name, 1, 36) FROM phone_proof ORDER BY 1") { row in
                if let uuid = row.text(0).flatMap({ ProximityUUID($0) }) { uuids.append(uuid) }
            }
            return uuids
        }
    }

    /// Returns where and when the given proof beacons, `uuid/major/minor`, were heard.
    func heardProofs(_ names: Set<String>, _ session: any SQLSession) throws -> [String: [HeardProof]] {
        var heard: [String: [HeardProof]] = [:]
        try session.find(
            "name, floor, started, ended", in: "phone_proof", where: "name", is: names.sorted(), isLocking: false
        ) { row in
            guard let name = row.text(0), let floor = row.text(1) else { return }
            heard[name, default: []].append(HeardProof(floor: floor, start: row.integer(2), end: row.integer(3)))
        }
        return heard
    }
}

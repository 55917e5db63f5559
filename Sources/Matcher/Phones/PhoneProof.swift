import BeaconModel
import Crypto
import InteractionStore
import Matching

/// The beacons by which a phone proves where it is: it advertises one while it ranges, and gateways hear it there. Pure.
///
/// Nobody who hasn't the phone's secret can say which beacon is next, and a beacon is worth nothing after its quarter of an
/// hour.
enum PhoneProof {
    /// For so long a phone advertises the same beacon, in seconds.
    static let epoch: Int64 = 900

    /// Major and minor are the first four bytes of HMAC-SHA256, by the secret's text, of `proof/` and the number of the epoch.
    static func beacon(uuid: ProximityUUID, secret: String, epoch: Int64) -> BeaconID {
        let code = Array(
            HMAC<SHA256>.authenticationCode(
                for: Array("proof/\(epoch)".utf8), using: SymmetricKey(data: Array(secret.utf8))))
        return BeaconID(
            uuid: uuid, major: UInt16(code[0]) << 8 | UInt16(code[1]), minor: UInt16(code[2]) << 8 | UInt16(code[3]))
    }

    /// For how many days it is known which proofs were heard.
    static let daysKept: Int64 = 2

    /// The beacons that prove a stay, each heard in its own quarter of an hour; by clocks that are up to two minutes off, which may
    /// be the quarter before or after the stay's.
    ///
    /// - Parameters:
    ///   - start: seconds since 1970.
    ///   - end: seconds since 1970, at most some hours after it.
    static func beacons(uuid: ProximityUUID, secret: String, from start: Int64, to end: Int64) -> [PhoneStay.Proof] {
        (start / epoch - 1...max(start, end) / epoch + 1).map {
            PhoneStay.Proof(
                beacon: beacon(uuid: uuid, secret: secret, epoch: $0).description, start: $0 * epoch,
                end: ($0 + 1) * epoch)
        }
    }
}

extension SubjectSecrets {
    /// Former secrets under which proofs are looked for: nobody renews one more often in two days.
    private static let mostFormer: Int64 = 32

    /// The beacons by which a phone may have proved in the last days where it was, also under its former secrets.
    ///
    /// - Parameters:
    ///   - version: of its secret; below 0 when that was revoked.
    ///   - now: seconds since 1970.
    /// - Returns: `uuid/major/minor`; of what isn't a phone none.
    func proofs(of subject: SubjectIdentity, version: Int64, uuid: ProximityUUID, now: Int64) -> [String] {
        guard subject.kind == SubjectIdentity.phone else { return [] }
        let last = Int64(clamping: version.magnitude)
        return (max(0, last - Self.mostFormer)...last).flatMap { version in
            let secret = secret(of: subject, version: version)
            return PhoneProof.beacons(
                uuid: uuid, secret: secret, from: now - PhoneProof.daysKept * 86_400, to: now
            ).map(\.beacon)
        }
    }
}

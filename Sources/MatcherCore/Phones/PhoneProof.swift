package import BeaconModel
import Crypto
package import Evidence
package import Matching

/// Beacons by which a phone proves where it is: it advertises one while it ranges, and gateways there receive it. Pure.
///
/// Without the phone's secret nobody can predict the next beacon, and a beacon is worthless after its quarter of an
/// hour.
package enum PhoneProof {
    /// Seconds for which a phone advertises the same beacon.
    package static let epoch: Int64 = 900

    /// Returns the beacon of an epoch. Major and minor are the first four bytes of HMAC-SHA256, by the secret's text,
    /// of `proof/` and the number of the epoch.
    package static func beacon(uuid: ProximityUUID, secret: String, epoch: Int64) -> BeaconID {
        let code = Array(
            HMAC<SHA256>.authenticationCode(
                for: Array("proof/\(epoch)".utf8), using: SymmetricKey(data: Array(secret.utf8))))
        return BeaconID(
            uuid: uuid, major: UInt16(code[0]) << 8 | UInt16(code[1]), minor: UInt16(code[2]) << 8 | UInt16(code[3]))
    }

    /// Number of days for which heard proofs are kept.
    static let daysKept: Int64 = 2

    /// Returns the beacons that prove a stay, each of which counts in its own quarter of an hour. Clocks may be off by
    /// up to two minutes, so the quarters before and after the stay's are included.
    ///
    /// - Parameters:
    ///   - start: seconds since 1970.
    ///   - end: seconds since 1970, at most some hours after it.
    package static func beacons(uuid: ProximityUUID, secret: String, from start: Int64, to end: Int64) -> [PhoneStay
        .Proof]
    {
        (start / epoch - 1...max(start, end) / epoch + 1).map {
            PhoneStay.Proof(
                beacon: beacon(uuid: uuid, secret: secret, epoch: $0).description, start: $0 * epoch,
                end: ($0 + 1) * epoch)
        }
    }
}

extension SubjectSecrets {
    /// Number of former secrets under which proofs are looked for: no secret is renewed more often in two days.
    private static let mostFormer: Int64 = 32

    /// Returns the beacons by which a phone may have proved its places in the last days, also under its former secrets.
    ///
    /// - Parameters:
    ///   - version: version of its secret; below 0 if the secret was revoked.
    ///   - now: seconds since 1970.
    /// - Returns: `uuid/major/minor`; none for a subject that is not a phone.
    package func proofs(of subject: SubjectIdentity, version: Int64, uuid: ProximityUUID, now: Int64) -> [String] {
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

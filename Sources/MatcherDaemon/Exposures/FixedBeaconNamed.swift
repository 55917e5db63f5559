package import BeaconModel
package import InteractionStore
package import Matching

/// Fixed beacon that was named as a person's device.
package struct FixedBeaconNamed: OperatorError {
    var beacons: [SubjectIdentity]
    var role: Role = .positive

    /// Role in which a subject is named.
    package enum Role: Sendable {
        case positive
        /// The badge's owner, who gets its secret.
        case owner
    }

    /// Refuses subjects that are fixed beacons.
    ///
    /// - Parameter since: beginning of the time that matters, in seconds since 1970.
    /// - Throws: `FixedBeaconNamed` if any of them is a fixed beacon; `StoreError`.
    package static func refuse(
        _ subjects: [SubjectIdentity], as role: Role = .positive, in store: InteractionStore, since: Int64
    ) throws {
        let fixed = try store.fixedBeacons(among: subjects, since: since)
        if !fixed.isEmpty { throw FixedBeaconNamed(beacons: fixed.sorted(), role: role) }
    }

    package var what: String {
        let names = beacons.map(\.description).joined(separator: ", ")
        return beacons.count == 1
            ? "\(names) is a fixed beacon, which nobody carries" : "\(names) are fixed beacons, which nobody carries"
    }
    package var meaning: String? {
        switch role {
        case .positive: "everyone who passed it would count as exposed"
        case .owner: "it has no owner who could query a risk or check in to a lecture, so no secret is issued"
        }
    }
    package var remedy: String? {
        "specify the badge or the phone of the person. A beacon is fixed while records or the configuration declare "
            + "it as mounted; if a gateway is wrong about this, run: beacon-matcher places deny UUID/MAJOR/MINOR"
    }
    package var exitStatus: ExitStatus { .data }
}

import BeaconModel
import InteractionStore
import Matching

/// A beacon that hangs somewhere was named as somebody who is positive.
struct FixedBeaconReported: OperatorError {
    var beacons: [SubjectIdentity]

    /// - Parameter since: since when what the subjects did matters, in seconds since 1970.
    /// - Throws: `FixedBeaconReported` when any of them is a fixed beacon; `StoreError`.
    static func refuse(_ subjects: [SubjectIdentity], in store: InteractionStore, since: Int64) throws {
        let fixed = try store.fixedBeacons(among: subjects, since: since)
        if !fixed.isEmpty { throw FixedBeaconReported(beacons: fixed.sorted()) }
    }

    var what: String {
        let names = beacons.map(\.description).joined(separator: ", ")
        return beacons.count == 1
            ? "\(names) is a fixed beacon, which nobody carries" : "\(names) are fixed beacons, which nobody carries"
    }
    var meaning: String? { "everybody who passed it would count as exposed" }
    var remedy: String? {
        "name the badge or the phone of the person. A beacon is fixed while records or the configuration name it as a "
            + "place's own"
    }
    var exitStatus: ExitStatus { .data }
}

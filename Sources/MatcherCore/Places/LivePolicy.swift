package import BeaconModel
package import Matching

/// The subjects that are located live.
package struct LivePolicy: Equatable, Sendable {
    /// Kinds of subjects that are followed; empty if live is off.
    package var kinds: Set<String>
    /// UUIDs of the beacons that are followed; empty for all.
    package var uuids: Set<ProximityUUID>

    package init(kinds: Set<String> = [], uuids: Set<ProximityUUID> = []) {
        self.kinds = kinds
        self.uuids = uuids
    }

    /// Kinds that can be located live: those that an institution gives to people who know of it.
    ///
    /// All other kinds in signals are phones whose carriers have no relation to the institution. They are never located
    /// live, whatever the configuration says.
    package static let locatableKinds: Set<String> = [SubjectIdentity.badge]

    /// Returns whether a kind is one of phones, which are never located live.
    package static func isPhone(_ kind: String) -> Bool {
        kind == SubjectIdentity.phone || AdvertisedIdentity.Kind.allCases.contains { $0.name == kind }
    }

    package var isOn: Bool { !kinds.isDisjoint(with: Self.locatableKinds) }

    /// Returns whether a subject is followed.
    package func follows(_ subject: SubjectIdentity) -> Bool {
        guard Self.locatableKinds.contains(subject.kind), kinds.contains(subject.kind) else { return false }
        if uuids.isEmpty { return true }
        return subject.id.split(separator: "/").first.flatMap { ProximityUUID($0) }.map(uuids.contains) ?? false
    }
}

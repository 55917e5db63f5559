/// The two tellers of an encounter: the gateway that told of the positive's stay, and the one that told of the other's.
///
/// Phones say themselves where they are, and have one name here. The two differ only for places side by side, and for beacons
/// that two gateways of a floor share.
package struct EncounterSource: Hashable, Comparable, Sendable {
    /// A gateway's path, or `phones`.
    package var positive: String
    package var other: String

    /// No gateway's path.
    package static let phones = "phones"

    package init(positive: String, other: String) {
        self.positive = positive
        self.other = other
    }

    package init(_ gateway: String) { self.init(positive: gateway, other: gateway) }

    package static func < (left: Self, right: Self) -> Bool {
        (left.positive, left.other) < (right.positive, right.other)
    }

    /// Each of the two once.
    package var names: [String] { positive == other ? [positive] : [positive, other] }
    package var isOfPhones: Bool { names.contains(Self.phones) }
}

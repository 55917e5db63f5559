/// The two sources of an encounter: the gateway that reported the positive's stay, and the one that reported the
/// other's.
///
/// Phones report their own stays, and share one name here. The two sources differ only for neighbouring places, and for
/// beacons that two gateways of a floor share.
package struct EncounterSource: Hashable, Comparable, Sendable {
    /// A gateway's path, or `phones`.
    package var positive: String
    package var other: String

    /// The common name of all phones, which no gateway's path can be.
    package static let phones = "phones"

    package init(positive: String, other: String) {
        self.positive = positive
        self.other = other
    }

    package init(_ gateway: String) { self.init(positive: gateway, other: gateway) }

    package static func < (left: Self, right: Self) -> Bool {
        (left.positive, left.other) < (right.positive, right.other)
    }

    /// The two names, without duplicates.
    package var names: [String] { positive == other ? [positive] : [positive, other] }
    package var isOfPhones: Bool { names.contains(Self.phones) }
}

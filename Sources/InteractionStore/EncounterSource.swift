/// The two tellers of an encounter: the gateway that told of the positive's stay, and the one that told of the other's.
///
/// Phones say themselves where they are, and have one name here. The two differ only for places side by side, and for beacons
/// that two gateways of a floor share.
public struct EncounterSource: Hashable, Comparable, Sendable {
    /// A gateway's path, or `phones`.
    public var positive: String
    public var other: String

    /// No gateway's path.
    public static let phones = "phones"

    public init(positive: String, other: String) {
        self.positive = positive
        self.other = other
    }

    public init(_ gateway: String) { self.init(positive: gateway, other: gateway) }

    public static func < (left: Self, right: Self) -> Bool {
        (left.positive, left.other) < (right.positive, right.other)
    }

    /// Each of the two once.
    public var names: [String] { positive == other ? [positive] : [positive, other] }
    public var isOfPhones: Bool { names.contains(Self.phones) }
}

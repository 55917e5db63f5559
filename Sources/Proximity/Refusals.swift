/// Counts of sightings of untracked subjects, by reason.
public struct Refusals: Equatable, Sendable {
    /// Sightings when `InteractionRules.capacity` was reached.
    public var tableFull: UInt64 = 0
    /// Sightings of subjects received once in a flood of new subjects.
    public var unconfirmed: UInt64 = 0
    /// Sightings of confirmed subjects in a flood, when too many interactions had begun in the last second.
    public var newInteractionRate: UInt64 = 0
    /// Single advertisements of subjects that had just departed, at the edge of reception.
    public var strays: UInt64 = 0

    /// Creates counts of zero.
    public init() {}

    /// Sum of all counts.
    public var total: UInt64 { tableFull &+ unconfirmed &+ newInteractionRate &+ strays }
}

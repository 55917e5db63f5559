/// Sightings of subjects that aren't followed, by reason.
public struct Refusals: Equatable, Sendable {
    /// Came when `InteractionRules.capacity` was reached.
    public var tableFull: UInt64 = 0
    /// Heard once in a flood of newcomers.
    public var unconfirmed: UInt64 = 0
    /// Heard again in a flood of newcomers, of which too many had begun in the last second.
    public var newInteractionRate: UInt64 = 0
    /// A single advertisement of somebody who had just left: at the edge of what can be heard.
    public var strays: UInt64 = 0

    public init() {}

    public var total: UInt64 { tableFull &+ unconfirmed &+ newInteractionRate &+ strays }
}

/// The order in which records are evicted when there is no room: in the order of the cases, the lowest first.
package enum OutboxPriority: Int, CaseIterable, Comparable, Sendable {
    /// Updates of an interaction: the next update or the end contains the same data.
    case updated
    /// Readings: no other record contains the same data, but one of many minutes is dispensable.
    case readings
    case started
    /// Ends of interactions, and failures and recoveries of modules.
    case ended

    package static func < (one: OutboxPriority, other: OutboxPriority) -> Bool { one.rawValue < other.rawValue }

    /// The name for display.
    package var name: String {
        switch self {
        case .updated: "updated"
        case .readings: "readings"
        case .started: "started"
        case .ended: "ended"
        }
    }
}

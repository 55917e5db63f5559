/// The order in which records are given up when there is no room: the lowest first, in the order of the cases.
package enum OutboxPriority: Int, CaseIterable, Comparable, Sendable {
    /// The next one says the same, or the end does.
    case updated
    /// No other says the same, but of many minutes one may be missing.
    case readings
    case started
    /// Ends, and failures of modules.
    case ended

    package static func < (one: OutboxPriority, other: OutboxPriority) -> Bool { one.rawValue < other.rawValue }

    /// As people read it.
    package var name: String {
        switch self {
        case .updated: "updated"
        case .readings: "readings"
        case .started: "started"
        case .ended: "ended"
        }
    }
}

package import RecordContract

extension OutboxPriority {
    /// The number on disk. Versions of this program from before readings must find numbers that they know.
    ///
    /// Readings share the number of `updated`, because such a version may treat them in the same way; their topic
    /// distinguishes them.
    package var stored: UInt8 {
        switch self {
        case .updated, .readings: 0
        case .started: 1
        case .ended: 2
        }
    }

    /// Reads a stored priority.
    ///
    /// - Returns: `nil` for a number that no version has written.
    package init?(stored: UInt8, topic: String) {
        switch stored {
        case 0: self = topic.hasSuffix("/readings") ? .readings : .updated
        case 1: self = .started
        case 2: self = .ended
        default: return nil
        }
    }
}

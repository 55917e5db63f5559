package import RecordContract

extension OutboxPriority {
    /// As it is on the disk, where versions of this program before readings have to find numbers that they know.
    ///
    /// Readings have that of `updated`, which is what such a version may do with them; their topic tells them apart.
    package var stored: UInt8 {
        switch self {
        case .updated, .readings: 0
        case .started: 1
        case .ended: 2
        }
    }

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

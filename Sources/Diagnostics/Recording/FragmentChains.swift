package import BeaconModel

/// Advertising data that continues in another report. Tracking it keeps the middle of an AD structure from being taken
/// for the beginning of one. Bounded, whatever is received.
package struct FragmentChains: Sendable {
    package struct Key: Hashable {
        package var adapter: Adapter
        /// Address type and address, as received.
        package var address: [UInt8]
        package var advertisingSet: UInt8
    }

    private var openedAt: [Key: Timestamp] = [:]
    private var overflowedAt: Timestamp?

    package static let capacity = 256
    /// Time after which a chain counts as abandoned. It is longer than fragments can be apart: an auxiliary packet
    /// follows within 2.46 s (Bluetooth Core Specification 5.4, Vol 6, Part B, 2.3.4.5: AUX Offset has 13 bits of 300
    /// µs).
    package static let patience: Duration = .seconds(10)

    /// Returns whether a report continues an earlier one, as far as can be told; `true` in doubt.
    mutating func isContinuation(_ key: Key, at time: Timestamp) -> Bool {
        if let overflowedAt {
            if !isOver(overflowedAt, at: time) { return true }
            self.overflowedAt = nil
        }
        return openedAt[key] != nil
    }

    /// Records whether a report is continued by another.
    package mutating func note(_ key: Key, isContinued: Bool, at time: Timestamp) {
        guard isContinued else {
            openedAt[key] = nil
            return
        }
        if openedAt.count >= Self.capacity, openedAt[key] == nil {
            openedAt = openedAt.filter { !isOver($0.value, at: time) }
            if openedAt.count >= Self.capacity {
                overflowedAt = time
                return
            }
        }
        openedAt[key] = time
    }

    /// Returns whether a chain has expired. A clock that is set back expires nothing.
    private func isOver(_ start: Timestamp, at time: Timestamp) -> Bool { time - start > Self.patience }
}

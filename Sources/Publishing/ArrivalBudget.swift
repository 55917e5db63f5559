/// A bound on received messages that wait to be read. If messages arrive faster than they are read, the excess is
/// dropped, so memory is bounded. Nothing else is lost. Pure.
package struct ArrivalBudget: Sendable {
    /// Maximum payload length in bytes. Longer messages are not intended for this program.
    package static let longestMessage = 262_144
    /// Limit of messages that wait to be read.
    package static let mostWaiting = (messages: 65_536, bytes: 16_000_000)

    private var count = 0
    private var bytes = 0
    private var dropped: UInt64 = 0

    package init() {
    }

    /// Decides whether a received message may wait to be read, and counts it as waiting or as dropped.
    ///
    /// - Parameter size: its size in bytes.
    package mutating func admit(_ size: Int) -> Bool {
        guard count < Self.mostWaiting.messages, bytes + size <= Self.mostWaiting.bytes else {
            drop()
            return false
        }
        count += 1
        bytes += size
        return true
    }

    /// Counts a message as dropped.
    package mutating func drop() { dropped += 1 }

    /// Counts an admitted message as read.
    ///
    /// - Returns: how many messages were dropped since the last call.
    package mutating func taken(_ size: Int) -> UInt64 {
        count -= 1
        bytes -= size
        defer { dropped = 0 }
        return dropped
    }
}

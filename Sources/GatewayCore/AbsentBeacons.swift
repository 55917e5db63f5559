package import BeaconModel
import DequeModule

/// The beacons whose retained presence says that they are away: the latest 1000. Older ones are forgotten, so that
/// identities that somebody invents don't stay with the broker for ever.
package struct AbsentBeacons: Sendable {
    private var order: Deque<(beacon: BeaconID, turn: UInt64)> = []
    private var turns: [BeaconID: UInt64] = [:]
    private var lastTurn: UInt64 = 0

    package static let capacity = 1000

    /// - Returns: a beacon to forget.
    package mutating func update(_ beacon: BeaconID, isAbsent: Bool) -> BeaconID? {
        turns[beacon] = nil
        guard isAbsent else { return nil }
        lastTurn += 1
        turns[beacon] = lastTurn
        order.append((beacon, lastTurn))
        // An entry whose turn is another by now was seen again in the meantime.
        while let oldest = order.first, turns[oldest.beacon] != oldest.turn { order.removeFirst() }
        if order.count > 4 * Self.capacity { order.removeAll { turns[$0.beacon] != $0.turn } }
        guard turns.count > Self.capacity, let oldest = order.popFirst() else { return nil }
        turns[oldest.beacon] = nil
        return oldest.beacon
    }
}

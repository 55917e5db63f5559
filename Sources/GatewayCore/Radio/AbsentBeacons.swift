package import BeaconModel
import DequeModule

/// The latest 1000 beacons whose retained presence says absent. Older ones are forgotten, so that invented identities
/// do not stay with the broker forever.
package struct AbsentBeacons: Sendable {
    private var order: Deque<(beacon: BeaconID, turn: UInt64)> = []
    private var turns: [BeaconID: UInt64] = [:]
    private var lastTurn: UInt64 = 0

    package static let capacity = 1000

    /// - Returns: a beacon whose retained presence must be deleted, if there is one.
    package mutating func update(_ beacon: BeaconID, isAbsent: Bool) -> BeaconID? {
        turns[beacon] = nil
        guard isAbsent else { return nil }
        lastTurn += 1
        turns[beacon] = lastTurn
        order.append((beacon, lastTurn))
        // An entry with an outdated turn was seen again in the meantime.
        while let oldest = order.first, turns[oldest.beacon] != oldest.turn { order.removeFirst() }
        if order.count > 4 * Self.capacity { order.removeAll { turns[$0.beacon] != $0.turn } }
        guard turns.count > Self.capacity, let oldest = order.popFirst() else { return nil }
        turns[oldest.beacon] = nil
        return oldest.beacon
    }
}

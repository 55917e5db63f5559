package import GatewayCore

/// Buffer between the packets and the disk. Packets do not wait for a disk that is slow now and then, and what
/// accumulates meanwhile is written at once.
package actor DeliveryQueue {
    private var waiting: [Delivery] = []
    private var records = 0
    private var isFinished = false
    private var taker: CheckedContinuation<Void, Never>?
    private var givers: [CheckedContinuation<Void, Never>] = []

    /// Number of records and output events from which the packets wait.
    private static let mostRecords = 10_000

    package func add(_ delivery: Delivery) async {
        if delivery.isEmpty { return }
        while records >= Self.mostRecords, !isFinished { await withCheckedContinuation { givers.append($0) } }
        waiting.append(delivery)
        records += delivery.records.count + delivery.outputs.count
        wakeTaker()
    }

    /// Waits for deliveries.
    ///
    /// - Returns: all waiting deliveries; none after the end.
    package func take() async -> [Delivery] {
        while waiting.isEmpty, !isFinished { await withCheckedContinuation { taker = $0 } }
        defer {
            waiting.removeAll()
            records = 0
            for giver in givers { giver.resume() }
            givers.removeAll()
        }
        return waiting
    }

    /// Ends the queue: no more deliveries follow.
    package func finish() {
        isFinished = true
        wakeTaker()
    }

    private func wakeTaker() {
        taker?.resume()
        taker = nil
    }
}

package import BeaconModel
package import GatewayCore
package import Integrations
import Proximity
package import RecordContract

/// The results of received packets, in the order in which they are persisted and published.
package struct Delivery: Sendable {
    /// Journal entries for subjects that arrived. They are written before their records, so that no interaction
    /// published as begun begins twice.
    package var begun: [PresenceNote] = []
    package var records: [Record] = []
    /// Journal entries for subjects that departed or were heard. They are written after their records, so that no end
    /// is forgotten.
    package var ended: [PresenceNote] = []
    package var states: [(topic: String, payload: [UInt8])] = []
    /// Complete presence after all of the above.
    package var presence: KeptPresence?

    /// Events for other tools.
    package var outputs: [OutputEvent] = []

    /// Adds journal entries for beginnings and ends.
    ///
    /// - Parameter ear: the remote receiver that reported the events; `nil`: the gateway itself.
    package mutating func note(_ events: [InteractionEvent], by ear: String? = nil) {
        func notes(_ kind: InteractionEvent.Kind) -> [PresenceNote] {
            events.filter { $0.kind == kind }.compactMap { TrackerNote($0) }.map { PresenceNote(note: $0, ear: ear) }
        }
        begun += notes(.started)
        ended += notes(.ended)
    }

    package var isEmpty: Bool {
        begun.isEmpty && records.isEmpty && ended.isEmpty && states.isEmpty && presence == nil && outputs.isEmpty
    }
}

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

package import BeaconModel
package import GatewayCore
package import Integrations
import Proximity
package import RecordContract

/// What the radio's packets have led to, in the order in which it is written down and published.
package struct Delivery: Sendable {
    /// Who came: noted before their records, so that none that was published as begun begins twice.
    package var begun: [PresenceNote] = []
    package var records: [Record] = []
    /// Who went, or was heard: noted after their records, so that no end is forgotten.
    package var ended: [PresenceNote] = []
    package var states: [(topic: String, payload: [UInt8])] = []
    /// Everything that is known of who is here, after all this.
    package var presence: KeptPresence?

    /// For other people's tools.
    package var outputs: [OutputEvent] = []

    /// Takes note of beginnings and ends.
    ///
    /// - Parameter ear: the remote ear by which they are known; `nil`: the gateway itself.
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

/// Between the packets and the disk: packets don't wait for a disk that is slow now and then, and what collects
/// meanwhile is written at once.
package actor DeliveryQueue {
    private var waiting: [Delivery] = []
    private var records = 0
    private var isFinished = false
    private var taker: CheckedContinuation<Void, Never>?
    private var givers: [CheckedContinuation<Void, Never>] = []

    /// From here on the packets do wait.
    private static let mostRecords = 10_000

    package func add(_ delivery: Delivery) async {
        if delivery.isEmpty { return }
        while records >= Self.mostRecords, !isFinished { await withCheckedContinuation { givers.append($0) } }
        waiting.append(delivery)
        records += delivery.records.count + delivery.outputs.count
        wakeTaker()
    }

    /// Waits until there is something.
    ///
    /// - Returns: all of it; nothing after the end.
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

    /// Nothing more comes.
    package func finish() {
        isFinished = true
        wakeTaker()
    }

    private func wakeTaker() {
        taker?.resume()
        taker = nil
    }
}

package import BeaconModel
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
    package var presence: PersistedPresence?
    /// Events for other tools.
    package var outputs: [OutputEvent] = []

    package init(
        records: [Record] = [], states: [(topic: String, payload: [UInt8])] = [], presence: PersistedPresence? = nil
    ) {
        self.records = records
        self.states = states
        self.presence = presence
    }

    /// Adds journal entries for beginnings and ends.
    ///
    /// - Parameter receiver: the remote receiver that reported the events; `nil`: the gateway itself.
    package mutating func note(_ events: [InteractionEvent], by receiver: String? = nil) {
        func notes(_ kind: InteractionEvent.Kind) -> [PresenceNote] {
            events.filter { $0.kind == kind }.compactMap { TrackerNote($0) }.map {
                PresenceNote(note: $0, ear: receiver)
            }
        }
        begun += notes(.started)
        ended += notes(.ended)
    }

    package var isEmpty: Bool {
        begun.isEmpty && records.isEmpty && ended.isEmpty && states.isEmpty && presence == nil && outputs.isEmpty
    }
}

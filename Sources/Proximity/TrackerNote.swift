public import BeaconModel

/// A change since a `TrackerState` was taken, in few bytes, so that the state need not be rewritten each time.
public enum TrackerNote: Codable, Equatable, Sendable {
    /// Start of an interaction of this run.
    case began(Began)
    /// End of an interaction; `run` is `nil` for one of this run.
    case ended(number: UInt64, run: UInt64?, Timestamp)
    /// Reception: the adapters were receiving until the time, and the subjects of the interactions were received
    /// recently.
    case heard(adapters: [Int], [Key], Timestamp)

    /// The start of an interaction.
    public struct Began: Codable, Equatable, Sendable {
        var number: UInt64
        var subject: Subject
        var firstSeenAt: Timestamp
        var startedAt: Timestamp
        var continues: UInt64?
        var continuesRun: UInt64?
    }

    /// Identity of an interaction.
    public struct Key: Codable, Hashable, Sendable {
        var number: UInt64
        var run: UInt64?
    }

    /// Creates the note for an event; `nil` for an update.
    public init?(_ event: InteractionEvent) {
        let interaction = event.interaction
        switch event.kind {
        case .started:
            self = .began(
                Began(
                    number: interaction.number, subject: interaction.subject, firstSeenAt: interaction.firstSeenAt,
                    startedAt: interaction.startedAt, continues: interaction.continues,
                    continuesRun: interaction.continuesRun))
        case .updated: return nil
        case .ended: self = .ended(number: interaction.number, run: interaction.run, event.time)
        }
    }
}

extension InteractionTracker {
    /// Returns a note of the subjects received since a time.
    public func heard(since time: Timestamp) -> TrackerNote {
        .heard(
            adapters: TrackTable.orders.filter { clocks[$0].deafSince == nil && clocks[$0].time > .epoch },
            tracks.all.filter { $0.lastSeenAt >= time }.map(\.key), now)
    }
}

extension TrackerState {
    /// Applies the notes made after the state was taken, in order. Applying them twice changes nothing.
    ///
    /// The cost of a note does not depend on the number of tracks.
    public mutating func apply(_ notes: some Sequence<TrackerNote>) {
        var slots = tracks.map(Optional.some)
        var subjects: [Subject: Int] = [:]
        var keys: [TrackerNote.Key: Int] = [:]
        for (slot, track) in tracks.enumerated() {
            subjects[track.subject] = slot
            keys[track.key] = slot
        }
        for note in notes {
            switch note {
            case .began(let began):
                guard began.number > lastNumber else { continue }
                lastNumber = began.number
                let track = Track(began, deafness: clocks.first?.deafness ?? .zero)
                if let slot = subjects[track.subject] {
                    slots[slot].map { keys[$0.key] = nil }
                    slots[slot] = nil
                }
                subjects[track.subject] = slots.count
                keys[track.key] = slots.count
                slots.append(track)
                if clocks.indices.contains(0) { clocks[0].time = max(clocks[0].time, began.startedAt) }
                now = max(now, began.startedAt)
            case .ended(let number, let run, let time):
                if let slot = keys.removeValue(forKey: .init(number: number, run: run)), let track = slots[slot] {
                    subjects[track.subject] = nil
                    slots[slot] = nil
                }
                now = max(now, time)
            case .heard(let adapters, let heard, let time):
                for slot in heard.compactMap({ keys[$0] }) { slots[slot]?.wasHeard(at: time) }
                for order in adapters where clocks.indices.contains(order) {
                    clocks[order].time = max(clocks[order].time, time)
                }
                now = max(now, time)
            }
        }
        tracks = slots.compactMap(\.self)
    }
}

extension Track {
    fileprivate var key: TrackerNote.Key { .init(number: number, run: run) }
}

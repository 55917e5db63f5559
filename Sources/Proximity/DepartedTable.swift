import BeaconModel

/// Those who have left a short while ago, with what is known of how regularly they were heard.
///
/// Whoever has just been said to be gone is here again only when that is more likely than that it is not: at the second
/// advertisement within a silence that it would be gone for. Otherwise a beacon at the edge of what can be heard, of
/// which a packet comes through now and then, would come and go all the time.
struct DepartedTable: Sendable {
    private var entries: [Subject: Departed] = [:]
    /// In the order of their departures; some have come back since.
    private var order: [(subject: Subject, generation: UInt64)] = []
    private var generation: UInt64 = 0
    private var next = 0
    private let capacity: Int

    struct Departed: Codable, Sendable {
        var reception: Reception
        var lastSeenAt: Timestamp
        /// After which it had left.
        var silence: Duration
        /// Which adapter heard it last, and how long that had been deaf until then.
        var adapter: Adapter
        var deafness: Duration
        /// Whether that is known: it fell silent, and no adapter was deaf.
        var hasLeft: Bool
        /// Which of the departures it is.
        var generation: UInt64 = 0
        /// The interaction that ended only because the gateway did.
        var interrupted: Interaction?
        /// An advertisement since then.
        var stray: Reading?

        var withoutStray: Departed {
            var departed = self
            departed.stray = nil
            return departed
        }
    }

    struct Interaction: Codable, Sendable {
        var number: UInt64
        /// The run of the gateway in which it began; `nil` for the present one.
        var run: UInt64?
        var firstSeenAt: Timestamp
    }

    init(capacity: Int) { self.capacity = max(1, capacity) }

    mutating func left(_ track: Track, _ reason: BeaconModel.Interaction.EndReason) {
        let departed = Departed(
            reception: track.reception, lastSeenAt: track.lastSeenAt, silence: track.silence,
            adapter: track.adapter, deafness: track.deafness, hasLeft: reason == .departed,
            interrupted: reason == .shutdown
                ? Interaction(number: track.number, run: track.run, firstSeenAt: track.firstSeenAt) : nil)
        insert(Entry(subject: track.subject, departed: departed))
    }

    mutating func nameRun(_ run: UInt64) {
        for subject in entries.keys where entries[subject]?.interrupted?.run == nil {
            entries[subject]?.interrupted?.run = run
        }
    }

    enum Verdict {
        /// With what is known of it.
        case here(Departed)
        /// It isn't more likely than not that it has come back.
        case perhaps
        /// It wasn't here lately.
        case stranger
    }

    /// - Parameter longest: for how long a departure matters.
    mutating func judge(_ reading: Reading, of subject: Subject, longest: Duration) -> Verdict {
        guard let departed = entries[subject] else { return .stranger }
        guard departed.hasLeft, reading.time - (departed.stray?.time ?? departed.lastSeenAt) <= longest else {
            entries[subject] = nil
            return .here(departed.withoutStray)
        }
        if let stray = departed.stray, reading.time - stray.time <= departed.silence {
            entries[subject] = nil
            return .here(departed)
        }
        entries[subject]?.stray = reading
        return .perhaps
    }

    struct Entry: Codable, Sendable {
        var subject: Subject
        var departed: Departed

        /// Phones are nobody's business for longer than their departure matters.
        func isKept(at time: Timestamp, _ rules: InteractionRules) -> Bool {
            subject.isBeacon || time - departed.lastSeenAt <= rules.silence.longest
        }
    }

    /// All of them, those first who left first.
    var inOrder: [Entry] {
        (order[next...] + order[..<next]).compactMap { place in
            entries[place.subject].flatMap {
                $0.generation == place.generation ? Entry(subject: place.subject, departed: $0) : nil
            }
        }
    }

    mutating func insert(_ entry: Entry) {
        generation &+= 1
        var departed = entry.departed
        departed.generation = generation
        entries[entry.subject] = departed
        let place = (entry.subject, generation)
        guard order.count >= capacity else {
            order.append(place)
            return
        }
        // Whoever has come back and left again since has another place.
        let oldest = order[next]
        if entries[oldest.subject]?.generation == oldest.generation { entries[oldest.subject] = nil }
        order[next] = place
        next = (next + 1) % capacity
    }

    mutating func removeAll() {
        entries.removeAll()
        order.removeAll()
        next = 0
    }
}

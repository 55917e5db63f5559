import BeaconModel

/// Subjects that departed a short while ago, with the regularity of their reception.
///
/// A subject that has just departed counts as present again only when that is more likely than not: at the second
/// advertisement within a silence after which it would depart. Otherwise a beacon at the edge of reception, with an
/// occasional packet, would come and go all the time.
struct DepartedTable: Sendable {
    private var entries: [Subject: Departed] = [:]
    /// Entries in the order of departure; some have returned since.
    private var order: [(subject: Subject, generation: UInt64)] = []
    private var generation: UInt64 = 0
    private var next = 0
    private let capacity: Int

    struct Departed: Codable, Sendable {
        var reception: Reception
        var lastSeenAt: Timestamp
        /// Silence after which it counted as departed.
        var silence: Duration
        /// Adapter that received it last, and the total time that adapter had been deaf until then.
        var adapter: Adapter
        var deafness: Duration
        /// Whether the departure is certain: it fell silent while its adapter was receiving.
        var hasLeft: Bool
        /// Sequence number of the departure.
        var generation: UInt64 = 0
        /// Interaction that ended only because the gateway shut down.
        var interrupted: Interaction?
        /// First advertisement since then.
        var stray: Reading?

        var withoutStray: Departed {
            var departed = self
            departed.stray = nil
            return departed
        }
    }

    struct Interaction: Codable, Sendable {
        var number: UInt64
        /// Run of the gateway in which it began; `nil` for the present run.
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
        /// Presence, with the earlier data of the subject.
        case here(Departed)
        /// Presence that is not yet more likely than absence.
        case perhaps
        /// No recent presence.
        case stranger
    }

    /// Judges whether a subject is present again.
    ///
    /// - Parameter longest: the time for which a departure matters.
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

        /// Whether the entry is persisted. Phones are not kept longer than their departure matters.
        func isKept(at time: Timestamp, _ rules: InteractionRules) -> Bool {
            subject.isBeacon || time - departed.lastSeenAt <= rules.silence.longest
        }
    }

    /// Entries in order, earliest departure first.
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
        // A subject that has returned and departed again has a new place.
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

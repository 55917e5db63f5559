import BeaconModel
package import Evidence
package import Matching

extension InteractionStore {
    /// Subjects that were near the same places.
    package struct Encounters: Equatable, Sendable {
        package var found: [Encounter]
        /// Sources that report more encounters than any living person has. They were left out.
        package var leftOut: Set<EncounterSource>
        /// Whether all sources of encounters were left out.
        package var areAllLeftOut = false
        /// The sources, by the numbers that encounters have.
        var sources: EncounterSources

        static func tooMany(_ limit: Int) -> StoreError {
            StoreError(
                "there are more than \(limit) encounters in this period",
                remedy: "specify a shorter period, or fewer subjects at once", exitStatus: .data)
        }
    }

    /// Returns all subjects that were near the same places, or at neighbouring places, as far as the rule can concern
    /// them. The positives' stays are cut at the bounds of their period.
    ///
    /// - Throws: `StoreError`.
    package func encounters(
        of positives: [SubjectPeriod], rule: ContactRule, limit: Int = EncounterSweep.mostEncounters
    ) throws -> [Encounter] {
        let encounters = try allEncounters(of: positives, rule: rule, limit: limit)
        if encounters.areAllLeftOut { throw Encounters.tooMany(limit) }
        return encounters.found
    }

    /// Returns all subjects that were near the same places, or at neighbouring places, as far as the rule can concern
    /// them. The positives' stays are cut at the bounds of their period.
    ///
    /// - Parameters:
    ///   - limit: maximum number of encounters returned. More would fill the memory with their consequences, and no
    ///     living person has so many. A stolen gateway can report anything about its own floor, and phones anything
    ///     about themselves. When there are too many, the encounters that come mostly from one source, or from two
    ///     together, are left out, so invented encounters cannot hide what other sources report. Encounters reported by
    ///     phones may take an eighth of the limit in addition, with each gateway.
    ///   - mostToldByOne: maximum number of the positives' stays from one gateway; none are read from a gateway that
    ///     reports more.
    ///   - areOnePerson: whether the positives are one person, who does not meet themselves.
    /// - Throws: `StoreError`.
    package func allEncounters(
        of positives: [SubjectPeriod], rule: ContactRule, limit: Int = EncounterSweep.mostEncounters,
        mostToldByOne: Int = StayDepth.mostStays,
        areOnePerson: Bool = false
    ) throws -> Encounters {
        try database.read { session in
            let sources = try EncounterSources(session)
            var result = Encounters(found: [], leftOut: [], sources: sources)
            if positives.isEmpty { return result }
            let limits = EncounterLimits(rule: rule, longest: try session.longest())
            let (told, many) = try toldStays(
                of: positives, limits, sources, most: mostToldByOne, session)
            let crowding = StayDepth(told.lazy.map { (stay: $0.stay, source: $0.source) }).crowding.union(many)
            let believed = told.filter { !crowding.contains($0.source) }
            var sweep = EncounterSweep(
                believed, neighbours: try session.neighbours(), limits: limits, limit: limit,
                areOnePerson: areOnePerson)
            for place in sweep.places {
                for span in sweep.spans(at: place, joining: limits.longest) {
                    let text = EncounterQuery.others(at: place, during: span, limits)
                    try session.query(text, [], keepsStatement: false) { row in
                        guard let stay = row.stay(0) else { return }
                        sweep.add(stay, source: sources.number(of: row.integer(7), subject: stay.subject))
                    }
                }
            }
            let (found, leftOut) = sweep.result(Presences(believed.lazy.map(\.stay)))
            result.found = found
            result.areAllLeftOut = found.isEmpty && !leftOut.isEmpty
            result.leftOut = Set(leftOut.map(sources.source))
            for source in crowding { result.leftOut.insert(sources.source(.init(positive: source, other: source))) }
            return result
        }
    }

    /// Returns the positives' stays in the periods that matter, at any distance, and the sources that report more stays
    /// than a person can have, of which none are read.
    private func toldStays(
        of positives: [SubjectPeriod], _ limits: EncounterLimits, _ sources: EncounterSources, most: Int,
        _ session: any SQLSession
    ) throws -> (told: [EncounterSweep.Told], many: Set<Int64>) {
        let parts = stride(from: 0, to: positives.count, by: Self.mostSpans).map {
            Array(positives[$0..<min($0 + Self.mostSpans, positives.count)])
        }
        var counts: [Int64: Int] = [:]
        for part in parts {
            let sql = EncounterQuery.counts(part, longest: limits.longest, session.dialect)
            try session.query(sql, [], keepsStatement: false) {
                counts[$0.integer(0), default: 0] += Int($0.integer(1))
            }
        }
        var bySource: [Int64: Int] = [:]
        for (origin, count) in counts { bySource[sources.number(of: origin), default: 0] += count }
        let many = Set(bySource.filter { $0.value > most }.keys)
        let unread = counts.keys.filter { many.contains(sources.number(of: $0)) }.sorted()
        var told: [EncounterSweep.Told] = []
        for part in parts {
            let sql = EncounterQuery.stays(
                part, longest: limits.longest, without: unread, rows: EncounterSweep.mostEncounters + 1, session.dialect
            )
            try session.query(sql, [], keepsStatement: false) { row in
                guard let stay = row.stay(0) else { return }
                let source = sources.number(of: row.integer(7), subject: stay.subject)
                told.append(.init(stay: stay, source: source, since: row.integer(8), until: row.integer(9)))
            }
            guard told.count <= EncounterSweep.mostEncounters else {
                throw Encounters.tooMany(EncounterSweep.mostEncounters)
            }
        }
        return (told, many)
    }

    /// Returns the stays whose times may be wrong because the gateway reported that its clock was not synchronized.
    ///
    /// - Parameter spans: subjects with the period that matters for each.
    /// - Throws: `StoreError`.
    package func unsynchronizedStays(of spans: [SubjectPeriod]) throws -> [Stay] {
        try database.read { session in
            let longest = try session.longest()
            var found: [Stay] = []
            for start in stride(from: 0, to: spans.count, by: Self.mostSpans) {
                let sql = EncounterQuery.unsynchronized(
                    Array(spans[start..<min(start + Self.mostSpans, spans.count)]), longest: longest,
                    rows: Self.mostUnsynchronized, session.dialect)
                try session.query(sql, [], keepsStatement: false) { if let stay = $0.stay(0) { found.append(stay) } }
            }
            return found
        }
    }

    /// Maximum number of spans in one statement.
    private static let mostSpans = 500
    /// Maximum number of stays in the answer to one statement; fewer are enough to show that clocks were wrong.
    private static let mostUnsynchronized = 100_000

    /// Numbers of interactions and subjects in the store.
    package struct Counts: Equatable, Sendable {
        package var interactions: Int
        /// Interactions that have ended.
        package var ended: Int
        package var subjects: Int
    }

    /// Counts the stored interactions and subjects.
    ///
    /// - Throws: `StoreError`.
    package func counts() throws -> Counts {
        try database.read { session in
            let interactions = try session.first(
                "SELECT count(*), COALESCE(sum(CASE WHEN state > 0 THEN 1 ELSE 0 END), 0) FROM interaction"
            ) { (Int($0.integer(0)), Int($0.integer(1))) }
            let subjects = try session.first("SELECT count(*) FROM subject") { Int($0.integer(0)) }
            return Counts(interactions: interactions?.0 ?? 0, ended: interactions?.1 ?? 0, subjects: subjects ?? 0)
        }
    }

    /// Returns the numbers of subjects; subjects that were never seen have none.
    ///
    /// - Throws: `StoreError`.
    package func numbers(of subjects: [SubjectIdentity]) throws -> [SubjectIdentity: Int64] {
        try database.read { session in
            var numbers: [SubjectIdentity: Int64] = [:]
            for subject in subjects { numbers[subject] = try session.number(of: subject) }
            return numbers
        }
    }

    /// Returns the subjects with the given numbers.
    ///
    /// - Throws: `StoreError`.
    package func subjects(_ numbers: Set<Int64>) throws -> [Int64: SubjectIdentity] {
        try database.read { session in
            var subjects: [Int64: SubjectIdentity] = [:]
            for number in numbers {
                try session.query("SELECT kind, name FROM subject WHERE id = $1", [.integer(number)]) { row in
                    subjects[number] = SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? "")
                }
            }
            return subjects
        }
    }

    /// Returns the places with the given numbers.
    ///
    /// - Throws: `StoreError`.
    package func places(_ numbers: Set<Int64>) throws -> [Int64: PlaceName] {
        try database.read { session in
            var places: [Int64: PlaceName] = [:]
            for number in numbers {
                try session.query(
                    "SELECT name, site, building, floor, gateway, room, beacon FROM place WHERE id = $1",
                    [.integer(number)]
                ) { places[number] = $0.place }
            }
            return places
        }
    }
}

extension SQLRow {
    /// The place in the first columns: name, site, building, floor, gateway, room and beacon, in this order.
    var place: PlaceName {
        PlaceName(
            key: text(0) ?? "", site: text(1) ?? "", building: text(2) ?? "", floor: text(3) ?? "",
            gateway: text(4) ?? "", room: text(5), beacon: text(6))
    }

    /// Returns the stay in the columns from `column` on: subject, place, start, end, distance and its bounds. Returns
    /// `nil` for values that no record can have: another writer to the database must not be able to stop its readers.
    func stay(_ column: Int32) -> Stay? {
        let (start, end) = (integer(column + 2), integer(column + 3))
        guard (0...RecordReader.latestTime).contains(start),
            (start...start + RecordReader.longestInteraction).contains(end)
        else { return nil }
        var distance: Stay.Distance?
        if let centimetres = optionalInteger(column + 4) {
            let (lower, upper) = (integer(column + 5), integer(column + 6))
            guard 0 <= lower, lower <= centimetres, centimetres <= upper, upper <= RecordReader.farthestCentimetres
            else { return nil }
            distance = .init(centimetres: centimetres, lower: lower, upper: upper)
        }
        return Stay(
            subject: integer(column), place: integer(column + 1), start: start, end: end, distance: distance)
    }
}

extension SQLSession {
    /// Returns the length of the longest interaction ever stored, in seconds.
    func longest() throws -> Int64 {
        let longest = try first("SELECT longest FROM extent") { $0.integer(0) } ?? 0
        return min(max(longest, 0), RecordReader.longestInteraction)
    }
}

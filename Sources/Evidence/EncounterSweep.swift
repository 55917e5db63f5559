package import Matching

/// A search among the stays of others for subjects near the positives' places at the same time, or a little before or
/// after. Pure: the caller reads these stays, each once.
///
/// It may find more than the contact rule admits, never less. It compares stays that overlap in time, each pair once. A
/// join in the database took time proportional to the product of all invented stays.
package struct EncounterSweep {
    /// Maximum number of encounters that are examined.
    package static let mostEncounters = 1_000_000

    /// A stay of a positive, the period that matters in seconds since 1970, and the source that reports it.
    package struct Told {
        package var stay: Stay
        package var source: Int64
        package var since: Int64
        package var until: Int64

        package init(stay: Stay, source: Int64, since: Int64, until: Int64) {
            self.stay = stay
            self.source = source
            self.since = since
            self.until = until
        }
    }

    /// A possible encounter.
    private struct Pair {
        var told: Told
        var other: Stay
        var separation: Int64
        var sources: Encounter.SourcePair

        func encounter(_ window: Int64, presence: ClosedRange<Int64>? = nil) -> Encounter? {
            var encounter = Encounter(
                positive: told.stay, other: other, separation: separation, window: window, since: told.since,
                until: told.until, presence: presence)
            encounter?.sources = sources
            return encounter
        }
    }

    /// The encounters from one source.
    private struct Findings {
        var found: [Encounter] = []
        /// Pairs whose stays follow each other next to a bound of the period: whether the positive arrived or departed
        /// then is still to be checked.
        var doubtful: [Pair] = []

        var count: Int { found.count + doubtful.count }

        /// Drops the subjects that have been known for the shortest time, and those met more often than any person is.
        ///
        /// - Parameter most: number of encounters to keep.
        /// - Returns: the greatest number of a subject that is kept, and those below it that are not.
        mutating func trim(to most: Int) -> Admission {
            var counts: [Int64: Int] = [:]
            for encounter in found { counts[encounter.other.subject, default: 0] += 1 }
            for pair in doubtful { counts[pair.other.subject, default: 0] += 1 }
            var admission = Admission()
            var room = most
            for (subject, count) in counts.sorted(by: { $0.key < $1.key }) {
                // One subject takes up at most a part of the limit: two living persons are together for less.
                if count > max(1, most / 8) {
                    admission.refused.insert(subject)
                    continue
                }
                if count > room { break }
                room -= count
                admission.last = subject
            }
            found.removeAll { !admission.admits($0.other.subject) }
            doubtful.removeAll { !admission.admits($0.other.subject) }
            return admission
        }
    }

    /// The subjects whose encounters still count, for a source that reports too many.
    private struct Admission {
        var last: Int64 = .min
        var refused: Set<Int64> = []

        func admits(_ subject: Int64) -> Bool { subject <= last && !refused.contains(subject) }
    }

    /// The positives' stays that matter at a place, by time slice and source.
    private struct Presence {
        package typealias Entries = [Int64: [(told: Int, separation: Int64)]]

        /// Stays that overlap a time slice, and those of them that did not overlap the slice before.
        var during: [Int64: Entries] = [:]
        var beginning: [Int64: Entries] = [:]
        var spans: [ClosedRange<Int64>] = []
    }

    private let told: [Told]
    private let limits: EncounterLimits
    private let limit: Int
    /// The positives themselves, if they are one person: they are not counted as met.
    private let own: Set<Int64>
    private var presences: [Int64: Presence] = [:]
    private var findings: [Encounter.SourcePair: Findings] = [:]
    /// Sources with more encounters than the limit allows. Their longest-known subjects are kept: an attacker that
    /// advertises new identities without end makes a gateway report them, but hides nobody.
    private var excessive: [Encounter.SourcePair: Admission] = [:]
    /// Number of encounters by side. Encounters from gateways are counted apart from those that phones report
    /// themselves, and these by the gateway that reports the other person. A lying gateway therefore takes up no room
    /// of another's.
    private var counts: [Side: Int] = [:]

    private enum Side: Hashable, Comparable {
        case gateways
        case phones(of: Int64)

        init(_ sources: Encounter.SourcePair) {
            switch (EncounterSources.isPhone(sources.positive), EncounterSources.isPhone(sources.other)) {
            case (false, false): self = .gateways
            case (false, true): self = .phones(of: sources.positive)
            case (true, false): self = .phones(of: sources.other)
            case (true, true): self = .phones(of: 0)
            }
        }
    }

    /// Returns the maximum number of encounters of a side.
    private func most(_ side: Side) -> Int {
        switch side {
        case .gateways: limit
        case .phones: limit / 8
        }
    }

    /// Maximum number of comparisons for one source, including stays that are out of each other's reach.
    private static let mostComparisons = 50 * mostEncounters
    private var compared: [Encounter.SourcePair: Int] = [:]

    /// Length of a time slice, in seconds.
    private static let part: Int64 = 300

    /// Indexes the positives' stays by place and time.
    ///
    /// - Parameters:
    ///   - told: stays of the positives.
    ///   - neighbours: the neighbours of each place with their separation in centimetres.
    ///   - limit: maximum number of encounters found; those reported by phones may take an eighth of it in addition,
    ///     with each gateway.
    ///   - areOnePerson: whether the positives are one person, who does not meet themselves.
    package init(
        _ told: [Told], neighbours: [Int64: [(other: Int64, separation: Int64)]], limits: EncounterLimits,
        limit: Int, areOnePerson: Bool
    ) {
        own = areOnePerson ? Set(told.map(\.stay.subject)) : []
        self.told = told
        self.limits = limits
        self.limit = limit
        for (index, one) in told.enumerated() where (one.stay.distance?.centimetres ?? 0) <= limits.placeRadius {
            let span = one.stay.start - limits.window...one.stay.end + limits.window
            for (place, separation) in [(one.stay.place, 0)] + (neighbours[one.stay.place] ?? []) {
                presences[place, default: Presence()].spans.append(span)
                let first = Self.part(of: span.lowerBound)
                presences[place]?.beginning[first, default: [:]][one.source, default: []].append((index, separation))
                for part in first...Self.part(of: span.upperBound) {
                    presences[place]?.during[part, default: [:]][one.source, default: []].append((index, separation))
                }
            }
        }
    }

    private static func part(of time: Int64) -> Int64 {
        time >= 0 ? time / part : (time - part + 1) / part
    }

    /// The places at which others' stays matter.
    package var places: [Int64] { presences.keys.sorted() }

    /// Returns the times at which others' stays at a place matter, in seconds since 1970: disjoint, ascending.
    ///
    /// - Parameter gap: times that are no further apart than this are joined.
    package func spans(at place: Int64, joining gap: Int64) -> [ClosedRange<Int64>] {
        (presences[place]?.spans ?? []).joined(over: gap)
    }

    /// Compares another subject's stay with the positives' stays at its place.
    package mutating func add(_ other: Stay, source: Int64) {
        guard (other.distance?.centimetres ?? 0) <= limits.placeRadius, let presence = presences[other.place],
            !own.contains(other.subject)
        else { return }
        let first = Self.part(of: other.start)
        compare(other, source, presence.during[first])
        // Each pair once: stays that had begun before have already been compared.
        for part in (first + 1)..<max(first + 1, Self.part(of: other.end) + 1) {
            compare(other, source, presence.beginning[part])
        }
    }

    private mutating func compare(_ other: Stay, _ source: Int64, _ entries: Presence.Entries?) {
        for (own, entries) in entries ?? [:] {
            let sources = Encounter.SourcePair(positive: own, other: source)
            if !excessive.isEmpty, let admission = excessive[sources], !admission.admits(other.subject) { continue }
            compared[sources, default: 0] += entries.count
            if compared[sources, default: 0] > Self.mostComparisons {
                excessive[sources] = Admission()
                continue
            }
            for (index, separation) in entries {
                if !excessive.isEmpty, excessive[sources]?.admits(other.subject) == false { break }
                if isInReach(told[index], other, separation) {
                    add(Pair(told: told[index], other: other, separation: separation, sources: sources))
                }
            }
        }
    }

    private func isInReach(_ own: Told, _ other: Stay, _ separation: Int64) -> Bool {
        let (stay, window) = (own.stay, limits.window)
        guard other.subject != stay.subject, other.end >= stay.start - window, other.start <= stay.end + window,
            other.start <= own.until + window, other.end >= own.since - window
        else { return false }
        guard let one = stay.distance, let two = other.distance else { return true }
        return one.centimetres + two.centimetres + separation <= limits.sum
            && one.lower - two.upper - separation <= limits.radius
            && two.lower - one.upper - separation <= limits.radius
            && separation - one.upper - two.upper <= limits.radius
    }

    private mutating func add(_ pair: Pair) {
        guard let encounter = pair.encounter(limits.window) else { return }
        if pair.encounter(limits.window, presence: .min ... .max) == nil {
            findings[pair.sources, default: Findings()].doubtful.append(pair)
        } else {
            findings[pair.sources, default: Findings()].found.append(encounter)
        }
        let side = Side(pair.sources)
        counts[side, default: 0] += 1
        if findings[pair.sources]?.count ?? 0 > most(side) { trim(pair.sources, to: most(side) / 2) }
        // Bounds what is kept in the meantime. Several sources are trimmed at a time, because each phone is a source.
        guard counts[side, default: 0] > 2 * most(side) + 1 else { return }
        for source in order(side).reversed() {
            trim(source, to: (findings[source]?.count ?? 0) / 2)
            if counts[side, default: 0] <= 2 * most(side) - most(side) / 8 { break }
        }
    }

    private mutating func trim(_ source: Encounter.SourcePair, to most: Int) {
        guard var trimmed = findings[source] else { return }
        let before = trimmed.count
        var admission = trimmed.trim(to: most)
        admission.refused.formUnion(excessive[source]?.refused ?? [])
        excessive[source] = admission
        findings[source] = trimmed
        counts[Side(source), default: 0] -= before - trimmed.count
    }

    /// Returns the sources of a side, those with the fewest encounters first: a source that invents many is left out
    /// before those that report few.
    private func order(_ side: Side) -> [Encounter.SourcePair] {
        findings.keys.filter { Side($0) == side }.sorted {
            func key(_ source: Encounter.SourcePair) -> (Int, Int64, Int64) {
                (findings[source]?.count ?? 0, source.positive, source.other)
            }
            return key($0) < key($1)
        }
    }

    /// Returns all encounters up to the limits, and the sources of those that were left out.
    ///
    /// A part of a presence may be missing because its record was lost. Then only the bounds of the other parts are
    /// known, and their ends and beginnings count as departures and arrivals.
    ///
    /// - Parameter presences: the positives' presences, at any distance.
    package mutating func result(_ presences: Presences) -> (found: [Encounter], leftOut: Set<Encounter.SourcePair>) {
        var found: [Encounter] = []
        for side in counts.keys.sorted() {
            var room = most(side)
            for source in order(side) {
                if findings[source]?.count ?? 0 > room { trim(source, to: room) }
                guard let findings = findings[source] else { continue }
                room -= findings.count
                found += findings.found
                found += findings.doubtful.compactMap {
                    $0.encounter(limits.window, presence: presences.span(of: $0.told.stay))
                }
            }
        }
        return (found, Set(excessive.keys))
    }
}

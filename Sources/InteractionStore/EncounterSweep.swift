import Matching

/// Finds who was near the positives' places while they were there, or a little before or after, out of the stays of others.
/// Pure: the caller reads these, each once.
///
/// It may find more than the contact rule admits, never less. It compares those who were there at about the same time, each two
/// once: a join in the database took as long as the product of whatever somebody had invented.
struct EncounterSweep {
    /// A stay of a positive, since when and until when that matters in seconds since 1970, and by whose word it is.
    struct Told {
        var stay: Stay
        var teller: Int64
        var since: Int64
        var until: Int64
    }

    /// What may be an encounter.
    private struct Pair {
        var told: Told
        var other: Stay
        var separation: Int64
        var tellers: Encounter.Tellers

        func encounter(_ window: Int64, presence: ClosedRange<Int64>? = nil) -> Encounter? {
            var encounter = Encounter(
                positive: told.stay, other: other, separation: separation, window: window, since: told.since,
                until: told.until, presence: presence)
            encounter?.tellers = tellers
            return encounter
        }
    }

    /// What one source tells.
    private struct Findings {
        var found: [Encounter] = []
        /// Two who were there after each other, next to a bound: whether the positive came or left then is to be asked.
        var doubtful: [Pair] = []

        var count: Int { found.count + doubtful.count }
    }

    /// The positives' stays that matter at a place, by parts of the time and by who told of them.
    private struct Presence {
        typealias Entries = [Int64: [(told: Int, separation: Int64)]]

        /// Whoever is there in a part, and of them those who weren't in the part before.
        var during: [Int64: Entries] = [:]
        var beginning: [Int64: Entries] = [:]
        var spans: [ClosedRange<Int64>] = []
    }

    private let told: [Told]
    private let limits: EncounterQuery.Limits
    private let limit: Int
    /// Who isn't met: those of whom the positives' own stays are.
    private let own: Set<Int64>
    private var presences: [Int64: Presence] = [:]
    private var findings: [Encounter.Tellers: Findings] = [:]
    /// Sources by whose word there is more than there is room for.
    private var excessive: Set<Encounter.Tellers> = []
    /// What gateways tell, and what phones say of themselves, is counted apart: neither takes the other's room.
    private var counts: [Side: Int] = [:]

    private enum Side: CaseIterable {
        case gateways, phones

        init(_ tellers: Encounter.Tellers) {
            self =
                EncounterTellers.isPhone(tellers.positive) || EncounterTellers.isPhone(tellers.other)
                ? .phones : .gateways
        }
    }

    /// The most encounters that are found.
    private func most(_ side: Side) -> Int {
        switch side {
        case .gateways: limit
        case .phones: limit / 4
        }
    }

    /// The most comparisons for one source; it counts those who are out of each other's reach as well.
    private static let mostComparisons = 50 * InteractionStore.mostEncounters
    private var compared: [Encounter.Tellers: Int] = [:]

    /// Seconds.
    private static let part: Int64 = 300

    /// - Parameters:
    ///   - told: stays of the positives.
    ///   - neighbours: the places beside each place, and how far away, in centimetres.
    ///   - limit: so many encounters are found at most, and a quarter of that besides by what phones say.
    ///   - areOnePerson: whether all of them are one person, who doesn't meet themselves.
    init(
        _ told: [Told], neighbours: [Int64: [(other: Int64, separation: Int64)]], limits: EncounterQuery.Limits,
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
                presences[place]?.beginning[first, default: [:]][one.teller, default: []].append((index, separation))
                for part in first...Self.part(of: span.upperBound) {
                    presences[place]?.during[part, default: [:]][one.teller, default: []].append((index, separation))
                }
            }
        }
    }

    private static func part(of time: Int64) -> Int64 {
        time >= 0 ? time / part : (time - part + 1) / part
    }

    /// The places at which others' stays matter.
    var places: [Int64] { presences.keys.sorted() }

    /// When others' stays at a place matter, in seconds since 1970: apart from each other, ascending.
    ///
    /// - Parameter gap: times that are no further from each other become one.
    func spans(at place: Int64, joining gap: Int64) -> [ClosedRange<Int64>] {
        (presences[place]?.spans ?? []).joined(over: gap)
    }

    /// Compares somebody's stay with the positives' there.
    mutating func add(_ other: Stay, teller: Int64) {
        guard (other.distance?.centimetres ?? 0) <= limits.placeRadius, let presence = presences[other.place],
            !own.contains(other.subject)
        else { return }
        let first = Self.part(of: other.start)
        compare(other, teller, presence.during[first])
        // Each two once: with those who were there already it was compared.
        for part in (first + 1)..<max(first + 1, Self.part(of: other.end) + 1) {
            compare(other, teller, presence.beginning[part])
        }
    }

    private mutating func compare(_ other: Stay, _ teller: Int64, _ entries: Presence.Entries?) {
        for (own, entries) in entries ?? [:] {
            let tellers = Encounter.Tellers(positive: own, other: teller)
            if excessive.contains(tellers) { continue }
            compared[tellers, default: 0] += entries.count
            if compared[tellers, default: 0] > Self.mostComparisons { leaveOut(tellers) }
            for (index, separation) in entries {
                if excessive.contains(tellers) { break }
                if isInReach(told[index], other, separation) {
                    add(Pair(told: told[index], other: other, separation: separation, tellers: tellers))
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
            findings[pair.tellers, default: Findings()].doubtful.append(pair)
        } else {
            findings[pair.tellers, default: Findings()].found.append(encounter)
        }
        let side = Side(pair.tellers)
        counts[side, default: 0] += 1
        if findings[pair.tellers]?.count ?? 0 > most(side) { leaveOut(pair.tellers) }
        // So that there is an end to what is kept meanwhile. Several at a time, because each phone is a source.
        guard counts[side, default: 0] > 2 * most(side) + 1 else { return }
        for source in order(side).reversed() {
            leaveOut(source)
            if counts[side, default: 0] <= 2 * most(side) - most(side) / 8 { break }
        }
    }

    private mutating func leaveOut(_ source: Encounter.Tellers) {
        excessive.insert(source)
        counts[Side(source), default: 0] -= findings.removeValue(forKey: source)?.count ?? 0
    }

    /// Those with the fewest encounters first: whoever invents many is left out before those who tell of few.
    private func order(_ side: Side) -> [Encounter.Tellers] {
        findings.keys.filter { Side($0) == side }.sorted {
            func key(_ source: Encounter.Tellers) -> (Int, Int64, Int64) {
                (findings[source]?.count ?? 0, source.positive, source.other)
            }
            return key($0) < key($1)
        }
    }

    /// All encounters, as many as there is room for, and by whose word the others are.
    ///
    /// A part of a presence may be missing, because its record was lost: then the bounds of the others are what is known, and
    /// where they end or begin counts as a departure or an arrival.
    ///
    /// - Parameter presences: of the positives, at whatever distance.
    func result(_ presences: Presences) -> (found: [Encounter], leftOut: Set<Encounter.Tellers>) {
        var (found, leftOut): ([Encounter], Set<Encounter.Tellers>) = ([], excessive)
        for side in Side.allCases {
            var total = 0
            for source in order(side) {
                guard let findings = findings[source], total + findings.count <= most(side) else {
                    leftOut.insert(source)
                    continue
                }
                total += findings.count
                found += findings.found
                found += findings.doubtful.compactMap {
                    $0.encounter(limits.window, presence: presences.span(of: $0.told.stay))
                }
            }
        }
        return (found, leftOut)
    }
}

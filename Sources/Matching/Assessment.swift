import OperatorText

/// Assessment of a positive report under a policy, by distances from beacons. Pure: the same encounters give the same
/// verdicts, in any order.
package struct Assessment: Sendable {
    private let policy: Policy
    private let positive: PositiveCase
    /// Subjects that are installed in a fixed place rather than carried. They expose nobody and are not exposed.
    private let fixed: Set<Int64>
    /// Subjects of the person who reported: they do not expose themselves.
    private let own: Set<Int64>

    package init(policy: Policy, positive: PositiveCase, own: Set<Int64>, fixed: Set<Int64> = []) {
        self.policy = policy
        self.positive = positive
        self.own = own
        self.fixed = fixed
    }

    /// Returns the exposures that follow from the encounters.
    ///
    /// - Parameter encounters: encounters of the person who reported with other subjects, as `Encounter` and the
    ///   contact rule admit them. Encounters that the rule does not admit do no harm.
    /// - Returns: exposures by subject, then by time.
    package func exposures(_ encounters: [Encounter]) -> [Exposure] {
        guard policy.reportTypes[positive.reportType] > 0 else { return [] }
        var bySubject: [Int64: [Encounter]] = [:]
        for encounter in encounters where fixed.isDisjoint(with: [encounter.positive.subject, encounter.other.subject])
        {
            guard own.contains(encounter.positive.subject), !own.contains(encounter.other.subject) else { continue }
            bySubject[encounter.other.subject, default: []].append(encounter)
        }
        return bySubject.keys.sorted().flatMap { exposures(of: $0, bySubject[$0] ?? []) }
    }

    private func exposures(of subject: Int64, _ encounters: [Encounter]) -> [Exposure] {
        var candidates: [PairTimeline.Candidate] = []
        var unknownDistances = 0
        for encounter in WholeStays.joined(encounters).sorted(by: Self.precedes) {
            switch policy.contact.admits(encounter) {
            case nil: unknownDistances += 1
            case false?: break
            case true?: if let candidate = candidate(encounter) { candidates.append(candidate) }
            }
        }
        let windows = PairTimeline(candidates, window: policy.contact.window).segments
            .flatMap(parts).map { window($0, candidates[$0.candidate]) }
        return periods(windows).compactMap { exposure(of: subject, $0, unknownDistances: unknownDistances) }
    }

    /// Total order of encounters, so that the verdict does not depend on the order of a database.
    private static func precedes(_ left: Encounter, _ right: Encounter) -> Bool {
        if left.positive != right.positive { return left.positive.precedes(right.positive) }
        return left.other.precedes(right.other)
    }

    private func candidate(_ encounter: Encounter) -> PairTimeline.Candidate? {
        guard let range = encounter.range,
            let probability = encounter.probability(within: Double(policy.contact.radius) / 100)
        else { return nil }
        let weight: Double
        if let attenuation = policy.attenuation {
            weight = attenuation.expectedWeight { encounter.probability(within: $0) ?? 0 }
        } else {
            switch policy.contact.nearness {
            case .sumOfDistances: weight = 1
            case .probability: weight = probability
            }
        }
        return .init(encounter: encounter, range: range, probability: probability, weight: weight)
    }

    /// Splits a segment at midnight where calendar days matter, and at the maximum length of an attenuation window.
    private func parts(_ segment: PairTimeline.Segment) -> [PairTimeline.Segment] {
        guard segment.end > segment.start else { return [segment] }
        var parts: [PairTimeline.Segment] = []
        var start = segment.start
        let endsAtMidnight = policy.contact.period == .day || policy.infectiousness.dependsOnDay
        while start < segment.end {
            var end = segment.end
            if endsAtMidnight { end = min(end, policy.days.start(of: policy.days.day(of: start) + 1)) }
            if let attenuation = policy.attenuation { end = min(end, start + attenuation.window) }
            parts.append(.init(start: start, end: end, candidate: segment.candidate))
            start = end
        }
        return parts
    }

    private func window(_ part: PairTimeline.Segment, _ candidate: PairTimeline.Candidate) -> Explanation.Window {
        let encounter = candidate.encounter
        var minutes = Double(part.end - part.start) / 60 * candidate.weight * multiplier(at: part.start)
        if let attenuation = policy.attenuation { minutes = attenuation.counted(minutes) }
        return .init(
            place: encounter.other.place, start: part.start, end: part.end, weight: candidate.weight, minutes: minutes,
            evidence: .distances(
                .init(
                    positivePlace: encounter.positive.place == encounter.other.place ? nil : encounter.positive.place,
                    separation: encounter.separation, distance: encounter.other.distance?.centimetres ?? 0,
                    positiveDistance: encounter.positive.distance?.centimetres ?? 0, range: candidate.range,
                    probability: candidate.probability, apart: part.end > part.start ? 0 : encounter.apart)))
    }

    private func infectiousness(at moment: Int64) -> Double {
        policy.infectiousness.weight(days: positive.daysSinceOnset(on: policy.days.day(of: moment)))
    }

    private func multiplier(at moment: Int64) -> Double {
        infectiousness(at: moment) * policy.reportTypes[positive.reportType]
    }

    private func periods(_ windows: [Explanation.Window]) -> [[Explanation.Window]] {
        if policy.contact.period == .anyDay {
            return AnyDay(leastMinutes: policy.contact.leastMinutes).periods(windows)
        }
        var periods: [[Explanation.Window]] = []
        for window in windows {
            if let last = periods.last?.last, isOne(last, window) {
                periods[periods.count - 1].append(window)
            } else {
                periods.append([window])
            }
        }
        return periods
    }

    private func isOne(_ one: Explanation.Window, _ next: Explanation.Window) -> Bool {
        switch policy.contact.period {
        case .day, .anyDay: policy.days.day(of: one.start) == policy.days.day(of: next.start)
        case .episode(let gap): next.start - one.end <= gap
        }
    }

    private func exposure(
        of subject: Int64, _ windows: [Explanation.Window], unknownDistances: Int
    ) -> Exposure? {
        let minutes = windows.reduce(0) { $0 + $1.minutes }
        // An episode over midnight can include days of different infectiousness.
        let infectiousness = windows.map { self.infectiousness(at: $0.start) }.max() ?? 0
        guard minutes >= policy.contact.leastMinutes - AnyDay.tolerance, infectiousness > 0,
            let nearest = windows.compactMap(\.distances).max(by: {
                ($0.probability, -$0.range.lowerBound) < ($1.probability, -$1.range.lowerBound)
            }),
            let end = windows.map(\.end).max()
        else { return nil }
        var missing: [Explanation.Missing] = []
        if unknownDistances > 0 { missing.append(.distances(unknownDistances)) }
        if policy.infectiousness.dependsOnDay, (positive.onset ?? positive.test) == nil { missing.append(.onset) }
        return Exposure(
            subject: subject, place: Exposure.mainPlace(windows), start: windows[0].start, end: end,
            sharedSeconds: windows.reduce(0) { $0 + $1.end - $1.start }, minutes: minutes, range: nearest.range,
            probability: nearest.probability, way: .beacon,
            explanation: Explanation(
                windows: Array(windows.prefix(Explanation.mostWindows)),
                omittedWindows: max(0, windows.count - Explanation.mostWindows),
                infectiousness: infectiousness, reportType: policy.reportTypes[positive.reportType],
                missing: missing))
    }
}

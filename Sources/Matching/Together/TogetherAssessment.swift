import OperatorText

/// Judges by a policy what follows from somebody's positive report, by minutes together. Pure: the same minutes give the same
/// verdicts, in whatever order they come.
public struct TogetherAssessment: Sendable {
    private let policy: Policy
    private let rule: TogetherRule
    private let positive: PositiveCase

    /// Minutes that follow each other within so many seconds are shown as one window.
    private static let gap: Int64 = 120

    /// - Returns: `nil` for a policy that doesn't ask for minutes together.
    public init?(policy: Policy, positive: PositiveCase) {
        guard let rule = policy.together else { return nil }
        self.policy = policy
        self.rule = rule
        self.positive = positive
    }

    /// - Parameters:
    ///   - company: the minutes with the one who reported, by the other subject, within the times that matter.
    ///   - place: where the one who reported was in a minute that begins then: at the receiver that heard them loudest.
    /// - Returns: by subject, then by time.
    public func exposures(_ company: [Int64: PairMinutes], place: (Int64) -> Int64) -> [Exposure] {
        guard policy.reportTypes[positive.reportType] > 0 else { return [] }
        return company.keys.sorted().flatMap { subject -> [Exposure] in
            let minutes = (company[subject]?.minutes ?? []).filter { $0.level >= rule.near }
            // Most of those who passed each other are no contact whatever a minute counts.
            guard
                Double(minutes.count) * max(rule.nearWeight, rule.closeWeight) * greatestMultiplier
                    >= rule.leastMinutes - AnyDay.tolerance
            else { return [] }
            return periods(minutes.map { window($0, at: place($0.start)) }).compactMap { exposure(of: subject, $0) }
        }
    }

    private var greatestMultiplier: Double {
        let weights =
            policy.infectiousness.spans.map(\.weight)
            + [policy.infectiousness.otherwise, policy.infectiousness.unknown]
        return (weights.max() ?? 1) * policy.reportTypes[positive.reportType]
    }

    private func window(_ minute: PairMinutes.Minute, at place: Int64) -> Explanation.Window {
        let isClose = minute.level >= rule.close
        let weight = isClose ? rule.closeWeight : rule.nearWeight
        return .init(
            place: place, start: minute.start, end: minute.start + 60, weight: weight,
            minutes: weight * infectiousness(at: minute.start) * policy.reportTypes[positive.reportType],
            evidence: .together(.init(near: 1, close: isClose ? 1 : 0, similarity: minute.level.similarity)))
    }

    private func infectiousness(at moment: Int64) -> Double {
        policy.infectiousness.weight(days: positive.daysSinceOnset(on: policy.days.day(of: moment)))
    }

    private func periods(_ minutes: [Explanation.Window]) -> [[Explanation.Window]] {
        if rule.period == .anyDay { return AnyDay(leastMinutes: rule.leastMinutes).periods(minutes) }
        var periods: [[Explanation.Window]] = []
        for minute in minutes {
            if let last = periods.last?.last, isOne(last, minute) {
                periods[periods.count - 1].append(minute)
            } else {
                periods.append([minute])
            }
        }
        return periods
    }

    private func isOne(_ one: Explanation.Window, _ next: Explanation.Window) -> Bool {
        switch rule.period {
        case .day, .anyDay: policy.days.day(of: one.start) == policy.days.day(of: next.start)
        case .episode(let gap): next.start - one.end <= gap
        }
    }

    private func exposure(of subject: Int64, _ minutes: [Explanation.Window]) -> Exposure? {
        let counted = minutes.reduce(0) { $0 + $1.minutes }
        let infectiousness = minutes.map { self.infectiousness(at: $0.start) }.max() ?? 0
        guard counted >= rule.leastMinutes - AnyDay.tolerance, infectiousness > 0, let end = minutes.last?.end else {
            return nil
        }
        let windows = Self.windows(minutes)
        var missing: [Explanation.Missing] = []
        if policy.infectiousness.dependsOnDay, (positive.onset ?? positive.test) == nil { missing.append(.onset) }
        return Exposure(
            subject: subject, place: Exposure.mainPlace(windows), start: minutes[0].start, end: end,
            sharedSeconds: minutes.reduce(0) { $0 + $1.end - $1.start }, minutes: counted, range: nil,
            probability: rule.probability.value(minutes.map(\.start)), way: .together,
            explanation: Explanation(
                windows: Array(windows.prefix(Explanation.mostWindows)),
                omittedWindows: max(0, windows.count - Explanation.mostWindows), infectiousness: infectiousness,
                reportType: policy.reportTypes[positive.reportType], missing: missing))
    }

    /// Minutes that follow each other at one place become one window.
    private static func windows(_ minutes: [Explanation.Window]) -> [Explanation.Window] {
        var windows: [Explanation.Window] = []
        var similarities: [Double] = []
        for minute in minutes {
            guard let last = windows.last, last.place == minute.place, minute.start - last.end <= gap,
                case .together(var sum) = last.evidence, case .together(let one) = minute.evidence
            else {
                windows.append(minute)
                similarities.append(minute.together?.similarity ?? 0)
                continue
            }
            let index = windows.count - 1
            sum.near += one.near
            sum.close += one.close
            similarities[index] += one.similarity
            sum.similarity = similarities[index] / Double(sum.near)
            windows[index].evidence = .together(sum)
            windows[index].end = minute.end
            windows[index].minutes += minute.minutes
            windows[index].weight = windows[index].minutes / Double(sum.near)
        }
        return windows
    }
}

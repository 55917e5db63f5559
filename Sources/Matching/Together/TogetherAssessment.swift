import OperatorText

/// Assessment of a positive report under a policy, by minutes together. Pure: the same minutes give the same verdicts,
/// in any order.
package struct TogetherAssessment: Sendable {
    private let policy: Policy
    private let rule: TogetherRule
    private let positive: PositiveCase

    /// Maximum gap between minutes that are shown as one window, in seconds.
    private static let gap: Int64 = 120

    /// Creates an assessment.
    ///
    /// - Returns: `nil` for a policy without minutes together.
    package init?(policy: Policy, positive: PositiveCase) {
        guard let rule = policy.together else { return nil }
        self.policy = policy
        self.rule = rule
        self.positive = positive
    }

    /// Returns the exposures to the person who reported.
    ///
    /// - Parameters:
    ///   - company: the minutes with the person who reported, by the other subject, within the times that matter.
    ///   - isLocated: returns whether a subject's minute that begins at a time was told by rooms and positions.
    ///   - place: returns the place of the person who reported in the minute that begins at a time: that of the loudest
    ///     receiver.
    /// - Returns: exposures by subject, then by time.
    package func exposures(
        _ company: [Int64: PairMinutes], isLocated: (Int64, Int64) -> Bool = { _, _ in false },
        place: (Int64) -> Int64
    ) -> [Exposure] {
        guard policy.reportTypes[positive.reportType] > 0 else { return [] }
        let greatestWeight = max(rule.nearWeight, rule.closeWeight) * greatestMultiplier
        var weights = DayWeights(policy, positive)
        var exposures: [Exposure] = []
        for (subject, pair) in company {
            // Most pairs that passed each other are no contact whatever the weight of a minute.
            guard Double(pair.count(from: rule.near)) * greatestWeight >= rule.leastMinutes - AnyDay.tolerance else {
                continue
            }
            let minutes = pair.minutes(from: rule.near)
            for period in periods(minutes, &weights) {
                if let exposure = exposure(of: subject, period, &weights, isLocated, place) {
                    exposures.append(exposure)
                }
            }
        }
        return exposures.sorted { ($0.subject, $0.start) < ($1.subject, $1.start) }
    }

    private var greatestMultiplier: Double {
        let weights =
            policy.infectiousness.spans.map(\.weight)
            + [policy.infectiousness.otherwise, policy.infectiousness.unknown]
        return (weights.max() ?? 1) * policy.reportTypes[positive.reportType]
    }

    /// Weight of a minute by its calendar day.
    private struct DayWeights {
        private let policy: Policy
        private let positive: PositiveCase
        /// Day of the last lookup, cached because the same day is looked up repeatedly.
        private(set) var day: Int64 = 0
        private var seconds = 0..<Int64(0)
        private var infectiousness = 0.0

        init(_ policy: Policy, _ positive: PositiveCase) {
            self.policy = policy
            self.positive = positive
        }

        private mutating func move(to moment: Int64) {
            guard !seconds.contains(moment) else { return }
            let days = policy.days
            day = days.day(of: moment)
            let (start, end) = (days.start(of: day), days.start(of: day + 1))
            seconds = start <= moment && moment < end ? start..<end : moment..<moment
            infectiousness = policy.infectiousness.weight(days: positive.daysSinceOnset(on: day))
        }

        mutating func day(of moment: Int64) -> Int64 {
            move(to: moment)
            return day
        }

        mutating func infectiousness(at moment: Int64) -> Double {
            move(to: moment)
            return infectiousness
        }
    }

    private func counted(_ minute: PairMinutes.Minute, _ weights: inout DayWeights) -> Double {
        (minute.level >= rule.close ? rule.closeWeight : rule.nearWeight) * weights.infectiousness(at: minute.start)
            * policy.reportTypes[positive.reportType]
    }

    private func periods(
        _ minutes: [PairMinutes.Minute], _ weights: inout DayWeights
    ) -> [ArraySlice<PairMinutes.Minute>] {
        var periods: [ArraySlice<PairMinutes.Minute>] = []
        var first = minutes.startIndex
        if rule.period == .anyDay {
            // Windows of one minute each are never cut, since 24 hours are whole minutes.
            let windows = minutes.map { minute in
                Explanation.Window(
                    place: 0, start: minute.start, end: minute.start + 60, weight: 0,
                    minutes: counted(minute, &weights), evidence: .together(.init(near: 1, close: 0, similarity: 0)))
            }
            for period in AnyDay(leastMinutes: rule.leastMinutes).periods(windows) {
                guard let start = period.first?.start, let end = period.last?.end else { continue }
                first = minutes[first...].firstIndex { $0.start >= start } ?? minutes.endIndex
                let last = minutes[first...].firstIndex { $0.start >= end } ?? minutes.endIndex
                periods.append(minutes[first..<last])
                first = last
            }
            return periods
        }
        for index in minutes.indices.dropFirst() where !isOne(minutes[index - 1], minutes[index], &weights) {
            periods.append(minutes[first..<index])
            first = index
        }
        if first < minutes.endIndex { periods.append(minutes[first...]) }
        return periods
    }

    private func isOne(
        _ one: PairMinutes.Minute, _ next: PairMinutes.Minute, _ weights: inout DayWeights
    ) -> Bool {
        switch rule.period {
        case .day, .anyDay: weights.day(of: one.start) == weights.day(of: next.start)
        case .episode(let gap): next.start - one.start - 60 <= gap
        }
    }

    private func exposure(
        of subject: Int64, _ minutes: ArraySlice<PairMinutes.Minute>, _ weights: inout DayWeights,
        _ isLocated: (Int64, Int64) -> Bool, _ place: (Int64) -> Int64
    ) -> Exposure? {
        guard let first = minutes.first, let last = minutes.last else { return nil }
        var counted = 0.0
        var infectiousness = 0.0
        for minute in minutes {
            counted += self.counted(minute, &weights)
            infectiousness = max(infectiousness, weights.infectiousness(at: minute.start))
        }
        guard counted >= rule.leastMinutes - AnyDay.tolerance, infectiousness > 0 else { return nil }
        let windows = windows(minutes, &weights, isLocated: { isLocated(subject, $0) }, place)
        var missing: [Explanation.Missing] = []
        if policy.infectiousness.dependsOnDay, (positive.onset ?? positive.test) == nil { missing.append(.onset) }
        return Exposure(
            subject: subject, place: Exposure.mainPlace(windows), start: first.start, end: last.start + 60,
            sharedSeconds: 60 * Int64(minutes.count), minutes: counted, range: nil,
            probability: rule.probability.value(minutes.lazy.map(\.start)), way: .together,
            explanation: Explanation(
                windows: Array(windows.prefix(Explanation.mostWindows)),
                omittedWindows: max(0, windows.count - Explanation.mostWindows), infectiousness: infectiousness,
                reportType: policy.reportTypes[positive.reportType], missing: missing))
    }

    /// Returns windows, each of consecutive minutes at one place.
    private func windows(
        _ minutes: ArraySlice<PairMinutes.Minute>, _ weights: inout DayWeights, isLocated: (Int64) -> Bool,
        _ place: (Int64) -> Int64
    ) -> [Explanation.Window] {
        var windows: [Explanation.Window] = []
        var sum = Explanation.Window.Together(near: 0, close: 0, similarity: 0)
        func finish() {
            guard let index = windows.indices.last else { return }
            sum.similarity /= Double(max(1, sum.near - sum.located))
            windows[index].evidence = .together(sum)
            if sum.near > 1 { windows[index].weight = windows[index].minutes / Double(sum.near) }
        }
        for minute in minutes {
            let isClose = minute.level >= rule.close
            let (place, counted) = (place(minute.start), counted(minute, &weights))
            if let index = windows.indices.last, windows[index].place == place,
                minute.start - windows[index].end <= Self.gap
            {
                windows[index].end = minute.start + 60
                windows[index].minutes += counted
            } else {
                finish()
                sum = .init(near: 0, close: 0, similarity: 0)
                windows.append(
                    .init(
                        place: place, start: minute.start, end: minute.start + 60,
                        weight: isClose ? rule.closeWeight : rule.nearWeight, minutes: counted,
                        evidence: .together(sum)))
            }
            sum.near += 1
            sum.close += isClose ? 1 : 0
            if isLocated(minute.start) {
                sum.located += 1
            } else {
                sum.similarity += minute.level.similarity
            }
        }
        finish()
        return windows
    }
}

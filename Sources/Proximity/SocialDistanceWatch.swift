public import BeaconModel

/// Alerts for two badges that are probably near each other for a while.
///
/// Pure: time arrives with the updates, and equal inputs, in any order, give equal events. An alert begins when the
/// probability has been at least that of the rules for a while, and ends when it has been below seven tenths of it for
/// as long.
public struct SocialDistanceWatch: Sendable {
    let rules: SocialDistanceRules
    private var pairs: [SocialDistancePair.Key: SocialDistancePair] = [:]
    private var now: Timestamp = .epoch

    /// Number of active alerts.
    public private(set) var count = 0
    /// Number of pairs that were near each other for long enough when `SocialDistanceRules.mostPairs` was reached.
    public private(set) var refused: UInt64 = 0

    /// Creates a watch without badges. Values outside of the allowed ranges are brought into them.
    public init(rules: SocialDistanceRules = SocialDistanceRules()) { self.rules = rules.bounded }

    /// Processes the present badges and returns the resulting events, ends before starts, in the order of the pairs.
    /// Call it about once a second by the time of the data.
    ///
    /// A badge with an invalid estimate is near no other. When the clock was set back, all alerts end as `lost` at the
    /// time of the old clock and begin anew.
    ///
    /// - Parameter badges: badges without fixed beacons, each subject once.
    public mutating func update(
        _ badges: [(subject: BeaconID, distance: DistanceEstimate, lastSeenAt: Timestamp)], at time: Timestamp
    ) -> [SocialDistanceEvent] {
        var events: [SocialDistanceEvent] = []
        if now - time > rules.largestDisorder {
            events = end(at: now, reason: .lost)
            now = time
        }
        now = max(now, time)
        let updated = follow(candidates(badges))
        events += followOthers(badges, except: updated)
        events += endThoseApart()
        return events + begin()
    }

    /// Ends all alerts, in the order of the pairs.
    public mutating func endAll(at time: Timestamp) -> [SocialDistanceEvent] {
        end(at: max(now, time), reason: .shutdown)
    }

    private mutating func end(at time: Timestamp, reason: SocialDistanceEvent.EndReason) -> [SocialDistanceEvent] {
        let begun = pairs.filter { $0.value.phase == .begun }.sorted { $0.key < $1.key }
        pairs.removeAll()
        count = 0
        return begun.compactMap { $0.value.ended(at: time, until: time, reason: reason) }
    }

    /// Compares all candidates with each other and returns the tracked pairs.
    private mutating func follow(_ candidates: [Candidate]) -> Set<SocialDistancePair.Key> {
        let candidates = candidates.sorted { $0.badge.subject < $1.badge.subject }
        var updated: Set<SocialDistancePair.Key> = []
        for (index, first) in candidates.enumerated() {
            for second in candidates[(index + 1)...] {
                let probability = first.quantiles.probability(ofDistanceTo: second.quantiles, within: rules.distance)
                let isProbable = probability >= rules.probability
                guard isProbable || !pairs.isEmpty else { continue }
                let key = SocialDistancePair.Key(first.badge.subject, second.badge.subject)
                guard isProbable || pairs[key] != nil else { continue }
                take(.init(first: first.badge, second: second.badge, probability: probability), key)
                updated.insert(key)
            }
        }
        return updated
    }

    private mutating func take(_ sample: SocialDistancePair.Sample, _ key: SocialDistancePair.Key) {
        let isProbable = sample.probability >= rules.probability
        guard let pair = pairs[key] else {
            if isProbable { pairs[key] = SocialDistancePair(sample, at: now) }
            return
        }
        if pair.phase == .beginning {
            // A pair that was not compared for this long may have been anywhere.
            let isLasting = now - pair.updatedAt <= max(rules.hold, .seconds(10))
            guard isProbable, isLasting else {
                pairs[key] = isProbable ? SocialDistancePair(sample, at: now) : nil
                return
            }
        }
        pairs[key]?.take(sample, at: now, release: rules.releaseProbability)
    }

    /// Updates the alerts of badges that are no longer among the nearest, and returns the ends of those with a departed
    /// badge.
    private mutating func followOthers(
        _ badges: [(subject: BeaconID, distance: DistanceEstimate, lastSeenAt: Timestamp)],
        except updated: Set<SocialDistancePair.Key>
    ) -> [SocialDistanceEvent] {
        let others = pairs.keys.filter { !updated.contains($0) }.sorted()
        guard !others.isEmpty else { return [] }
        let involved = Set(others.flatMap { [$0.first, $0.second] })
        var here: [BeaconID: Badge] = [:]
        for badge in badges where involved.contains(badge.subject) {
            // Nearest first, as above.
            if let other = here[badge.subject], other.distance.metres <= badge.distance.metres { continue }
            here[badge.subject] = Badge(badge)
        }
        return others.compactMap { key in
            // Only alerts outlast the comparison, so that memory is bounded.
            guard let pair = pairs[key], pair.phase == .begun else {
                pairs[key] = nil
                return nil
            }
            guard let first = here[key.first], let second = here[key.second] else {
                pairs[key] = nil
                count -= 1
                let gone = [pair.latest.first, pair.latest.second].filter { here[$0.subject] == nil }
                return pair.ended(at: now, until: gone.map(\.lastSeenAt).min(), reason: .departed)
            }
            let probability = MutualDistance.probability(within: rules.distance, first.distance, second.distance)
            var sample = SocialDistancePair.Sample(first: first, second: second, probability: probability)
            // An invalid estimate does not replace a valid one.
            if DistanceQuantiles(first.distance) == nil { sample.first.distance = pair.latest.first.distance }
            if DistanceQuantiles(second.distance) == nil { sample.second.distance = pair.latest.second.distance }
            take(sample, key)
            return nil
        }
    }

    private mutating func endThoseApart() -> [SocialDistanceEvent] {
        let over = pairs.filter { $0.value.isOver(at: now, hold: rules.hold) }.sorted { $0.key < $1.key }
        return over.compactMap { key, pair in
            pairs[key] = nil
            guard pair.phase == .begun else { return nil }
            count -= 1
            return pair.ended(at: now, reason: .apart)
        }
    }

    /// Begins the alerts of pairs that have lasted for long enough, the most probable first while there is room.
    private mutating func begin() -> [SocialDistanceEvent] {
        let ready =
            pairs
            .filter { $0.value.phase == .beginning && $0.value.isReady(at: now, hold: rules.hold) }
            .sorted { left, right in
                let (one, other) = (left.value.latest.probability, right.value.latest.probability)
                return one == other ? left.key < right.key : one > other
            }
        let begun = ready.prefix(rules.mostPairs - count)
        for (key, _) in begun { pairs[key]?.phase = .begun }
        for (key, _) in ready.dropFirst(begun.count) { pairs[key]?.phase = .refused }
        count += begun.count
        refused &+= UInt64(ready.count - begun.count)
        return begun.sorted { $0.key < $1.key }.compactMap { $0.value.started(at: now) }
    }
}

import BeaconModel
import Proximity

/// Comparison of the present badges, once a second, for those that are too near each other. Pure.
struct BadgeComparison: Sendable {
    private var watch: SocialDistanceWatch
    /// Beacons that are mounted in place and not carried.
    private var fixed: Set<BeaconID>
    private var comparedAt = Timestamp.epoch

    /// Interval between comparisons.
    private static let interval: Duration = .seconds(1)

    init(rules: SocialDistanceRules, fixed: Set<BeaconID>) {
        watch = SocialDistanceWatch(rules: rules)
        self.fixed = fixed
    }

    /// Adds beacons that are not badges.
    mutating func exclude(_ beacons: some Sequence<BeaconID>) { fixed.formUnion(beacons) }

    /// Whether a comparison is due.
    func isDue(at time: Timestamp) -> Bool { time - comparedAt >= Self.interval || time < comparedAt }

    /// Compares the badges among the interactions in progress.
    mutating func compare(_ present: [Interaction], at time: Timestamp, into output: inout IngestOutput) {
        comparedAt = time
        let badges = present.compactMap {
            interaction -> (subject: BeaconID, distance: DistanceEstimate, lastSeenAt: Timestamp)? in
            guard case .beacon(let beacon) = interaction.subject, !fixed.contains(beacon),
                let distance = interaction.distance
            else { return nil }
            return (beacon, distance, interaction.lastSeenAt)
        }
        output.alerts += watch.update(badges, at: time)
    }

    /// Ends all alerts.
    mutating func endAll(at time: Timestamp, into output: inout IngestOutput) {
        output.alerts += watch.endAll(at: time)
    }
}

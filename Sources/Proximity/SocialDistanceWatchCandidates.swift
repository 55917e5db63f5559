import BeaconModel
import RealModule

extension SocialDistanceWatch {
    /// A badge that is present.
    struct Badge: Sendable {
        var subject: BeaconID
        var distance: DistanceEstimate
        var lastSeenAt: Timestamp

        init(_ badge: (subject: BeaconID, distance: DistanceEstimate, lastSeenAt: Timestamp)) {
            (subject, distance, lastSeenAt) = badge
        }
    }

    struct Candidate {
        var badge: Badge
        var quantiles: DistanceQuantiles
    }

    /// Returns the badges that are most probably within the distance of the gateway.
    func candidates(
        _ badges: [(subject: BeaconID, distance: DistanceEstimate, lastSeenAt: Timestamp)]
    ) -> [Candidate] {
        let farthest = rules.farthestLowerBound
        let logDistance = Double.log(rules.distance)
        var order: [(score: Double, index: Int)] = []
        for (index, badge) in badges.enumerated() where badge.distance.lower <= farthest {
            // Φ of the score is the probability.
            let score = (logDistance - Double.log(badge.distance.metres)) / max(badge.distance.logDeviation, 1e-9)
            if score.isFinite { order.append((score, index)) }
        }
        order.sort { left, right in
            let (one, other) = (badges[left.index], badges[right.index])
            if left.score != right.score { return left.score > right.score }
            if one.subject != other.subject { return one.subject < other.subject }
            return (one.distance.metres, one.lastSeenAt) < (other.distance.metres, other.lastSeenAt)
        }
        var chosen: [Candidate] = []
        var subjects: Set<BeaconID> = []
        for (_, index) in order where chosen.count < rules.capacity {
            let badge = badges[index]
            guard let quantiles = DistanceQuantiles(badge.distance), subjects.insert(badge.subject).inserted else {
                continue
            }
            chosen.append(Candidate(badge: Badge(badge), quantiles: quantiles))
        }
        return chosen
    }
}

/// How well a number separates those who are within a radius from the others.
enum RankScore {
    /// The area under the ROC curve: the share of pairs of a positive and a negative in which the positive ranks
    /// higher, equal ones counted half. `nil` when a class is empty.
    static func areaUnderCurve(_ samples: [(rank: Double, isPositive: Bool)]) -> Double? {
        let ordered = samples.sorted { $0.rank < $1.rank }
        let positives = ordered.count { $0.isPositive }
        let negatives = ordered.count - positives
        guard positives > 0, negatives > 0 else { return nil }
        var wins = 0.0
        var below = 0
        var start = 0
        while start < ordered.count {
            var end = start
            var tied = (positives: 0, negatives: 0)
            while end < ordered.count, ordered[end].rank == ordered[start].rank {
                if ordered[end].isPositive { tied.positives += 1 } else { tied.negatives += 1 }
                end += 1
            }
            wins += Double(tied.positives) * (Double(below) + Double(tied.negatives) / 2)
            below += tied.negatives
            start = end
        }
        return wins / (Double(positives) * Double(negatives))
    }

    /// The rank from which on to say yes so that the detection cost is least.
    static func bestThreshold(_ samples: [(rank: Double, isPositive: Bool)]) -> Double? {
        let ordered = samples.sorted { $0.rank > $1.rank }
        let positives = Double(ordered.count { $0.isPositive })
        let negatives = Double(ordered.count) - positives
        guard positives > 0, negatives > 0 else { return nil }
        var best = (cost: 1.0, threshold: Double.infinity)
        var missed = positives
        var alarms = 0.0
        for (index, sample) in ordered.enumerated() {
            if sample.isPositive { missed -= 1 } else { alarms += 1 }
            if index + 1 < ordered.count, ordered[index + 1].rank == sample.rank { continue }
            let cost = missed / positives + alarms / negatives
            if cost < best.cost { best = (cost, sample.rank) }
        }
        return best.threshold
    }
}

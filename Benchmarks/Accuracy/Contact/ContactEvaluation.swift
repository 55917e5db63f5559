/// All contact estimators on the windows of one experiment, each fitted on all scenarios of all experiments but the one
/// that it is asked about.
struct ContactEvaluation {
    /// The project's own; `ContactEstimator` says how to add one.
    static let own: [any ContactEstimator] = [OwnContact()]
    static let baselines: [any ContactEstimator] = [
        MeanRSSIBaseline(), CalibratedMeanBaseline(), BaseRateBaseline(), ClosedFormBaseline.independent,
        ClosedFormBaseline.shadowed,
    ]

    /// One estimator at one radius.
    struct Score {
        var name: String
        /// AUC over all scenarios together, and the mean of those within one scenario.
        var area: Double?
        var areaWithin: Double?
        /// AUC of the probability over all scenarios together.
        var areaOfProbability: Double?
        /// Empty of who only ranks.
        var probability = ProbabilityScore()
        /// Of the rank that costs least on the other scenarios.
        var decisions = Decisions()
    }

    /// By radius, as `ContactTruth.radii`: how many windows have a truth, how many of them are contacts, and how many
    /// of the contacts and of the others were heard.
    struct Count: Equatable {
        var windows = 0
        var contacts = 0
        var heardContacts = 0
        var heardOthers = 0
    }

    private(set) var counts: [Count] = []
    private(set) var scores: [[Score]] = []
    private(set) var isHonest: Bool

    /// By estimator, in the order of `own` and `baselines`: the share of median distances that lie in the central
    /// interval of 90 %.
    private(set) var coverage: [(name: String, share: Double)] = []

    /// - Parameters:
    ///   - windows: of one experiment.
    ///   - others: of further experiments with the same phones, to learn from.
    init(_ windows: [ContactWindow], others: [ContactWindow] = []) {
        let folds = Self.folds(windows, others)
        let isHonest = Set((windows + others).map(\.scenario)).count > 1
        self.isHonest = isHonest
        let blind = windows.map(\.blind)
        for index in ContactTruth.radii.indices { counts.append(Self.count(windows, index)) }
        var scores = ContactTruth.radii.map { _ in [Score]() }
        for estimator in Self.own + Self.baselines {
            let fitted = folds.map { fold in
                var copy = estimator
                // With one scenario the project's own rows are of presets alone.
                if isHonest || !estimator.name.hasPrefix("ours") {
                    copy.fit(fold.training.map { windows[$0] } + others)
                }
                return (fold: fold, estimator: copy)
            }
            if let share = Self.coverage(fitted, windows, blind) { coverage.append((estimator.name, share)) }
            for (index, radius) in ContactTruth.radii.enumerated() {
                scores[index].append(Self.score(estimator.name, fitted, windows, blind, index, radius))
            }
        }
        self.scores = scores
    }

    /// The scenarios of `windows`, each with the indices of all others in it.
    private static func folds(
        _ windows: [ContactWindow], _ others: [ContactWindow]
    ) -> [(held: [Int], training: [Int])] {
        let (folds, isHonest) = LeaveOneGroupOut.folds(windows.map(\.scenario))
        // With one scenario here, those of other experiments are enough to learn from.
        return isHonest || others.isEmpty ? folds : folds.map { ($0.held, []) }
    }

    private static func coverage(
        _ fitted: [(fold: (held: [Int], training: [Int]), estimator: any ContactEstimator)],
        _ windows: [ContactWindow], _ blind: [ContactWindow]
    ) -> Double? {
        var hits: [Double] = []
        for (fold, estimator) in fitted {
            for index in fold.held {
                guard let metres = windows[index].medianMetres, let distance = estimator.distance(blind[index]) else {
                    continue
                }
                hits.append(distance.quantile(0.05) <= metres && metres <= distance.quantile(0.95) ? 1 : 0)
            }
        }
        return hits.mean
    }

    private static func count(_ windows: [ContactWindow], _ index: Int) -> Count {
        windows.reduce(into: Count()) { count, window in
            guard let label = window.labels[index] else { return }
            count.windows += 1
            if label { count.contacts += 1 }
            if !window.packets.isEmpty { if label { count.heardContacts += 1 } else { count.heardOthers += 1 } }
        }
    }

    private static func score(
        _ name: String, _ fitted: [(fold: (held: [Int], training: [Int]), estimator: any ContactEstimator)],
        _ windows: [ContactWindow], _ blind: [ContactWindow], _ index: Int, _ radius: Double
    ) -> Score {
        var score = Score(name: name)
        var all: [(rank: Double, isPositive: Bool)] = []
        var within: [Double] = []
        var probable: [(rank: Double, isPositive: Bool)] = []
        for (fold, estimator) in fitted {
            func samples(_ indices: [Int]) -> [(rank: Double, isPositive: Bool)] {
                indices.compactMap { position in
                    windows[position].labels[index].map { (estimator.rank(blind[position], within: radius), $0) }
                }
            }
            let held = samples(fold.held)
            all += held
            if let area = RankScore.areaUnderCurve(held) { within.append(area) }
            if let threshold = RankScore.bestThreshold(samples(fold.training)) {
                for sample in held {
                    // A threshold that says yes to everybody says it to the heard.
                    score.decisions.add(sample.rank >= threshold && sample.rank > -.infinity, truth: sample.isPositive)
                }
            }
            for position in fold.held {
                guard let label = windows[position].labels[index],
                    let probability = estimator.probability(blind[position], within: radius)
                else { continue }
                score.probability.add(probability, label)
                probable.append((probability, label))
            }
        }
        score.area = RankScore.areaUnderCurve(all)
        score.areaWithin = within.mean
        score.areaOfProbability = RankScore.areaUnderCurve(probable)
        return score
    }
}

/// All estimators on the windows of one data set, each fitted without the group that it is asked about.
struct DistanceEvaluation {
    /// The project's own; `DistanceEstimator` says how to add one.
    static let own: [any DistanceEstimator] = [OwnDistance(), PresetDistance()]
    static let baselines: [any DistanceEstimator] = [
        RegressionBaseline(), InversionBaseline(), ConstantBaseline(), LogDistanceTextbook(), AltBeaconCurve(),
        HeraldLinear(),
    ]
    /// Metres at which a threshold of the mean RSSI is scored: those of TC4TL, where 1.2 and 1.8 m stand for 4 and
    /// 6 ft, which are a little more.
    static let costRadii = [(name: 1.2, metres: 1.22), (name: 1.8, metres: 1.83), (name: 3, metres: 3)]

    /// In the order of `own` and `baselines`.
    private(set) var scores: [(name: String, score: DistanceScore)] = []
    /// AUC of the plain median RSSI, at `DistanceScore.rankRadii`.
    private(set) var rawAreas: [Double?]
    /// `P_miss + P_fa` of a threshold of the mean RSSI that is fitted on the other groups, at `costRadii`.
    private(set) var costs: [Double?]
    /// On all windows together.
    private(set) var fit: PathLossFit?
    private(set) var isHonest: Bool

    init(_ windows: [DistanceWindow]) {
        var windows = windows
        SmoothedRSSI.fill(&windows)
        let (folds, isHonest) = LeaveOneGroupOut.folds(windows.map(\.group))
        self.isHonest = isHonest
        fit = PathLossFit(windows.filter(\.metresAreTrusted))
        rawAreas = DistanceScore.rankRadii.map { radius in
            RankScore.areaUnderCurve(windows.map { ($0.medianRSSI, $0.isWithin(radius)) })
        }
        costs = Self.costRadii.map { Self.cost(windows, folds, radius: $0.metres) }
        for estimator in Self.own + Self.baselines {
            var score = DistanceScore()
            for fold in folds {
                var fitted = estimator
                let training = fold.training.map { windows[$0] }.filter(\.metresAreTrusted)
                // With one group the project's own rows are of presets alone.
                if !training.isEmpty, isHonest || !estimator.name.hasPrefix("ours") { fitted.fit(training) }
                for index in fold.held {
                    let blind = windows[index].blind
                    score.add(fitted.posterior(blind), rank: fitted.rank(blind), truth: windows[index])
                }
            }
            scores.append((estimator.name, score))
        }
    }

    private static func cost(
        _ windows: [DistanceWindow], _ folds: [(held: [Int], training: [Int])], radius: Double
    ) -> Double? {
        var decisions = Decisions()
        for fold in folds {
            let samples = fold.training.map { (windows[$0].meanRSSI, windows[$0].isWithin(radius)) }
            guard let threshold = RankScore.bestThreshold(samples) else { return nil }
            for index in fold.held {
                decisions.add(windows[index].meanRSSI >= threshold, truth: windows[index].isWithin(radius))
            }
        }
        return decisions.cost
    }
}

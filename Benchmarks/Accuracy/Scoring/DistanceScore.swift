/// Estimates of one estimator on one data set beside the truth.
struct DistanceScore: Sendable {
    static let rankRadii = [1.5, 2, 3, 6]
    static let probabilityRadii = [2.0, 3, 6]

    private var errors: [Double] = []
    private var ranks: [[(rank: Double, isPositive: Bool)]]
    private var probabilityRanks: [[(rank: Double, isPositive: Bool)]]
    /// By radius, as `probabilityRadii`; empty of an estimator of points.
    private(set) var probabilities: [ProbabilityScore]
    private(set) var decisions: [Decisions]
    private var covered = (central68: 0, central90: 0, of: 0)

    init() {
        ranks = Self.rankRadii.map { _ in [] }
        probabilityRanks = ranks
        probabilities = Self.probabilityRadii.map { _ in ProbabilityScore() }
        decisions = Self.probabilityRadii.map { _ in Decisions() }
    }

    /// - Parameter rank: the higher, the nearer; `nil` of who ranks by probability.
    mutating func add(_ posterior: any Posterior, rank: Double? = nil, truth window: DistanceWindow) {
        let estimate = posterior.median
        for (index, radius) in Self.rankRadii.enumerated() {
            // Points that are far away or certain tie as probabilities; their order is kept by the distance.
            let probability = posterior.isDistribution ? posterior.probability(within: radius) : -estimate
            ranks[index].append((rank ?? probability, window.isWithin(radius)))
            if rank != nil { probabilityRanks[index].append((probability, window.isWithin(radius))) }
        }
        for (index, radius) in Self.probabilityRadii.enumerated() {
            let probability = posterior.probability(within: radius)
            decisions[index].add(probability >= 0.5, truth: window.isWithin(radius))
            if posterior.isDistribution { probabilities[index].add(probability, window.isWithin(radius)) }
        }
        guard window.metresAreTrusted else { return }
        errors.append(abs(estimate - window.metres))
        guard posterior.isDistribution else { return }
        covered.of += 1
        if posterior.quantile(0.16) <= window.metres, window.metres <= posterior.quantile(0.84) {
            covered.central68 += 1
        }
        if posterior.quantile(0.05) <= window.metres, window.metres <= posterior.quantile(0.95) {
            covered.central90 += 1
        }
    }

    /// Metres.
    var meanError: Double? { errors.mean }
    var medianError: Double? { errors.median }
    /// As `rankRadii`; `nil` where a class is empty.
    var areas: [Double?] { ranks.map(RankScore.areaUnderCurve) }
    /// By probability, of who ranks by something else; `nil` of others.
    var areasByProbability: [Double?] { probabilityRanks.map(RankScore.areaUnderCurve) }
    /// The share of the truths in the central interval of 68 % and 90 %.
    var coverage68: Double? { covered.of > 0 ? Double(covered.central68) / Double(covered.of) : nil }
    var coverage90: Double? { covered.of > 0 ? Double(covered.central90) / Double(covered.of) : nil }
}

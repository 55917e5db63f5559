/// How well a method tells contacts: each two people of each day once.
struct MethodScore: Sendable {
    private(set) var hits = 0
    private(set) var alarms = 0
    private(set) var misses = 0
    private(set) var pairs = 0
    private var ranks: [(score: Double, isContact: Bool)] = []
    private var squares = 0.0
    private var bins = [Bin](repeating: Bin(), count: 10)
    private var probabilities = 0

    private struct Bin: Sendable {
        var contacts = 0
        var sum = 0.0
    }

    mutating func add(_ verdict: Verdict, isContact: Bool) {
        pairs += 1
        switch (verdict.isContact, isContact) {
        case (true, true): hits += 1
        case (true, false): alarms += 1
        case (false, true): misses += 1
        case (false, false): break
        }
        ranks.append((verdict.score, isContact))
        guard let probability = verdict.probability.map({ min(max($0, 0), 1) }) else { return }
        probabilities += 1
        let error = probability - (isContact ? 1 : 0)
        squares += error * error
        let bin = min(bins.count - 1, Int(probability * Double(bins.count)))
        bins[bin].contacts += isContact ? 1 : 0
        bins[bin].sum += probability
    }

    var contacts: Int { hits + misses }

    /// The share of pairs that are contacts; `nil` of none.
    var baseRate: Double? { pairs > 0 ? Double(contacts) / Double(pairs) : nil }
    /// The share of the found that is true; `nil` of none.
    var precision: Double? { hits + alarms > 0 ? Double(hits) / Double(hits + alarms) : nil }
    /// The share of the true that is found; `nil` of none.
    var recall: Double? { contacts > 0 ? Double(hits) / Double(contacts) : nil }
    /// `nil` when there is nothing to find.
    var f1: Double? { contacts > 0 ? 2 * Double(hits) / Double(2 * hits + alarms + misses) : nil }

    /// The mean of the precision at each contact when the pairs are taken by their scores, equal ones at once: the sum of
    /// (R_k - R_k-1) P_k. `nil` when there is nothing to find.
    var averagePrecision: Double? {
        guard contacts > 0 else { return nil }
        let ordered = ranks.sorted { $0.score > $1.score }
        var sum = 0.0
        var (taken, found, start) = (0, 0, 0)
        while start < ordered.count {
            var end = start
            var contacts = 0
            while end < ordered.count, ordered[end].score == ordered[start].score {
                contacts += ordered[end].isContact ? 1 : 0
                end += 1
            }
            (taken, found) = (end, found + contacts)
            sum += Double(contacts) * Double(found) / Double(taken)
            start = end
        }
        return sum / Double(contacts)
    }

    /// The mean squared error of the probabilities; `nil` when not every pair has one.
    var brier: Double? { pairs > 0 && probabilities == pairs ? squares / Double(pairs) : nil }

    /// The Brier score of who always says the base rate.
    var baseRateBrier: Double? { baseRate.map { $0 * (1 - $0) } }

    /// The expected calibration error: how far the mean probability of each of ten bins of equal width is from the share
    /// of contacts in it, weighted by the pairs in it. `nil` when not every pair has a probability.
    var calibrationError: Double? {
        guard pairs > 0, probabilities == pairs else { return nil }
        return bins.reduce(0) { $0 + abs($1.sum - Double($1.contacts)) } / Double(pairs)
    }
}

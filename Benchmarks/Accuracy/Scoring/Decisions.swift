/// Yes and no, counted beside the truth.
struct Decisions: Equatable, Sendable {
    private(set) var hits = 0
    private(set) var misses = 0
    private(set) var alarms = 0
    private(set) var rejections = 0

    mutating func add(_ decision: Bool, truth: Bool) {
        switch (decision, truth) {
        case (true, true): hits += 1
        case (false, true): misses += 1
        case (true, false): alarms += 1
        case (false, false): rejections += 1
        }
    }

    /// The share of the decisions for yes that are true; `nil` when there is none.
    var precision: Double? { hits + alarms > 0 ? Double(hits) / Double(hits + alarms) : nil }
    /// The share of the true ones that are found; `nil` when there is none.
    var recall: Double? { hits + misses > 0 ? Double(hits) / Double(hits + misses) : nil }
    /// The detection cost of TC4TL with unit weights, `P_miss + P_fa`; 1 of who always gives the same answer.
    var cost: Double? {
        guard hits + misses > 0, alarms + rejections > 0 else { return nil }
        return Double(misses) / Double(hits + misses) + Double(alarms) / Double(alarms + rejections)
    }
}

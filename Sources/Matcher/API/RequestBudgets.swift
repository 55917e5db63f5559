/// How many requests each client has left: so many a minute, and as many at once.
struct RequestBudgets: Sendable {
    private var budgets: [String: Budget] = [:]
    /// Those of clients that weren't there lately; forgotten with the next change of generation.
    private var older: [String: Budget] = [:]
    private let perMinute: Double
    private let capacity: Int

    private struct Budget {
        var left: Double
        /// Seconds.
        var at: Double
    }

    /// - Parameter capacity: clients that are remembered at least.
    init(perMinute: Int, capacity: Int = 10_000) {
        self.perMinute = Double(perMinute)
        self.capacity = capacity
    }

    /// Clients that are remembered.
    var count: Int { budgets.count + older.count }

    /// Takes one request.
    ///
    /// - Parameter now: seconds of a clock that doesn't jump.
    /// - Returns: `nil`, or after how many seconds there is one again.
    mutating func take(_ client: String, now: Double) -> Int64? {
        var budget = budgets[client] ?? older[client] ?? Budget(left: perMinute, at: now)
        budget.left = min(perMinute, budget.left + max(0, now - budget.at) * perMinute / 60)
        budget.at = now
        defer { remember(budget, client) }
        guard budget.left >= 1 else { return Int64(((1 - budget.left) * 60 / perMinute).rounded(.up)) }
        budget.left -= 1
        return nil
    }

    private mutating func remember(_ budget: Budget, _ client: String) {
        if budgets.count >= capacity, budgets[client] == nil {
            older = budgets
            budgets = [:]
        }
        budgets[client] = budget
    }
}

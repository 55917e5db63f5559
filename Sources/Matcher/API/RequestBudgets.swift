/// How many requests, or other units, each client has left: so many a minute, and as many at once.
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

    /// Takes one request, or as many units as it costs.
    ///
    /// - Parameters:
    ///   - cost: what is there may be half of it only: the rest is taken of what comes.
    ///   - now: seconds of a clock that doesn't jump.
    /// - Returns: `nil`, or after how many seconds there are as many again.
    mutating func take(_ client: String, cost: Int = 1, now: Double) -> Int64? {
        var budget = budgets[client] ?? older[client] ?? Budget(left: perMinute, at: now)
        budget.left = min(perMinute, budget.left + max(0, now - budget.at) * perMinute / 60)
        budget.at = now
        defer { remember(budget, client) }
        // What costs much isn't kept waiting until there is that much, as long as others go on taking little.
        let needed = min(Double(cost), max(1, perMinute / 2))
        guard budget.left >= needed else { return Int64(((needed - budget.left) * 60 / perMinute).rounded(.up)) }
        budget.left -= Double(cost)
        return nil
    }

    /// Gives one request back that turned out not to count.
    mutating func giveBack(_ client: String) {
        guard var budget = budgets[client] ?? older[client] else { return }
        budget.left = min(perMinute, budget.left + 1)
        remember(budget, client)
    }

    private mutating func remember(_ budget: Budget, _ client: String) {
        if budgets.count >= capacity, budgets[client] == nil {
            older = budgets
            budgets = [:]
        }
        budgets[client] = budget
    }
}

/// Remaining requests, or other units, by client. A budget refills at a rate per minute and holds at most one minute's
/// worth.
struct RequestBudgets: Sendable {
    private var budgets: [String: Budget] = [:]
    /// Budgets of clients without recent requests; forgotten with the next change of generation.
    private var older: [String: Budget] = [:]
    private let perMinute: Double
    private let capacity: Int

    private struct Budget {
        var left: Double
        /// Time of the last update, in seconds.
        var at: Double
    }

    /// Creates empty budgets.
    ///
    /// - Parameter capacity: minimum number of clients that are remembered.
    init(perMinute: Int, capacity: Int = 10_000) {
        self.perMinute = Double(perMinute)
        self.capacity = capacity
    }

    /// Number of clients that are remembered.
    var count: Int { budgets.count + older.count }

    /// Takes one request, or as many units as it costs.
    ///
    /// - Parameters:
    ///   - cost: units to take. At most half a minute's budget must be available; the rest is taken from later refills.
    ///   - now: monotonic time in seconds.
    /// - Returns: `nil`, or the number of seconds until enough units are available.
    mutating func take(_ client: String, cost: Int = 1, now: Double) -> Int64? {
        var budget = budgets[client] ?? older[client] ?? Budget(left: perMinute, at: now)
        budget.left = min(perMinute, budget.left + max(0, now - budget.at) * perMinute / 60)
        budget.at = now
        defer { remember(budget, client) }
        // A large request does not have to wait for its full cost while small requests keep the budget low.
        let needed = min(Double(cost), max(1, perMinute / 2))
        guard budget.left >= needed else { return Int64(((needed - budget.left) * 60 / perMinute).rounded(.up)) }
        budget.left -= Double(cost)
        return nil
    }

    /// Gives back one request that turned out not to count.
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

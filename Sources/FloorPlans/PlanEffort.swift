/// Work that a check of plans may still do, so that no file keeps it busy for long.
struct PlanEffort {
    /// Comparisons of two edges, or of an edge with a point, that are left.
    private var left = 200_000_000

    /// Whether a piece of work was refused.
    private(set) var isExhausted = false

    /// Returns whether some comparisons can be done, and takes them from what is left.
    mutating func take(_ comparisons: Int) -> Bool {
        guard comparisons <= left else {
            isExhausted = true
            return false
        }
        left -= comparisons
        return true
    }
}

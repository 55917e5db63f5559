/// Of which days something is stored while the time isn't known, so that nothing is refused for its time. Pure.
///
/// A database has a table for each day, and locks them all when it searches: whoever told of thousands of days would stop it. What
/// one gateway tells keeps nothing of others out.
struct DoubtfulDays {
    private var known: Set<Int64>
    private var byGateway: [String: Set<Int64>] = [:]

    /// Days of one gateway beside those around the machine's own.
    private static let mostOfOne = 40
    private static let most = 600
    /// The machine's clock is rarely off by more, in days.
    private static let near: Int64 = 30

    /// - Parameter known: days of which there is something, since 1970.
    init(known: Set<Int64> = []) { self.known = known }

    /// - Parameters:
    ///   - day: since 1970.
    ///   - today: by the machine's clock.
    mutating func admits(_ day: Int64, of gateway: String, today: Int64) -> Bool {
        if abs(day - today) <= Self.near || known.contains(day) { return true }
        guard known.count < Self.most, byGateway[gateway]?.count ?? 0 < Self.mostOfOne else { return false }
        known.insert(day)
        byGateway[gateway, default: []].insert(day)
        return true
    }
}

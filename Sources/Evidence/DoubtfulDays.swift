/// The days for which data is stored while the time is unknown, when nothing is refused for its time. Pure.
///
/// A database has a table for each day, and locks them all for a search: a gateway that reports thousands of days would
/// stall it. The days of one gateway do not keep out data of others.
package struct DoubtfulDays {
    private var known: Set<Int64>
    private var byGateway: [String: Set<Int64>] = [:]

    /// Maximum number of days of one gateway outside those around the machine's own day.
    private static let mostOfOne = 40
    private static let most = 600
    /// Days by which the machine's clock is rarely off.
    private static let near: Int64 = 30

    /// Creates the set of days.
    ///
    /// - Parameter known: days that already have data, since 1970.
    package init(known: Set<Int64> = []) { self.known = known }

    /// Returns whether data of a day can be stored; if so, the day is remembered.
    ///
    /// - Parameters:
    ///   - day: days since 1970.
    ///   - today: the current day by the machine's clock.
    package mutating func admits(_ day: Int64, of gateway: String, today: Int64) -> Bool {
        if abs(day - today) <= Self.near || known.contains(day) { return true }
        guard known.count < Self.most, byGateway[gateway]?.count ?? 0 < Self.mostOfOne else { return false }
        known.insert(day)
        byGateway[gateway, default: []].insert(day)
        return true
    }
}

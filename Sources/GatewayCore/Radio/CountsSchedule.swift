/// When counts are handed on, and when the operator is told that there are too many subjects. Pure.
struct CountsSchedule: Sendable {
    private var handedOnAt: Duration?
    /// Packets dropped for lack of room that have been reported, and the time of that report.
    private var crowding = (reported: UInt64(0), at: Duration?.none)

    private static let interval: Duration = .milliseconds(200)
    private static let crowdingInterval: Duration = .seconds(3600)

    /// Returns whether counts are due, which count as handed on from then on.
    mutating func isDue(now: Duration) -> Bool {
        guard handedOnAt.map({ now - $0 >= Self.interval }) ?? true else { return false }
        handedOnAt = now
        return true
    }

    /// Returns the packets dropped for lack of room since the last report; `nil` while no report is due.
    ///
    /// - Parameter dropped: all such packets so far.
    mutating func crowdingReport(_ dropped: UInt64, now: Duration) -> UInt64? {
        let new = dropped &- crowding.reported
        guard new > 0, crowding.at.map({ now - $0 >= Self.crowdingInterval }) ?? true else { return nil }
        crowding = (dropped, now)
        return new
    }
}

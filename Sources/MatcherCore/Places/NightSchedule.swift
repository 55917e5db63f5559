package import OperatorText

/// Schedule of the nightly looks at the receivers of buildings: which building is due when. Pure.
package struct NightSchedule: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// Time after a failed look before the building is looked at again.
    package static let backoff: Duration = .seconds(300)
    /// Hour of the day in the site's time zone at which a night begins.
    private static let hour: Int64 = 3

    /// Times of the last looks that failed, by building.
    private var failures: [String: Instant] = [:]

    package init() {}

    /// Returns the number of the night that began last, in days since 1970.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - days: days of the site.
    package static func night(at now: Int64, in days: CalendarDays) -> Int64 { days.day(of: now - hour * 3600) }

    /// Returns the buildings that are due, in the order of their names: those whose last night is an earlier one, and
    /// whose look has not just failed. A clock that was set back by a day makes no night due again.
    ///
    /// - Parameters:
    ///   - buildings: `site/building` of each.
    ///   - done: number of the last night that was done, by building.
    ///   - night: number of the present night.
    package func due(
        _ buildings: some Sequence<String>, done: [String: Int64], night: Int64, at instant: Instant
    ) -> [String] {
        buildings.filter { building in
            if let failure = failures[building], instant < failure + Self.backoff { return false }
            guard let last = done[building] else { return true }
            // A clock that was far ahead counted a later night: it must not prevent all nights until then.
            return last < night || last > night + 1
        }.sorted()
    }

    /// Notes whether a look at a building failed.
    package mutating func note(_ building: String, isFailed: Bool, at instant: Instant) {
        failures[building] = isFailed ? instant : nil
    }
}

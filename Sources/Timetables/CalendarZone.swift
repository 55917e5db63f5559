import CIcal
import OperatorText

/// Time zone of the system (the package tzdata), by its name in the IANA database.
package struct CalendarZone: Hashable, Sendable {
    package let name: String

    package static let form = "the name of a time zone: \"Europe/Berlin\""

    /// Creates a zone; `nil` when the system does not know it.
    package init?(_ name: String) {
        guard (1...64).contains(name.utf8.count),
            CalendarLibrary.use({ icaltimezone_get_builtin_timezone(name) != nil })
        else { return nil }
        self.name = name
    }

    /// Returns a time as local clocks show it: `2026-10-20 10:00`.
    ///
    /// - Parameter seconds: seconds since 1970.
    package func text(_ seconds: Int64) -> String {
        let shown = min(max(seconds, 0), Self.latest)
        let local = CalendarLibrary.use {
            pointer.map { beacon_ical_local(shown, $0) } ?? shown
        }
        return Self.minutes(local)
    }

    /// Returns a time in the same form in UTC, for sites without a configured zone.
    package static func utc(_ seconds: Int64) -> String { minutes(min(max(seconds, 0), latest)) + "Z" }

    private static func minutes(_ seconds: Int64) -> String {
        let text = InstantText.utc(seconds)
        return text.prefix(10) + " " + text.dropFirst(11).prefix(5)
    }

    /// End of the year 2200.
    private static let latest: Int64 = 7_289_654_399

    /// Zone in libical; valid only while the library is in use.
    package var pointer: OpaquePointer? { icaltimezone_get_builtin_timezone(name) }
}

import CIcal
import OperatorText

/// A time zone of the system (the package tzdata), by its name in the IANA database.
package struct CalendarZone: Hashable, Sendable {
    package let name: String

    package static let form = "the name of a time zone: \"Europe/Berlin\""

    /// `nil` for a zone that the system doesn't know.
    package init?(_ name: String) {
        guard (1...64).contains(name.utf8.count),
            CalendarLibrary.use({ icaltimezone_get_builtin_timezone(name) != nil })
        else { return nil }
        self.name = name
    }

    /// As clocks there show it: `2026-10-20 10:00`.
    ///
    /// - Parameter seconds: since 1970.
    package func text(_ seconds: Int64) -> String {
        let shown = min(max(seconds, 0), Self.latest)
        let local = CalendarLibrary.use {
            pointer.map { beacon_ical_local(shown, $0) } ?? shown
        }
        return Self.minutes(local)
    }

    /// The same in UTC, for those who say no zone.
    package static func utc(_ seconds: Int64) -> String { minutes(min(max(seconds, 0), latest)) + "Z" }

    private static func minutes(_ seconds: Int64) -> String {
        let text = InstantText.utc(seconds)
        return text.prefix(10) + " " + text.dropFirst(11).prefix(5)
    }

    /// The end of 2200.
    private static let latest: Int64 = 7_289_654_399

    /// While the library is used.
    package var pointer: OpaquePointer? { icaltimezone_get_builtin_timezone(name) }
}

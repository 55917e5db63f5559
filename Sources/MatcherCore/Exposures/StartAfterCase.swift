package import BeaconModel
package import OperatorText

/// Requested time that begins after contacts of the positive case cease to count.
package struct StartAfterCase: OperatorError {
    /// Beginning of the search, in seconds since 1970; `until` is the end of the time that counts.
    package var from: Int64
    package var until: Int64
    /// Calendar days of the site.
    package var days: CalendarDays

    package init(from: Int64, until: Int64, days: CalendarDays) {
        self.from = from
        self.until = until
        self.days = days
    }

    package var what: String {
        "contacts of this case count until \(days.text(until)), but the search starts at \(days.text(from)) "
            + "\(days.name)"
    }
    package var meaning: String? { "no contacts can be found" }
    package var remedy: String? { "correct the day of the test or of the onset, or specify an earlier --from" }
    package var exitStatus: ExitStatus { .usage }
}

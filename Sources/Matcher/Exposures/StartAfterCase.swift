import BeaconModel
import OperatorText

/// Requested time that begins after contacts of the positive case cease to count.
struct StartAfterCase: OperatorError {
    /// Beginning of the search, in seconds since 1970; `until` is the end of the time that counts.
    var from: Int64
    var until: Int64
    /// Calendar days of the site.
    var days: CalendarDays

    var what: String {
        "contacts of this case count until \(days.text(until)), and are looked for since \(days.text(from)) \(days.name)"
    }
    var meaning: String? { "nobody could be found" }
    var remedy: String? { "correct the day of the test or of the onset, or begin earlier with --from" }
    var exitStatus: ExitStatus { .usage }
}

import BeaconModel
import OperatorText

/// The time that is asked for begins when contacts of the positive don't count any more.
struct StartAfterCase: OperatorError {
    /// Seconds since 1970.
    var from: Int64
    var until: Int64
    /// The site's.
    var days: CalendarDays

    var what: String {
        "contacts of this case count until \(days.text(until)), and are looked for since \(days.text(from)) \(days.name)"
    }
    var meaning: String? { "nobody could be found" }
    var remedy: String? { "correct the day of the test or of the onset, or begin earlier with --from" }
    var exitStatus: ExitStatus { .usage }
}

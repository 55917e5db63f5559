import BeaconModel
import OperatorText

/// The time that is asked for begins when contacts of the positive don't count any more.
struct StartAfterCase: OperatorError {
    /// Seconds since 1970.
    var from: Int64
    var until: Int64

    var what: String {
        "what is asked for begins at \(InstantText.utc(from)), after the time in which contacts of this case count, which "
            + "ends at \(InstantText.utc(until))"
    }
    var meaning: String? { "nobody could be found" }
    var remedy: String? { "correct the day of the test or of the onset, or begin earlier" }
    var exitStatus: ExitStatus { .usage }
}

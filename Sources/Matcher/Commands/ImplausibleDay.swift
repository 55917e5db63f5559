import BeaconModel
import MatcherCore

/// Day on the command line from which nothing can follow.
struct ImplausibleDay: OperatorError, Equatable {
    var what: String
    var meaning: String?
    var remedy: String?
    var exitStatus: ExitStatus { .usage }

    init(_ mistake: CaseDays.Mistake, timeZone: String) {
        let option = mistake.key == .onset ? "--onset" : "--test-date"
        what = "\(option) \(mistake.found); \(mistake.allowed)"
        meaning = "no exposures could follow, which would look as if nobody had been exposed"
        remedy = "check the year, the month and the day; days are in the time zone \(timeZone)"
    }
}

package import BeaconModel

/// Day of a positive case from which nothing can follow.
package struct ImplausibleDay: OperatorError, Equatable {
    package var mistake: CaseDays.Mistake
    package var what: String
    package var meaning: String?
    package var remedy: String?
    package var exitStatus: ExitStatus { .usage }

    package init(_ mistake: CaseDays.Mistake, timeZone: String) {
        let option = mistake.key == .onset ? "--onset" : "--test-date"
        self.mistake = mistake
        what = "\(option) \(mistake.found); \(mistake.allowed)"
        meaning = "no exposures could follow, which would look as if nobody had been exposed"
        remedy = "check the year, the month and the day; days are in the time zone \(timeZone)"
    }
}

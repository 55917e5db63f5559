/// Who may try codes of enrolment how often, so that nobody guesses one. Pure.
///
/// Only what fails counts: where a whole building is one address, all of it may enrol in a morning.
struct EnrolmentTries: Sendable {
    private var addresses = RequestBudgets(perMinute: EnrolmentTries.perAddress)
    private var all = RequestBudgets(perMinute: EnrolmentTries.inAll, capacity: 1)

    /// Failures in a minute, of one address.
    static let perAddress = 30
    /// Failures in a minute, of everybody together. Ten addresses that guess keep others from enrolling, and no longer than
    /// they go on.
    static let inAll = 300

    /// Takes a try.
    ///
    /// - Parameter now: seconds of a clock that doesn't jump.
    /// - Returns: `nil`, or after how many seconds there is one.
    mutating func take(_ address: String, now: Double) -> Int64? {
        if let seconds = addresses.take(address, now: now) { return seconds }
        guard let seconds = all.take("", now: now) else { return nil }
        addresses.giveBack(address)
        return seconds
    }

    /// The code was good.
    mutating func succeeded(_ address: String) {
        addresses.giveBack(address)
        all.giveBack("")
    }
}

/// Limits on failed attempts to enrol, so that no code can be guessed. Pure.
///
/// Only failures count: a whole building behind one address can enrol in a morning.
package struct EnrolmentTries: Sendable {
    private var addresses = RequestBudgets(perMinute: EnrolmentTries.perAddress)
    private var all = RequestBudgets(perMinute: EnrolmentTries.inAll, capacity: 1)

    package init() {}

    /// Maximum number of failures per minute and address.
    package static let perAddress = 30
    /// Maximum number of failures per minute of all addresses together. Ten addresses that guess prevent enrolment, but
    /// only while they continue.
    package static let inAll = 300

    /// Takes an attempt.
    ///
    /// - Parameter now: monotonic time.
    /// - Returns: `nil`, or the number of seconds until the next attempt.
    package mutating func take(_ address: String, now: Duration) -> Int64? {
        if let seconds = addresses.take(address, now: now) { return seconds }
        guard let seconds = all.take("", now: now) else { return nil }
        addresses.giveBack(address)
        return seconds
    }

    /// Gives the attempt back after a valid code.
    package mutating func succeeded(_ address: String) {
        addresses.giveBack(address)
        all.giveBack("")
    }
}

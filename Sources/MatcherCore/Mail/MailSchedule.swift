/// Schedule of e-mails: when a failed one is tried again, and when it is given up. Pure.
package enum MailSchedule {
    /// Seconds after which an e-mail is given up: a letter is better then.
    package static let lifetime: Int64 = 3 * 86_400
    /// Seconds until the second try. Each later pause is twice as long.
    package static let shortest: Int64 = 60
    package static let longest: Int64 = 2 * 3600

    /// Returns when an e-mail is tried again, in seconds since 1970.
    ///
    /// - Parameter tries: number of tries so far.
    package static func next(after tries: Int, now: Int64) -> Int64 {
        now + min(longest, shortest << Int64(min(max(tries, 1) - 1, 20)))
    }

    /// Whether an e-mail is given up.
    ///
    /// - Parameter created: when it was ordered, in seconds since 1970.
    package static func isOver(created: Int64, now: Int64) -> Bool { now - created >= lifetime }
}

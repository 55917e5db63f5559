/// A connection that ended without a reason code of the protocol, and what is known about it.
package struct LostConnection: Equatable, Sendable {
    /// The reason that the system or the library reports.
    package var reason: String
    package var after: Duration
    /// Whether the broker had acknowledged anything.
    package var wasAnswered: Bool
    /// Number of consecutive connections, including this one, that ended equally early: before an acknowledgement, or
    /// within `ConnectionHistory.brief` after one.
    package var inARow: Int

    package init(reason: String, after: Duration, wasAnswered: Bool, inARow: Int) {
        self.reason = reason
        self.after = after
        self.wasAnswered = wasAnswered
        self.inARow = inARow
    }

    /// The duration rounded to tenths of a second, for display.
    package var shownTime: String {
        let tenths = after.components.seconds * 10 + after.components.attoseconds / 100_000_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) s"
    }
}

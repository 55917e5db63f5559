/// A connection that ended without a reason of the protocol, and what is known of it.
package struct LostConnection: Equatable, Sendable {
    /// The reason that the system or the library gives.
    package var reason: String
    package var after: Duration
    /// Whether the broker had acknowledged something.
    package var wasAnswered: Bool
    /// With this one, connections in a row that ended as soon: before an acknowledgement, or within
    /// `ConnectionHistory.brief` after some.
    package var inARow: Int

    package init(reason: String, after: Duration, wasAnswered: Bool, inARow: Int) {
        self.reason = reason
        self.after = after
        self.wasAnswered = wasAnswered
        self.inARow = inARow
    }

    /// Rounded to tenths of a second, which is what people read.
    package var shownTime: String {
        let tenths = after.components.seconds * 10 + after.components.attoseconds / 100_000_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) s"
    }
}

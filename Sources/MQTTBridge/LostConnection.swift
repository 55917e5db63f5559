/// A connection that ended without a reason of the protocol, and what is known of it.
public struct LostConnection: Equatable, Sendable {
    /// The reason that the system or the library gives.
    public var reason: String
    public var after: Duration
    /// Whether the broker had acknowledged something.
    public var wasAnswered: Bool
    /// With this one, connections in a row that ended as soon: before an acknowledgement, or within
    /// `ConnectionHistory.brief` after some.
    public var inARow: Int

    /// Rounded to tenths of a second, which is what people read.
    var shownTime: String {
        let tenths = after.components.seconds * 10 + after.components.attoseconds / 100_000_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) s"
    }
}

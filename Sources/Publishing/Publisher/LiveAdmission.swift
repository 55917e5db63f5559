/// Decides whether a message that is worthless when it is late is handed to a connection.
///
/// libmosquitto queues messages for a socket that takes nothing, without a limit, and sends them when the network
/// recovers. A connection that always has something to write is therefore given no such messages. A short backlog is
/// normal: messages wait until the network thread wakes.
package struct LiveAdmission: Equatable, Sendable {
    package static let patience: Duration = .seconds(1)

    /// Time since which each message has found a backlog.
    private var blockedSince: ContinuousClock.Instant?

    package init() {}

    /// Whether a message is handed over now.
    ///
    /// - Parameter hasBacklog: whether the connection has something to write.
    package mutating func admits(hasBacklog: Bool, at now: ContinuousClock.Instant) -> Bool {
        guard hasBacklog else {
            blockedSince = nil
            return true
        }
        let since = blockedSince ?? now
        blockedSince = since
        return now - since < Self.patience
    }
}

import SystemIO

/// Room for event streams of all kinds. Each keeps a connection, so without a common limit streams could take all of
/// them, and nobody could ask anything any more.
final class StreamRoom: Sendable {
    /// Number of connections that streams leave for requests.
    static let reserve = 212
    /// Maximum number of streams. Each kind has a smaller limit of its own.
    static let most = APIServer.usualConnections - reserve

    private let taken = LockedValue(0)

    /// Takes a place, which must be given back.
    ///
    /// - Returns: whether there was one.
    func take() -> Bool {
        taken.withLock { taken in
            guard taken < Self.most else { return false }
            taken += 1
            return true
        }
    }

    func giveBack() { taken.withLock { $0 -= 1 } }
}

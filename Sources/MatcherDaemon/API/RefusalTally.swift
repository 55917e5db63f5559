/// Selection of refusals to log: one line a minute for each client, and a maximum per minute for all. Pure.
///
/// Otherwise a client with many addresses could fill the log. Omitted refusals are counted and reported with the next
/// line.
struct RefusalTally: Sendable {
    struct Line: Equatable, Sendable {
        /// Omitted refusals of the same client since its previous line.
        var leftOut: Int
        /// Omitted refusals of clients without a line of their own, since the previous line of any client.
        var leftOutOfOthers: Int
    }

    private struct Client {
        /// Time of the last line, in seconds.
        var saidAt: Double
        var leftOut = 0
    }

    static let mostAMinute = 60
    private static let mostClients = 1000
    /// Length of the window, in seconds.
    private static let window = 60.0

    private var clients: [String: Client] = [:]
    private var windowBegan = -Double.infinity
    private var said = 0
    private var leftOutOfOthers = 0

    /// Counts a refusal and decides whether to log it.
    ///
    /// - Parameter now: monotonic time in seconds.
    /// - Returns: the line to log; `nil` if the refusal is only counted.
    mutating func refused(_ client: String, now: Double) -> Line? {
        if let known = clients[client], now - known.saidAt < Self.window {
            clients[client]?.leftOut += 1
            return nil
        }
        if now - windowBegan >= Self.window {
            windowBegan = now
            said = 0
        }
        guard said < Self.mostAMinute else {
            leftOutOfOthers += 1
            return nil
        }
        said += 1
        let leftOut = clients[client]?.leftOut ?? 0
        clients[client] = Client(saidAt: now)
        if clients.count > Self.mostClients { forget(now) }
        defer { leftOutOfOthers = 0 }
        return Line(leftOut: leftOut, leftOutOfOthers: leftOutOfOthers)
    }

    /// Number of clients that are remembered.
    var count: Int { clients.count }

    private mutating func forget(_ now: Double) {
        let old = clients.filter { now - $0.value.saidAt >= Self.window }
        leftOutOfOthers += old.values.reduce(0) { $0 + $1.leftOut }
        for client in old.keys { clients[client] = nil }
    }
}

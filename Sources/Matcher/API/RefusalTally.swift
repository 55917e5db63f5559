/// Which refusals are worth a line of the log: one a minute of each client, and so many a minute of all. Pure.
///
/// Whoever has many addresses could fill the log otherwise. What is left out is counted, and said with the next line.
struct RefusalTally: Sendable {
    struct Line: Equatable, Sendable {
        /// Refusals of the same client since the line before.
        var leftOut: Int
        /// Refusals of clients that had no line of their own, since the last line of anybody.
        var leftOutOfOthers: Int
    }

    private struct Client {
        /// Seconds.
        var saidAt: Double
        var leftOut = 0
    }

    static let mostAMinute = 60
    private static let mostClients = 1000
    /// Seconds.
    private static let window = 60.0

    private var clients: [String: Client] = [:]
    private var windowBegan = -Double.infinity
    private var said = 0
    private var leftOutOfOthers = 0

    /// - Parameter now: seconds of a clock that doesn't jump.
    /// - Returns: what to say; `nil` when the refusal is only counted.
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

    /// Clients that are remembered.
    var count: Int { clients.count }

    private mutating func forget(_ now: Double) {
        let old = clients.filter { now - $0.value.saidAt >= Self.window }
        leftOutOfOthers += old.values.reduce(0) { $0 + $1.leftOut }
        for client in old.keys { clients[client] = nil }
    }
}

/// Limits of open connections, per client and in total. Pure.
///
/// A full server accepts a new connection in place of one that it is not answering. It chooses the client with the most
/// connections, so that a client that fills the server makes room at its own cost. Of that client's connections it
/// closes first an idle one, then one with an incomplete header, then one with an incomplete body, then one that does
/// not take its answer; of each kind, the one that has been in this stage longest.
struct ConnectionLimits: Sendable {
    /// Stage of a connection. The first stages are given up first.
    enum Stage: Int, Sendable {
        /// Idle between requests.
        case idle
        /// Receiving a request's header, or just opened.
        case header
        case body
        /// The client does not take its answer.
        case stalled
        /// Being answered; never given up.
        case answer
    }

    enum Opening: Equatable, Sendable {
        /// The new connection must be closed.
        case refused
        case taken
        /// Accepted in place of another connection, which must be closed and no longer counts.
        case takenInPlace(of: UInt64)
    }

    private struct Connection {
        var client: String
        var stage: Stage
        /// Serial number of the last change; a smaller one is older.
        var since: UInt64
    }

    private var connections: [UInt64: Connection] = [:]
    private var counts: [String: Int] = [:]
    private var changes: UInt64 = 0
    /// Maximum number of connections for one client: an address, or a network of IPv6.
    let mostOfOne: Int
    let mostOfAll: Int

    init(mostOfOne: Int, mostOfAll: Int) {
        self.mostOfOne = mostOfOne
        self.mostOfAll = mostOfAll
    }

    /// Number of open connections.
    var count: Int { connections.count }
    /// Number of clients with a connection.
    var clients: Int { counts.count }

    /// Registers a new connection. If it is accepted, `closed` must be called when it ends.
    mutating func opened(_ id: UInt64, by client: String) -> Opening {
        guard counts[client, default: 0] < mostOfOne else { return .refused }
        var opening = Opening.taken
        if connections.count >= mostOfAll {
            guard let given = expendable else { return .refused }
            closed(given)
            opening = .takenInPlace(of: given)
        }
        changes += 1
        connections[id] = Connection(client: client, stage: .header, since: changes)
        counts[client, default: 0] += 1
        return opening
    }

    mutating func moved(_ id: UInt64, to stage: Stage) {
        guard let connection = connections[id], connection.stage != stage else { return }
        changes += 1
        connections[id] = Connection(client: connection.client, stage: stage, since: changes)
    }

    /// Removes a connection. Does nothing for a connection that no longer counts.
    mutating func closed(_ id: UInt64) {
        guard let client = connections.removeValue(forKey: id)?.client, let count = counts[client] else { return }
        counts[client] = count > 1 ? count - 1 : nil
    }

    private var expendable: UInt64? {
        connections.lazy.filter { $0.value.stage != .answer }.min { rank($0.value) < rank($1.value) }?.key
    }

    private func rank(_ connection: Connection) -> (Int, Int, UInt64) {
        (-counts[connection.client, default: 0], connection.stage.rawValue, connection.since)
    }
}

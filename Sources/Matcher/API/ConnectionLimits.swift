/// Which connections may be open: so many of one client, and so many in all. Pure.
///
/// A server that is full takes a new connection in place of one that it isn't answering: one of the client that has the most,
/// so that whoever fills the server makes room at their own cost; and of that client's first one that is idle, then one
/// whose header isn't complete, then one whose body isn't, then one that doesn't take what it is answered, of each kind the
/// one that has been so for the longest time.
struct ConnectionLimits: Sendable {
    /// What a connection is at, the first to be given up first.
    enum Stage: Int, Sendable {
        /// Between requests.
        case idle
        /// A request's header began, or the connection did.
        case header
        case body
        /// The other side doesn't take what it is answered.
        case stalled
        /// Never given up.
        case answer
    }

    enum Opening: Equatable, Sendable {
        /// It is to be closed.
        case refused
        case taken
        /// That one is to be closed, and no longer counts.
        case takenInPlace(of: UInt64)
    }

    private struct Connection {
        var client: String
        var stage: Stage
        /// Counts changes; the smaller the longer ago.
        var since: UInt64
    }

    private var connections: [UInt64: Connection] = [:]
    private var counts: [String: Int] = [:]
    private var changes: UInt64 = 0
    /// Of one client: an address, or a network of IPv6.
    let mostOfOne: Int
    let mostOfAll: Int

    init(mostOfOne: Int, mostOfAll: Int) {
        self.mostOfOne = mostOfOne
        self.mostOfAll = mostOfAll
    }

    /// Connections that are open.
    var count: Int { connections.count }
    /// Clients that have a connection.
    var clients: Int { counts.count }

    /// A connection began; when it is taken, `closed` is to be called when it ends.
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

    /// Changes nothing for a connection that no longer counts.
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

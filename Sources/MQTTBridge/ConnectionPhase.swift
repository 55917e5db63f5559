/// The phase of a connection, and what its owner wants of it.
enum ConnectionPhase: Equatable, Sendable {
    /// The connection attempt is running. Nothing can interrupt it.
    case connecting(Intent)
    /// The thread serves the socket, and the broker has not accepted the connection. The descriptor is negative if the
    /// attempt failed.
    case open(socket: Int32, Intent)
    case accepted(socket: Int32, Intent)
    case ended

    /// The state that a connection is to reach.
    enum Intent: Sendable {
        case stay
        /// To send DISCONNECT, so that the broker does not publish the will.
        case leave
        /// To end without waiting for the network.
        case abandon
    }

    var intent: Intent {
        switch self {
        case .connecting(let intent), .open(_, let intent), .accepted(_, let intent): intent
        case .ended: .abandon
        }
    }

    var isConnecting: Bool {
        if case .connecting = self { true } else { false }
    }

    var isAccepted: Bool {
        if case .accepted = self { true } else { false }
    }

    /// The descriptor of the socket while the thread serves it; otherwise -1.
    var socket: Int32 {
        switch self {
        case .open(let socket, _), .accepted(let socket, _): socket
        case .connecting, .ended: -1
        }
    }

    /// Records that the connection attempt is over.
    ///
    /// - Parameter socket: the descriptor; negative if the attempt failed.
    mutating func opened(_ socket: Int32) { self = .open(socket: socket, intent) }

    /// Records that the broker has accepted the connection.
    ///
    /// - Returns: whether it does so for the first time.
    mutating func accept() -> Bool {
        guard case .open(let socket, let intent) = self else { return false }
        self = .accepted(socket: socket, intent)
        return true
    }

    /// Sets what is wanted. A connection that was abandoned stays so.
    mutating func want(_ new: Intent) {
        guard intent != .abandon else { return }
        switch self {
        case .connecting: self = .connecting(new)
        case .open(let socket, _): self = .open(socket: socket, new)
        case .accepted(let socket, _): self = .accepted(socket: socket, new)
        case .ended: break
        }
    }
}

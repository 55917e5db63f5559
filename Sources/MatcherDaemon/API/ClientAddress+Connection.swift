import NIOCore

extension ClientAddress {
    /// Returns the address of a connection's other side.
    static func of(_ peer: SocketAddress?) -> String {
        guard let peer else { return "unknown" }
        if case .unixDomainSocket = peer { return local }
        return peer.ipAddress ?? "unknown"
    }
}

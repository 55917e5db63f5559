import Glibc

/// Detects a network that takes nothing: the kernel has sent data again, and again, without an answer.
///
/// What is written meanwhile waits in the kernel and is sent when the network recovers, however late that is.
enum SocketStall {
    /// Number of unanswered retransmissions from which a connection counts as stalled. The second comes about 0.6 s
    /// after the data (RFC 6298).
    private static let fewestRetransmissions: UInt8 = 2

    /// Whether the connection is stalled; `false` for a descriptor that is no TCP connection.
    static func isStalled(_ socket: Int32) -> Bool {
        guard socket >= 0 else { return false }
        var info = tcp_info()
        var size = socklen_t(MemoryLayout<tcp_info>.size)
        guard getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &info, &size) == 0 else { return false }
        return info.tcpi_retransmits >= fewestRetransmissions
    }
}

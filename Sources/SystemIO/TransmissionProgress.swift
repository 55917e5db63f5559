import Glibc

/// How far the kernel has got with what was written to a TCP socket.
package struct TransmissionProgress: Equatable, Sendable {
    /// Bytes that the other end has confirmed since the connection began.
    package var confirmed: UInt64
    /// Whether there are bytes that it hasn't.
    package var isSending: Bool
    /// Whether the connection is gone: by a reset, if this end didn't close it.
    package var isGone: Bool

    /// - Parameter socket: a TCP socket.
    /// - Returns: `nil` for another descriptor, or a kernel before Linux 4.6.
    package init?(socket: CInt) {
        // `struct tcp_info` as the kernel defines it, which only ever grows at its end; glibc's ends before these fields.
        let (state, unacknowledged, bytesAcknowledged, bytesUnsent) = (0, 24, 120, 144)
        // TCP_CLOSE. A connection that the other end has closed in order is in TCP_CLOSE_WAIT.
        let closed: UInt8 = 7
        var info = [UInt8](repeating: 0, count: 256)
        var length = socklen_t(info.count)
        guard getsockopt(socket, CInt(IPPROTO_TCP), TCP_INFO, &info, &length) == 0, length >= bytesUnsent + 4 else {
            return nil
        }
        isGone = info[state] == closed
        (confirmed, isSending) = info.withUnsafeBytes { info in
            (
                info.loadUnaligned(fromByteOffset: bytesAcknowledged, as: UInt64.self),
                info.loadUnaligned(fromByteOffset: unacknowledged, as: UInt32.self) > 0
                    || info.loadUnaligned(fromByteOffset: bytesUnsent, as: UInt32.self) > 0
            )
        }
    }
}

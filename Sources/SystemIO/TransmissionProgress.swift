import Glibc

/// The kernel's progress in transmitting the data written to a TCP socket.
package struct TransmissionProgress: Equatable, Sendable {
    /// Number of bytes acknowledged by the peer since the connection began.
    package var confirmed: UInt64
    /// Whether there are bytes that the peer has not acknowledged.
    package var isSending: Bool
    /// Whether the connection is closed: by a reset, if this end did not close it.
    package var isGone: Bool

    /// Reads the progress of a socket.
    ///
    /// - Parameter socket: a TCP socket.
    /// - Returns: `nil` for another kind of descriptor, or a kernel before Linux 4.6.
    package init?(socket: CInt) {
        // Offsets in `struct tcp_info` as the kernel defines it. The structure only grows at its end; glibc's version
        // ends before these fields.
        let (state, unacknowledged, bytesAcknowledged, bytesUnsent) = (0, 24, 120, 144)
        // TCP_CLOSE. A connection that the peer has closed in order is in TCP_CLOSE_WAIT.
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

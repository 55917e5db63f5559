import Glibc
package import NIOCore
import OperatorText

/// Client to which a request is charged.
package enum ClientAddress {
    /// Address of everybody who connects to a Unix socket.
    package static let local = "local"

    /// Returns the address of a connection's other side.
    package static func of(_ peer: SocketAddress?) -> String {
        guard let peer else { return "unknown" }
        if case .unixDomainSocket = peer { return local }
        return peer.ipAddress ?? "unknown"
    }

    /// Returns an address in normal form; for IPv6 its network of 64 bits.
    package static func network(of address: String) -> String {
        var octets = [UInt8](repeating: 0, count: 16)
        // Without the name of an interface.
        guard inet_pton(AF_INET6, String(address.prefix { $0 != "%" }), &octets) == 1 else { return address }
        // An IPv4 address that arrived through an IPv6 socket.
        if octets.prefix(12).elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
            return octets.suffix(4).map { String($0) }.joined(separator: ".")
        }
        return HexadecimalText.of(octets.prefix(8)) + "::/64"
    }
}

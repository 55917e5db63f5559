import Glibc
import NIOCore

extension PeerCredentials {
    /// Structure `ucred` of the kernel (socket(7)).
    private struct Credentials: Sendable {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    /// Room for supplementary groups. The kernel refuses to tell them if there are more.
    private typealias Groups = InlineArray<1024, UInt32>

    /// `SO_PEERGROUPS` of the kernel, which glibc does not declare.
    private static let peerGroups: CInt = 59

    /// Returns the process at the other end of a connection; `nil` if the connection is none of a Unix socket.
    static func of(_ channel: any Channel) async -> PeerCredentials? {
        guard case .unixDomainSocket? = channel.localAddress,
            let found = await option(SO_PEERCRED, of: channel, as: Credentials.self), found.process != 0
        else { return nil }
        var groups: Set<UInt32> = [found.group]
        if let further = await option(peerGroups, of: channel, as: Groups.self) {
            // The rest of the room is zero, so a supplementary group 0 is not seen.
            for index in further.indices where further[index] != 0 { groups.insert(further[index]) }
        }
        return PeerCredentials(process: found.process, user: found.user, groups: groups)
    }

    private static func option<Value: Sendable & BitwiseCopyable>(
        _ name: CInt, of channel: any Channel, as type: Value.Type
    ) async -> Value? {
        guard let provider = channel as? any SocketOptionProvider else { return nil }
        do {
            let value: Value = try await provider.unsafeGetSocketOption(
                level: SocketOptionLevel(SOL_SOCKET), name: SocketOptionName(name)
            ).get()
            return value
        } catch {
            return nil
        }
    }
}

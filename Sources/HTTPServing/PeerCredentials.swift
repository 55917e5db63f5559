import Glibc

/// The process at the other end of a Unix socket, as the kernel knew it when it connected.
package struct PeerCredentials: Equatable, Sendable {
    package var process: Int32
    package var user: UInt32
    /// All groups of the process.
    package var groups: Set<UInt32>

    package init(process: Int32, user: UInt32, groups: Set<UInt32>) {
        self.process = process
        self.user = user
        self.groups = groups
    }
}

/// Who can use a Unix socket: root, the user who made it, and its group.
///
/// The permissions of the file say the same. They can be changed, and a connection can be passed on to another process.
package struct SocketAccess: Equatable, Sendable {
    package var owner: UInt32
    package var group: UInt32

    package init(owner: UInt32, group: UInt32) {
        self.owner = owner
        self.group = group
    }

    /// Returns who can use the socket at a path; `nil` if there is no file.
    package static func of(_ path: String) -> SocketAccess? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return SocketAccess(owner: status.st_uid, group: status.st_gid)
    }

    package func admits(_ peer: PeerCredentials?) -> Bool {
        guard let peer else { return false }
        return peer.user == 0 || peer.user == owner || peer.groups.contains(group)
    }
}

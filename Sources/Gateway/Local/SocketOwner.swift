import Glibc

/// Who is allowed to connect to a local socket, for a user who is not.
struct SocketOwner {
    var path: String
    /// Name of the group that is allowed; `nil` if that cannot be seen, or if only root is allowed.
    var group: String?

    init(of path: String) {
        self.path = path
        var status = stat()
        if lstat(path, &status) != 0 {
            // The directory hides the socket from others, and is of the same group.
            let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            guard stat(directory, &status) == 0, status.st_mode & S_IXGRP != 0 else { return }
        }
        // Nobody should join root's group for this.
        guard status.st_gid != 0 else { return }
        if let entry = getgrgid(status.st_gid), let name = entry.pointee.gr_name {
            group = String(cString: name)
        } else {
            group = "\(status.st_gid)"
        }
    }

    var remedy: String {
        guard let group else { return "use sudo, or run the command as the user of the gateway" }
        return "use sudo, or join the group \(group) and log in again: sudo usermod -aG \(group) $USER"
    }
}

import OperatorText
import SystemIO

/// Checks of the permissions of files with secrets. Pure.
enum SecretFilePermissions {
    /// Mode bits that a file must not have. Reading by the group is allowed, because services get their keys that way:
    /// root:beacon-gateway, 0640.
    private static let refused: UInt32 = 0o026
    /// Mode bits that a directory must not have. A user who can write to a directory can replace a file in it that they
    /// may not write to.
    private static let refusedOfDirectory: UInt32 = 0o022

    /// - Parameter user: the number of the user who reads the file.
    /// - Returns: the objection to the file's permissions; `nil` if there is none.
    static func objection(to access: FileAccess, path: String, user: UInt32) -> SecretAccess.Objection? {
        let mode = access.mode
        if mode & refused != 0 {
            let who = mode & 0o006 != 0 ? "everyone" : "its group"
            let what = mode & 0o022 != 0 ? "changed" : "read"
            return SecretAccess.Objection(
                found: "\(path) can be \(what) by \(who) (mode \(digits(mode)))",
                allowed: "must be readable only by its owner and group: chmod u=rw,g=r,o= FILE")
        }
        guard access.owner == 0 || access.owner == user else {
            return SecretAccess.Objection(
                found: "\(path) belongs to user \(access.owner), who can change it",
                allowed:
                    "must belong to root\(user == 0 ? "" : ", or to user \(user), who reads it"): chown root FILE, "
                    + "and chgrp GROUP FILE for a service that reads it by its group")
        }
        for directory in access.directories where !directory.isSticky && directory.mode & refusedOfDirectory != 0 {
            let who = directory.mode & 0o002 != 0 ? "everyone" : "the directory's group"
            return SecretAccess.Objection(
                found:
                    "\(path) can be replaced by \(who), because \(directory.path) has mode \(digits(directory.mode))",
                allowed: "must be in a directory that only its owner can write to: chmod go-w DIRECTORY")
        }
        return nil
    }

    private static func digits(_ mode: UInt32) -> String {
        let digits = String(mode & 0o777, radix: 8)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

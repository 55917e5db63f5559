import SystemIO

/// Who may read and change a file with a secret. Pure.
enum SecretFilePermissions {
    static let form = "must be readable by its owner and group alone: chmod u=rw,g=r,o= FILE"

    /// Reading by a group is what a service gets its keys by: root:beacon-gateway, 0640.
    private static let refused: UInt32 = 0o026

    /// - Parameter mode: its permission bits.
    /// - Returns: what is wrong with it, to follow the key; `nil` when nothing is.
    static func objection(to mode: UInt32, path: String) -> String? {
        guard mode & refused != 0 else { return nil }
        let who = mode & 0o006 != 0 ? "everybody" : "its group"
        let what = mode & 0o022 != 0 ? "changed" : "read"
        let digits = String(mode & 0o777, radix: 8)
        return "\(path) may be \(what) by \(who) (mode \(String(repeating: "0", count: 4 - digits.count))\(digits))"
    }
}

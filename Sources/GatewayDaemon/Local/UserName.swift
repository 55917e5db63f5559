import Glibc

/// Login names of users.
enum UserName {
    /// Size of the buffer for an entry of the user database.
    private static let size = 16_384

    /// Returns the login name of a user, or `uid 1000` for one without a name.
    static func of(_ user: UInt32) -> String {
        var entry = passwd()
        var buffer = [CChar](repeating: 0, count: size)
        var found: UnsafeMutablePointer<passwd>?
        return buffer.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress,
                getpwuid_r(user, &entry, base, buffer.count, &found) == 0, found != nil, let name = entry.pw_name
            else { return "uid \(user)" }
            return String(cString: name)
        }
    }
}

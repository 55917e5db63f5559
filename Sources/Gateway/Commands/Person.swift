import Glibc

/// Current user.
enum Person {
    /// Login name, even under sudo.
    static var name: String {
        if let name = getenv("SUDO_USER").map({ String(cString: $0) }), !name.isEmpty { return name }
        guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name else { return "uid \(getuid())" }
        return String(cString: name)
    }
}

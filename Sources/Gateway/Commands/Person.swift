import Glibc

/// Who is at the keyboard.
enum Person {
    /// Login name, also behind sudo.
    static var name: String {
        if let name = getenv("SUDO_USER").map({ String(cString: $0) }), !name.isEmpty { return name }
        guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name else { return "uid \(getuid())" }
        return String(cString: name)
    }
}

import Glibc

/// Names in directories, in order.
enum DataDirectory {
    /// More names than that in one directory are not a data set.
    private static let limit = 10_000

    static func exists(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// The names in `path` that begin and end so, without those that begin with a dot; none when it can't be read.
    static func names(in path: String, prefix: String = "", suffix: String = "") -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while names.count < limit, let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix("."), name.hasPrefix(prefix), name.hasSuffix(suffix) { names.append(name) }
        }
        return names.sorted()
    }
}

import Glibc

/// A directory for databases, which goes with them.
struct StoreDirectory {
    struct Failure: Error {
        /// As of `errno`.
        var number: Int32
    }

    let path: String

    /// - Throws: `Failure` when there is no room for it in /tmp.
    init() throws(Failure) {
        var template = Array("/tmp/beacon-contacts-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(number: errno) }
        path = String(decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    func remove() {
        guard let directory = opendir(path) else { return }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { unlink(path + "/" + name) }
        }
        closedir(directory)
        rmdir(path)
    }
}

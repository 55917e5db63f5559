package import BeaconModel
import Glibc
import SystemIO

/// A directory that is gone with its owner.
package final class TemporaryDirectory: Sendable {
    package let path: String

    /// Where the directories are: BEACON_TEST_DIRECTORY, or `/tmp`.
    private static let parent = getenv("BEACON_TEST_DIRECTORY").map { String(cString: $0) } ?? "/tmp"

    package init() throws(SystemError) {
        var template = Array("\(Self.parent)/beacon-gateway-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("create a directory", errorNumber: errno) }
        path = String(decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// Removes a file, or a directory with everything in it; what a link points to stays.
    private static func remove(_ path: String) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        for name in names(in: path) { remove(path + "/" + name) }
        rmdir(path)
    }

    /// The files in it.
    package var names: [String] { Self.names(in: path) }

    private static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Writes a file; gives its path.
    package func write(_ name: String, _ contents: String) throws(SystemError) -> String {
        try write(name, Array(contents.utf8))
    }

    /// Writes a file that only its owner may read, as secrets have to be; gives its path.
    package func write(_ name: String, _ contents: [UInt8]) throws(SystemError) -> String {
        let path = path + "/" + name
        try FileContents.replace(path, with: contents, isPrivate: true)
        return path
    }
}

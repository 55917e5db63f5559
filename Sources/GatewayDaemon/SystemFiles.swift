import Glibc
import SystemIO

/// Small files and directories of the system, for somebody who takes what he can get.
package enum SystemFiles {
    /// Without line ends and zero bytes at its end; `nil` for a file that can't be read.
    package static func line(_ path: String) -> String? {
        guard let text = text(path) else { return nil }
        let line = text.prefix { !$0.isNewline && $0 != "\0" }
        return line.isEmpty ? nil : String(line)
    }

    package static func text(_ path: String) -> String? {
        (try? FileContents.read(path, limit: 1024 * 1024)).map { String(decoding: $0, as: UTF8.self) }
    }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The names in a directory, without `.` and `..`; none for one that can't be read.
    package static func names(_ directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Where a symbolic link points to.
    package static func target(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let length = buffer.withUnsafeMutableBytes { raw in
            raw.baseAddress.map { readlink(path, $0.assumingMemoryBound(to: CChar.self), raw.count) } ?? -1
        }
        return length > 0 ? String(decoding: buffer.prefix(length), as: UTF8.self) : nil
    }

    /// The path without symbolic links.
    package static func real(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

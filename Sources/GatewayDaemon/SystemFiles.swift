import Glibc
import SystemIO

/// Small system files and directories. Read errors yield `nil`, an empty value or the input itself.
package enum SystemFiles {
    /// Returns the first line of a file, up to a line end or zero byte; `nil` if the file cannot be read or the line is
    /// empty.
    package static func line(_ path: String) -> String? {
        guard let text = text(path) else { return nil }
        let line = text.prefix { !$0.isNewline && $0 != "\0" }
        return line.isEmpty ? nil : String(line)
    }

    package static func text(_ path: String) -> String? {
        (try? FileContents.read(path, limit: 1024 * 1024)).map { String(decoding: $0, as: UTF8.self) }
    }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Returns the names in a directory, without `.` and `..`; none if the directory cannot be read.
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

    /// Returns the target of a symbolic link; `nil` if it cannot be read.
    package static func target(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let length = buffer.withUnsafeMutableBytes { raw in
            raw.baseAddress.map { readlink(path, $0.assumingMemoryBound(to: CChar.self), raw.count) } ?? -1
        }
        return length > 0 ? String(decoding: buffer.prefix(length), as: UTF8.self) : nil
    }

    /// Returns the path with symbolic links resolved, or the path itself if it cannot be resolved.
    package static func real(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

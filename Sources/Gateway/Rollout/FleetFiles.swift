import BeaconModel
import Glibc
import OperatorText
import Rollout
import SystemIO

/// The files of a directory of configurations, on disk.
enum FleetFiles {
    /// Maximum number of directories within each other. Files that are too deep are reported, and not overlooked.
    private static let depth = 8

    /// Returns whether a file belongs to the configurations: `.toml`, and not in a hidden directory.
    static func isPart(_ path: String) -> Bool {
        path.hasSuffix(".toml") && !path.split(separator: "/").contains { $0.hasPrefix(".") }
    }

    /// Returns the files of a directory, with paths below it.
    static func read(_ directory: String) throws -> [RolloutFile] {
        var paths: [String] = []
        try collect(directory, "", 0, &paths)
        return try paths.sorted().map { path in
            try file(path, FileContents.read(directory + "/" + path, limit: RolloutTree.longestFile))
        }
    }

    static func file(_ path: String, _ bytes: [UInt8]) throws -> RolloutFile {
        guard bytes.count <= RolloutTree.longestFile else { throw SystemError("read \(path)", errorNumber: EFBIG) }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw ConfigurationError(
                path: path,
                problems: [
                    ConfigurationProblem(location: "file", found: "is not UTF-8 text", allowed: "must be TOML 1.0")
                ])
        }
        return RolloutFile(path: path, text: text)
    }

    private static func collect(_ root: String, _ prefix: String, _ depth: Int, _ paths: inout [String]) throws {
        let directory = prefix.isEmpty ? root : root + "/" + prefix
        guard let stream = opendir(directory) else {
            let error = SystemError("read the directory \(directory)", errorNumber: errno)
            if prefix.isEmpty, [ENOENT, ENOTDIR].contains(error.errorNumber) { throw NoDirectory(error: error) }
            throw error
        }
        defer { closedir(stream) }
        var inner: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name.hasPrefix(".") { continue }
            let path = prefix.isEmpty ? name : prefix + "/" + name
            var status = stat()
            guard lstat(root + "/" + path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: inner.append(path)
            case S_IFLNK where isPart(path): throw Link(path: path)
            case S_IFREG where isPart(path): paths.append(path)
            default: break
            }
            guard paths.count <= RolloutTree.mostFiles else { throw TooMany() }
        }
        guard depth < Self.depth else { return }
        for path in inner { try collect(root, path, depth + 1, &paths) }
    }

    /// There is no directory of configurations.
    struct NoDirectory: OperatorError {
        var error: SystemError
        var what: String { error.what }
        var remedy: String? {
            "name the directory with fleet.toml; `beacon-gateway fleet init DIRECTORY` writes a new one"
        }
        var exitStatus: ExitStatus { error.exitStatus }
    }

    /// A file is a symbolic link, whose target git does not know.
    struct Link: OperatorError {
        var path: String
        var what: String { "\(path) is a symbolic link" }
        var remedy: String? { "replace it by the file, or by keys in common.toml" }
        var exitStatus: ExitStatus { .configuration }
    }

    struct TooMany: OperatorError {
        var what: String { "there are more than \(RolloutTree.mostFiles) files" }
        var remedy: String? { "name the directory of the configurations, and not one above it" }
        var exitStatus: ExitStatus { .configuration }
    }
}

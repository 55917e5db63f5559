public import BeaconModel
import Glibc

/// A symbolic link with a stable name to a port whose own name is different each time.
public struct PortLink: Sendable {
    public let path: String
    private let target: String

    /// Replaces a symbolic link, but nothing else.
    ///
    /// - Throws: `PortLinkOccupied` or `SystemError`.
    public init(at path: String, to target: String) throws {
        self.path = path
        self.target = target
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFLNK else { throw PortLinkOccupied(path: path) }
            guard unlink(path) == 0 else { throw SystemError("replace the link \(path)", errorNumber: errno) }
        }
        guard symlink(target, path) == 0 else { throw SystemError("create the link \(path)", errorNumber: errno) }
    }

    /// Does nothing when the link is another's by now.
    public func remove() {
        var buffer = [CChar](repeating: 0, count: target.utf8.count + 1)
        let count = readlink(path, &buffer, buffer.count)
        guard count == target.utf8.count, zip(buffer, target.utf8).allSatisfy({ UInt8(bitPattern: $0) == $1 }) else {
            return
        }
        unlink(path)
    }
}

/// Something that isn't a symbolic link is where the link to a port should be.
public struct PortLinkOccupied: OperatorError {
    public var path: String

    public var what: String { "\(path) exists and isn't a symbolic link" }
    public var meaning: String? { "the port can't be linked there without deleting it" }
    public var remedy: String? { "choose another path for the link, or remove \(path)" }
    public var exitStatus: ExitStatus { .usage }
}

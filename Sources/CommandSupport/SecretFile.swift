package import BeaconModel
import Glibc
import OperatorText
import SystemIO

/// A file with a secret that a command reads.
package enum SecretFile {
    /// Reads a file. One that too many users can read or replace is refused.
    ///
    /// - Throws: `SystemError`, `SecretFileRefused`.
    package static func read(_ path: String, limit: Int = 1 << 20) throws -> [UInt8] {
        let file = try FileContents.readWithAccess(path, limit: limit)
        if let access = file.access,
            let objection = SecretFilePermissions.objection(to: access, path: path, user: geteuid())
        {
            throw SecretFileRefused(what: objection.found, remedy: objection.allowed)
        }
        return file.contents
    }
}

/// A file's permissions do not keep a secret.
package struct SecretFileRefused: OperatorError {
    package let what: String
    package let remedy: String?
    package var exitStatus: ExitStatus { .permission }
}

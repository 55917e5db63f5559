package import BeaconModel
import SystemIO

/// The file with the code by which phones that this gateway connects to know it: eight random bytes, made once. The
/// code is not secret: every such phone gets it.
package struct ContactCodeFile {
    package var path: String

    /// Reads the code, or makes one.
    ///
    /// - Parameter make: returns the code to store if there is no file.
    /// - Throws: `ContactCodeFileError`, or `SystemError` if the file cannot be read or created.
    package func read(orMake make: () -> UInt64) throws -> UInt64 {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileContents.read(path, limit: 64)
        } catch {
            guard error.isNotFound else { throw error }
            let code = make()
            try FileContents.replace(path, with: (0..<8).map { UInt8(truncatingIfNeeded: code >> ($0 * 8)) })
            return code
        }
        guard bytes.count == 8 else { throw ContactCodeFileError(path: path, count: bytes.count) }
        return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

package struct ContactCodeFileError: OperatorError {
    package var path: String
    package var count: Int

    package var what: String { "\(path) has \(count) bytes; expected 8" }
    package var meaning: String? { "this gateway has no code to give to phones" }
    package var remedy: String? { "remove \(path): the next start creates a new code" }
    package var exitStatus: ExitStatus { .data }
}

package import BeaconModel
package import GatewayCore
import SystemIO

/// The code by which this gateway is known to phones that it connects to: eight bytes, random, made once. It isn't
/// secret: every such phone gets it.
package struct ContactCodeFile {
    package var path: String

    /// - Parameter make: gives the code when there is no file.
    /// - Throws: `ContactCodeFileError`, or `SystemError` when the file can't be read or made.
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

    package var what: String { "\(path) has \(count) bytes instead of 8" }
    package var meaning: String? { "this gateway doesn't know which code to give to phones" }
    package var remedy: String? { "remove \(path): another code is made at the next start" }
    package var exitStatus: ExitStatus { .data }
}

extension ExchangeSettings {
    package func ownCodeFile(inStateDirectory directory: String) -> ContactCodeFile {
        ContactCodeFile(path: ownCodeFile ?? directory + "/contact-code")
    }
}

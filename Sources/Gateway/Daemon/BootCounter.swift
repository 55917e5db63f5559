import BeaconModel
import Glibc
import SystemIO

/// Numbers the runs of a gateway, so that the ids of its records never repeat.
enum BootCounter {
    /// Adds one to the number in `directory`, creating both if needed.
    ///
    /// - Throws: `SystemError`; `EILSEQ` for contents that are no number.
    static func next(in directory: String) throws -> UInt64 {
        if mkdir(directory, 0o755) != 0, errno != EEXIST {
            throw SystemError("create the state directory \(directory)", errorNumber: errno)
        }
        let path = directory + "/boot"
        var last: UInt64 = 0
        do throws(SystemError) {
            let text = String(decoding: try FileContents.read(path, limit: 64), as: UTF8.self)
            guard let number = UInt64(text.filter { !$0.isWhitespace }), number < .max else {
                throw SystemError("read a number from \(path)", errorNumber: EILSEQ)
            }
            last = number
        } catch {
            guard error.errorNumber == ENOENT else { throw error }
        }
        try FileContents.replace(path, with: Array("\(last + 1)\n".utf8))
        return last + 1
    }
}

import CSystemd
import Glibc

/// The journal of systemd.
package enum SystemJournal {
    /// Whether standard error goes to the journal: JOURNAL_STREAM then names its device and inode.
    package static var takesStandardError: Bool {
        guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return false }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }

    /// Sends an entry.
    ///
    /// - Parameter fields: names in capital letters, and their values. Names that the journal does not allow are left
    ///   out by it.
    /// - Returns: whether the journal took it.
    package static func send(_ fields: [(name: String, value: String)]) -> Bool {
        let lines = fields.map { Array("\($0.name)=\($0.value)".utf8) }
        var storage = lines.flatMap(\.self)
        return storage.withUnsafeMutableBytes { bytes in
            var offset = 0
            var vectors: [iovec] = []
            for line in lines {
                vectors.append(iovec(iov_base: bytes.baseAddress.map { $0 + offset }, iov_len: line.count))
                offset += line.count
            }
            return sd_journal_sendv(vectors, CInt(clamping: vectors.count)) == 0
        }
    }
}

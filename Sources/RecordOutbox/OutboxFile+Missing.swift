import BeaconModel
package import Publishing
import SystemIO

extension OutboxFile {
    /// Reports that the database is missing or empty while other files of the outbox show that it had records.
    ///
    /// - Returns: `nil` if the database is present, and if there are no such files, because then no records were kept.
    /// - Throws: `OutboxError`.
    package func missing() throws(OutboxError) -> OutboxError? {
        let files: OutboxFilesFound
        do throws(SystemError) {
            files = try OutboxFilesFound.examine(path)
        } catch {
            throw failure(error)
        }
        guard files.isEmpty else { return nil }
        let waiting = try state()?.holding?.count
        guard files.logBytes > 0 || waiting != nil else { return nil }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let count = waiting.map { $0 == 1 ? "1 record" : "\($0) records" } ?? "an unknown number of records"
        return OutboxError(
            "the outbox \(path) is missing or empty; according to \(name).state, it had \(count)",
            meaning: files.logBytes > 0
                ? "its write-ahead log \(name)-wal exists, and may contain them" : "its write-ahead log is missing too",
            remedy: (files.logBytes > 0
                ? "start the gateway, which recovers the contents of the write-ahead log (a running gateway does so "
                    + "within a minute)"
                : "restore the files from a backup if there is one, before starting the gateway")
                + "; do not delete the directory",
            exitStatus: .data)
    }
}

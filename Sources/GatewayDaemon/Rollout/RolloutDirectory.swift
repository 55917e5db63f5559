import BeaconModel
package import GatewayCore
import Glibc
import RecordContract
import RecordOutbox
import SystemIO

/// The directory with configurations that came from afar, in a gateway's state directory.
package struct RolloutDirectory: Sendable {
    private let state: StateDirectory

    package init(stateDirectory: String) { state = StateDirectory(path: stateDirectory) }

    package var stateDirectory: String { state.path }

    private var path: String { state.path + "/" + RolloutFiles.directory }

    /// Returns the contents of a file of `RolloutFiles`; `nil` if there is none, or it cannot be read.
    package func read(_ name: String) -> [UInt8]? {
        try? FileContents.read(
            path + "/" + name, limit: max(RolloutRecord.longest, ConfigureMessage.longestConfiguration))
    }

    /// Whether anything was ever configured from afar.
    package var isUsed: Bool { access(path + "/" + RolloutFiles.record, F_OK) == 0 }

    /// The record as it is on disk; `nil` if there is none, or it is damaged.
    package var record: RolloutRecord? { read(RolloutFiles.record).flatMap { RolloutRecord($0) } }

    /// Replaces a file atomically. When this returns, it is on disk.
    func write(_ name: String, _ contents: [UInt8]) throws(SystemError) {
        if mkdir(path, 0o700) == 0 {
            giveToStateOwner()
        } else if errno != EEXIST {
            throw SystemError("create \(path)", errorNumber: errno)
        }
        // The outbox has space reserved on a full disk.
        try OutboxFile(path: state.outboxPath).lendingReserve { () throws(SystemError) in
            try FileContents.replace(path + "/" + name, with: contents, isPrivate: true)
        }
    }

    /// Removes configurations that the record does not need. Those that stay behind do no harm.
    func clean(for record: RolloutRecord) {
        // A gateway that has gone back to its own file must not find an earlier configuration after a damage.
        if record.phase == .local { unlink(path + "/" + RolloutFiles.accepted) }
        for name in SystemFiles.names(path) {
            if let digest = RolloutFiles.digest(of: name), !record.documents.contains(digest) {
                unlink(path + "/" + name)
            }
        }
    }

    /// A directory that root made belongs to the service, as the state directory does.
    private func giveToStateOwner() {
        var status = stat()
        guard geteuid() == 0, stat(state.path, &status) == 0 else { return }
        _ = chown(path, status.st_uid, status.st_gid)
    }
}

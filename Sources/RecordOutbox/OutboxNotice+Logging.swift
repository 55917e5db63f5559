package import Logging
package import Publishing
import RecordContract

extension OutboxNotice {
    package func log(to logger: Logger) {
        switch self {
        case .unwritable(let path, let reason):
            logger.error(
                "outbox not writable, holding records in memory",
                metadata: [
                    "path": "\(path)", "error": "\(reason)",
                    "remedy": "free space on its file system, or repair the disk",
                ])
        case .writable(let path): logger.notice("outbox writable again", metadata: ["path": "\(path)"])
        case .restored(let path, let records):
            logger.error(
                "outbox removed while in use, written anew",
                metadata: [
                    "path": "\(path)", "records": "\(records)",
                    "remedy": "if all of the state directory was removed, restart the gateway: its lock is gone too",
                ])
        case .expired(let loss):
            logger.warning("records expired before they were delivered", metadata: loss.metadata)
        case .evicted(let counts):
            logger.warning(
                "records evicted, no room left",
                metadata: .init(uniqueKeysWithValues: counts.map { ($0.key.name, "\($0.value)") }))
        case .unsaved(let path, let loss):
            logger.error(
                "records lost, the disk did not take them",
                metadata: loss.metadata.merging(["path": "\(path)"]) { $1 })
        }
    }
}

extension OutboxLoss {
    package var metadata: Logger.Metadata {
        ["count": "\(count)", "oldest": "\(oldest)", "newest": "\(newest)"]
    }
}

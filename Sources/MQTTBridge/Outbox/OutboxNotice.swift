public import Logging

/// An event in an outbox that an operator has to know of.
public enum OutboxNotice: Equatable, Sendable {
    /// Records can't be written; they are held in memory.
    case unwritable(path: String, reason: String)
    /// Records are written again.
    case writable(path: String)
    /// Records were given up because of their age.
    case expired(OutboxLoss)
    /// Records were given up for lack of room, since the last notice of this kind.
    case evicted([OutboxPriority: UInt64])
    /// The files were removed while in use, and have been written anew with all records that were on disk.
    case restored(path: String, records: Int)
    /// The outbox was closed with records that are on no disk.
    case unsaved(path: String, OutboxLoss)

    public func log(to logger: Logger) {
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

/// Records that are lost.
public struct OutboxLoss: Equatable, Sendable {
    public var count: Int
    public var oldest: RecordPosition
    public var newest: RecordPosition

    public init(count: Int, oldest: RecordPosition, newest: RecordPosition) {
        self.count = count
        self.oldest = oldest
        self.newest = newest
    }

    /// - Returns: `nil` for no records.
    init?(_ positions: some Sequence<RecordPosition>) {
        var (count, oldest, newest) = (0, RecordPosition?.none, RecordPosition?.none)
        for position in positions {
            count += 1
            oldest = min(oldest ?? position, position)
            newest = max(newest ?? position, position)
        }
        guard let oldest, let newest else { return nil }
        self.init(count: count, oldest: oldest, newest: newest)
    }

    /// Another loss together with this one.
    mutating func add(_ other: OutboxLoss) {
        count += other.count
        oldest = min(oldest, other.oldest)
        newest = max(newest, other.newest)
    }

    var metadata: Logger.Metadata {
        ["count": "\(count)", "oldest": "\(oldest)", "newest": "\(newest)"]
    }
}

extension RecordPosition: CustomStringConvertible {
    public var description: String { "boot \(boot) sequence \(sequence)" }
}

public import BeaconModel

/// A bounded queue of a module's reports and the changes of its listening state.
///
/// When the consumer is too slow, the newest reports are dropped and counted. Changes of the listening state are kept.
public struct HearingQueue: Sendable {
    /// A timed entry of the queue.
    public struct Item: Equatable, Sendable {
        /// The contents of an entry.
        public enum What: Equatable, Sendable {
            /// The module received an advertisement.
            case received(ModuleReception)
            /// The listening state changed.
            case listening(ModuleListening)
        }

        /// Time at which the item was received.
        public var time: Timestamp
        /// The contents.
        public var what: What

        /// Creates an entry from its parts.
        public init(time: Timestamp, what: What) {
            self.time = time
            self.what = what
        }
    }

    /// All items since the previous `take`.
    public struct Batch: Equatable, Sendable {
        /// Items in order of arrival.
        public var items: [Item] = []
        /// Number of reports dropped because the queue was full.
        public var dropped: UInt64 = 0
        /// Number of reports that could not be parsed.
        public var unreadable: UInt64 = 0

        /// Creates a batch from its parts.
        public init(items: [Item] = [], dropped: UInt64 = 0, unreadable: UInt64 = 0) {
            self.items = items
            self.dropped = dropped
            self.unreadable = unreadable
        }

        /// Whether the batch has neither entries nor counts.
        public var isEmpty: Bool { items.isEmpty && dropped == 0 && unreadable == 0 }
    }

    /// Maximum number of queued reports. A line at 921,600 baud carries 700 reports per second.
    public static let mostReports = 1024
    private static let mostItems = 2 * mostReports

    private var batch = Batch()
    private var reports = 0

    /// Creates an empty queue.
    public init() {}

    /// Adds an entry, or counts it as dropped if the queue is full.
    public mutating func add(_ what: Item.What, at time: Timestamp) {
        switch what {
        case .listening(.unreadable):
            batch.unreadable += 1
            return
        case .received:
            guard reports < Self.mostReports else {
                batch.dropped += 1
                return
            }
            reports += 1
        case .listening(.confirmed):
            // The later confirmation replaces the earlier one.
            if case .listening(.confirmed)? = batch.items.last?.what { batch.items.removeLast() }
        case .listening: break
        }
        // Reports cannot fill the queue, so the item dropped here is a listening change that follows a thousand others.
        if batch.items.count >= Self.mostItems { batch.items.removeLast() }
        batch.items.append(Item(time: time, what: what))
    }

    /// Removes and returns everything in the queue.
    public mutating func take() -> Batch {
        defer {
            batch = Batch()
            reports = 0
        }
        return batch
    }
}

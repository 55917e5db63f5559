public import BeaconModel

/// What a module heard, and what became of its listening, until somebody takes it.
///
/// Bounded: of a flood that nobody takes in time the newest reports are dropped, and counted. What became of the
/// listening is kept.
public struct HearingQueue: Sendable {
    public struct Item: Equatable, Sendable {
        public enum What: Equatable, Sendable {
            case received(ModuleReception)
            case listening(ModuleListening)
        }

        /// When it came.
        public var time: Timestamp
        public var what: What

        public init(time: Timestamp, what: What) {
            self.time = time
            self.what = what
        }
    }

    /// What has come since the last time.
    public struct Batch: Equatable, Sendable {
        /// The oldest first.
        public var items: [Item] = []
        /// Reports that were too many.
        public var dropped: UInt64 = 0
        /// Reports that couldn't be read.
        public var unreadable: UInt64 = 0

        public init(items: [Item] = [], dropped: UInt64 = 0, unreadable: UInt64 = 0) {
            self.items = items
            self.dropped = dropped
            self.unreadable = unreadable
        }

        public var isEmpty: Bool { items.isEmpty && dropped == 0 && unreadable == 0 }
    }

    /// A line of 921,600 baud carries 700 reports a second.
    public static let mostReports = 1024
    private static let mostItems = 2 * mostReports

    private var batch = Batch()
    private var reports = 0

    public init() {}

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
            // The later one says it all.
            if case .listening(.confirmed)? = batch.items.last?.what { batch.items.removeLast() }
        case .listening: break
        }
        // Reports can't fill it, so that this is a change of the listening at the end of a thousand others.
        if batch.items.count >= Self.mostItems { batch.items.removeLast() }
        batch.items.append(Item(time: time, what: what))
    }

    /// Takes everything out.
    public mutating func take() -> Batch {
        defer {
            batch = Batch()
            reports = 0
        }
        return batch
    }
}

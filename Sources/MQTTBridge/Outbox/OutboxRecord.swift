/// A record as it waits in the outbox: encoded, and with what has to be known of it to keep or to give it up.
public struct OutboxRecord: Equatable, Sendable {
    public var topic: String
    public var priority: OutboxPriority
    public var position: RecordPosition
    /// One line of JSON, not yet historical.
    public var payload: [UInt8]

    public init(topic: String, priority: OutboxPriority, position: RecordPosition, payload: [UInt8]) {
        self.topic = topic
        self.priority = priority
        self.position = position
        self.payload = payload
    }
}

/// The order in which records are given up when there is no room: the lowest first, in the order of the cases.
public enum OutboxPriority: Int, CaseIterable, Comparable, Sendable {
    /// The next one says the same, or the end does.
    case updated
    /// No other says the same, but of many minutes one may be missing.
    case readings
    case started
    /// Ends, and failures of modules.
    case ended

    public static func < (one: OutboxPriority, other: OutboxPriority) -> Bool { one.rawValue < other.rawValue }

    /// As people read it.
    public var name: String {
        switch self {
        case .updated: "updated"
        case .readings: "readings"
        case .started: "started"
        case .ended: "ended"
        }
    }
}

/// Which record of a gateway: by the run that made it, and its number in that run, from 1.
public struct RecordPosition: Hashable, Comparable, Codable, Sendable {
    public var boot: UInt64
    public var sequence: UInt64

    public init(boot: UInt64, sequence: UInt64) {
        self.boot = boot
        self.sequence = sequence
    }

    /// Whether a gateway can have it: numbers of runs and of records are below 2^53.
    public var isPossible: Bool { boot < 1 << 53 && sequence < 1 << 53 }

    public static func < (one: RecordPosition, other: RecordPosition) -> Bool {
        (one.boot, one.sequence) < (other.boot, other.sequence)
    }
}

import BeaconModel
import SystemIO

/// The file in which it is kept which version of MQTT brokers speak.
public struct BrokerMemory: Sendable {
    private let path: String

    public init(path: String) { self.path = path }

    struct Entry: Codable, Equatable, Sendable {
        /// Host and port.
        var broker: String
        var notedAt: Timestamp
        /// Which it has accepted; files of earlier versions have 3.1.1 alone, and don't say it.
        var version: MQTTVersion?

        init(broker: String, notedAt: Timestamp, version: MQTTVersion? = nil) {
            self.broker = broker
            self.notedAt = notedAt
            self.version = version ?? .threeOneOne
        }

        var speaksFive: Bool { version == .five }
    }

    private static let mostEntries = 32

    /// Nothing for a file that can't be read: it is found out again.
    func read() -> [Entry] {
        guard let bytes = try? FileContents.read(path, limit: 64 * 1024),
            let entries = try? JSON.decode([Entry].self, from: bytes)
        else { return [] }
        return Array(entries.suffix(Self.mostEntries))
    }

    func write(_ entries: [Entry]) throws(SystemError) {
        try FileContents.replace(path, with: JSON.encode(Array(entries.suffix(Self.mostEntries))))
    }
}

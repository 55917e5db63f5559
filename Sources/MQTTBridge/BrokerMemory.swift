package import BeaconModel
package import Publishing
import RecordContract
import SystemIO

/// The file that records which MQTT version each broker speaks.
package struct BrokerMemory: Sendable {
    private let path: String

    package init(path: String) { self.path = path }

    private static let mostEntries = 32

    /// Reads the stored brokers. Returns an empty array if the file cannot be read; the versions are then detected
    /// again.
    package func read() -> [KnownBroker] {
        guard let bytes = try? FileContents.read(path, limit: 64 * 1024),
            let entries = try? JSON.decode([KnownBroker].self, from: bytes)
        else { return [] }
        return Array(entries.suffix(Self.mostEntries))
    }

    package func write(_ entries: [KnownBroker]) throws(SystemError) {
        try FileContents.replace(path, with: JSON.encode(Array(entries.suffix(Self.mostEntries))))
    }
}

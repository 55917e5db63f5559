package import BeaconModel
package import Publishing
import RecordContract
import SystemIO

/// The file in which it is kept which version of MQTT brokers speak.
package struct BrokerMemory: Sendable {
    private let path: String

    package init(path: String) { self.path = path }

    private static let mostEntries = 32

    /// Nothing for a file that can't be read: it is found out again.
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

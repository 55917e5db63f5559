package import BeaconModel
package import RecordContract
import SystemIO

/// The file that records, for `doctor`, that another client took the gateway's session over.
package struct TakeoversFile: Sendable {
    package var path: String

    package init(stateDirectory: String) { path = stateDirectory + "/takeovers.json" }

    /// Reads the takeovers; `nil` where there were none, or the file cannot be read.
    package func read() -> SessionTakeovers? {
        guard let bytes = try? FileContents.read(path, limit: 4096) else { return nil }
        return try? JSON.decode(SessionTakeovers.self, from: bytes)
    }

    package func write(_ takeovers: SessionTakeovers) throws(SystemError) {
        guard read() != takeovers else { return }
        try FileContents.replace(path, with: JSON.encode(takeovers))
    }
}

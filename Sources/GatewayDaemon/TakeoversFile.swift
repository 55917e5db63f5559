package import BeaconModel
package import RecordContract
import SystemIO

/// The file in which the gateway keeps for `doctor` that another client took its session.
package struct TakeoversFile: Sendable {
    package var path: String

    package init(stateDirectory: String) { path = stateDirectory + "/takeovers.json" }

    /// `nil` where there were none, or the file can't be read.
    package func read() -> SessionTakeovers? {
        guard let bytes = try? FileContents.read(path, limit: 4096) else { return nil }
        return try? JSON.decode(SessionTakeovers.self, from: bytes)
    }

    package func write(_ takeovers: SessionTakeovers) throws(SystemError) {
        guard read() != takeovers else { return }
        try FileContents.replace(path, with: JSON.encode(takeovers))
    }
}

package import BeaconModel
package import Integrations
import RecordContract
import SystemIO

/// The file with the retained topics that the outputs have created.
package struct RetainedTopicsFile: Sendable {
    package var path: String

    private static let longest = 64 << 20

    /// - Returns: the retained topics; none where there is no file.
    /// - Throws: `SystemError`, or `DamagedRetainedTopics`.
    package func read() throws -> RetainedTopics {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileContents.read(path, limit: Self.longest)
        } catch {
            if error.isNotFound { return RetainedTopics() }
            throw error
        }
        guard let topics = try? JSON.decode(RetainedTopics.self, from: bytes) else {
            throw DamagedRetainedTopics(path: path)
        }
        return topics
    }

    package func write(_ topics: RetainedTopics) throws(SystemError) {
        try FileContents.replace(path, with: JSON.encode(topics))
    }
}

/// The file of retained topics is damaged.
package struct DamagedRetainedTopics: OperatorError {
    package var path: String

    package var what: String { "\(path) is damaged" }
    package var meaning: String? {
        "entities of beacons that have been removed from the configuration may remain in Home Assistant, and Homie "
            + "devices as well"
    }
    package var remedy: String? {
        "remove such a device in Home Assistant, or publish empty retained messages on its topics"
    }
    package var exitStatus: ExitStatus { .data }
}

import BeaconModel
import RecordContract

@testable import GatewayCore

/// Configurations and times for tests of rollouts.
enum RolloutFixture {
    static let noon = Timestamp(microseconds: 1_793_620_800 * 1_000_000)

    static func document(_ text: String, revision: String = "4f2c9a1") throws -> RolloutDocument {
        RolloutDocument(
            version: RolloutVersion(
                revision: try ConfigurationRevision(revision).orThrow,
                digest: ConfigurationDigest(of: Array(text.utf8))), text: text)
    }

    static func trial(
        of document: RolloutDocument, previous: RolloutVersion? = nil, seconds: Int = 60, starts: Int = 0,
        startedAt: Timestamp? = nil
    ) -> RolloutRecord {
        RolloutRecord(
            phase: .trial(
                RolloutTrial(
                    candidate: document.version, previous: previous, seconds: seconds, starts: starts,
                    startedAt: startedAt)), since: noon)
    }
}

struct MissingValue: Error {}

extension Optional {
    var orThrow: Wrapped {
        get throws {
            guard let self else { throw MissingValue() }
            return self
        }
    }
}

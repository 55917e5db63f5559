import BeaconModel
import CommandSupport
import FloorPlans
package import InteractionStore
import MatcherCore
import Matching
package import OperatorText

extension MatcherConfiguration {
    /// Reads and checks a configuration file, and the files that it names.
    ///
    /// - Parameter secrets: secrets that the command needs.
    package static func load(_ path: String, secrets: SecretAccess) throws -> MatcherConfiguration {
        try parse(
            ConfigurationFile.text(path), path: path, secrets: secrets,
            readFile: ConfigurationFile.reader(refusing: secrets, in: path, limit: PlanLimits.bytes + 1),
            locate: { ConfigurationFile.locate($0, in: path) })
    }

    /// Opens the store, with the configured beacons as fixed beacons.
    ///
    /// - Parameter report: called while the tables of an earlier version are upgraded; by default writes notes on
    ///   standard error.
    /// - Throws: `StoreError`.
    package func openStore(
        creating: Bool = true, isForAnswers: Bool = false,
        report: (StoreUpgradeProgress) -> Void = { Terminal.note($0.text) }
    ) throws -> InteractionStore {
        try InteractionStore.open(
            store, retention: retention, readingRetention: readingRetention, creating: creating,
            isForAnswers: isForAnswers, dailyQuota: dailyQuota,
            proofUUID: phones.proofUUID?.description,
            fixedBeacons: Set(fixedBeacons.keys), report: report)
    }
}

import BeaconModel
import CommandSupport
package import GatewayCore
package import Logging
import MQTTBridge
import ModuleDialogues
package import OperatorText
package import RecordContract
import SystemIO

/// The configuration that a gateway uses: that of its own file, or one that came from afar.
package struct ConfigurationInUse: Sendable {
    /// Path of the gateway's own file.
    package let path: String
    package private(set) var configuration: Configuration
    package let anchor: RolloutAnchor
    /// The contents of the own file.
    package let ownDigest: ConfigurationDigest
    package private(set) var record: RolloutRecord
    /// Whether this process holds the lock of the state directory.
    package private(set) var isLocked = false

    package var directory: RolloutDirectory { RolloutDirectory(stateDirectory: anchor.stateDirectory) }

    /// Which configuration is in use, for people.
    package var text: String { record.phase.text }

    /// Whether the gateway has left a configuration that was not confirmed, or that it cannot use.
    package var hasReturned: Bool {
        if case .returned = record.phase { true } else { false }
    }

    // MARK: Commands

    /// Reads what only the gateway's own file says, without secrets.
    package static func anchor(of path: String) throws -> RolloutAnchor {
        try readAnchor(path, ConfigurationFile.secrets(for: [])).1
    }

    /// Reads the configuration in use for a command. Changes nothing.
    ///
    /// - Parameters:
    ///   - path: the gateway's own file.
    ///   - secrets: the secrets that the command needs.
    package static func load(_ path: String, secrets: SecretAccess) throws -> ConfigurationInUse {
        let (text, anchor) = try readAnchor(path, ConfigurationFile.secrets(for: []))
        let directory = RolloutDirectory(stateDirectory: anchor.stateDirectory)
        // A command does not count as a start: an unconfirmed trial is shown as such.
        let found = anchor.isEnabled ? directory.record : nil
        let record = found ?? RolloutRecord(phase: .local, since: WallClock.now())
        return ConfigurationInUse(
            path: path, configuration: try read(record.phase.inUse, text, path, anchor, directory, secrets),
            anchor: anchor, ownDigest: ConfigurationDigest(of: Array(text.utf8)), record: record)
    }

    // MARK: The daemon

    /// Decides with which configuration the daemon starts, and reads it. A configuration that came from afar and cannot
    /// be used is left for the one before it.
    ///
    /// Takes the lock of the state directory if anything was ever configured from afar: a start counts.
    package static func begin(_ path: String, logger: Logger) throws -> ConfigurationInUse {
        let (text, anchor) = try readAnchor(path, ConfigurationFile.secrets(for: [.commands]))
        let directory = RolloutDirectory(stateDirectory: anchor.stateDirectory)
        let own = ConfigurationDigest(of: Array(text.utf8))
        guard directory.isUsed else {
            return ConfigurationInUse(
                path: path, configuration: try read(nil, text, path, anchor, directory, ConfigurationFile.secrets()),
                anchor: anchor, ownDigest: own, record: RolloutRecord(phase: .local, since: WallClock.now()))
        }
        try StateDirectory(path: anchor.stateDirectory).lock {
            logger.warning("state format unreadable or not written", metadata: ["because": "\($0)"])
        }
        let start = RolloutStart(isAllowed: anchor.isEnabled, at: WallClock.now(), read: directory.read)
        if let problem = start.problem {
            logger.error("configuration from afar damaged", metadata: ["because": "\(problem)"])
        }
        var record = start.record
        if start.isChanged { record = save(record, directory, logger) }
        while true {
            do {
                let configuration = try read(
                    record.phase.inUse, text, path, anchor, directory, ConfigurationFile.secrets())
                directory.clean(for: record)
                let inUse = ConfigurationInUse(
                    path: path, configuration: configuration, anchor: anchor, ownDigest: own, record: record,
                    isLocked: true)
                inUse.log(to: logger)
                return inUse
            } catch {
                let reason = error.inOneLine
                guard let next = RolloutStart.leaving(record, because: reason, at: WallClock.now()) else {
                    throw error
                }
                if next.isChanged {
                    record = save(next.record, directory, logger)
                } else {
                    logger.error("configuration from afar unusable", metadata: ["because": "\(reason)"])
                    record = next.record
                }
            }
        }
    }

    /// Leaves the candidate of a trial, because the program cannot run with it.
    ///
    /// - Returns: whether another configuration is in use from the next start on.
    package func leaveTrial(because reason: String, logger: Logger) -> Bool {
        // The trial may have ended while the program ran.
        guard let record = directory.record,
            let next = RolloutStart.leaving(record, because: reason, at: WallClock.now()), next.isChanged
        else { return false }
        _ = Self.save(next.record, directory, logger)
        return true
    }

    /// Reads the configuration in use again.
    package func reloaded() throws -> Configuration {
        let (text, anchor) = try Self.readAnchor(path, ConfigurationFile.secrets(for: [.commands]))
        return try Self.read(record.phase.inUse, text, path, anchor, directory, ConfigurationFile.secrets())
    }

    /// Checks a configuration that came from afar, with the files that it names.
    ///
    /// - Throws: `ConfigurationError` with all problems.
    package func check(_ document: RolloutDocument) throws {
        _ = try Self.parse(document.text, document.version, path, anchor, ConfigurationFile.secrets())
    }

    private func log(to logger: Logger) {
        switch record.phase {
        case .local: break
        case .trial(let trial):
            logger.notice(
                "configuration on trial",
                metadata: [
                    "revision": "\(trial.candidate.revision)", "start": "\(trial.starts)",
                    "ends": "\(trial.endsAt?.rfc3339 ?? "-")",
                ])
        case .accepted(let version):
            logger.info("configuration from afar in use", metadata: ["revision": "\(version.revision)"])
        case .returned(_, let from, let reason):
            logger.error(
                "returned to the configuration before",
                metadata: ["revision": "\(from.revision)", "because": "\(reason)", "in-use": "\(text)"])
        }
    }

    // MARK: Parts

    private static func readAnchor(_ path: String, _ secrets: SecretAccess) throws -> (String, RolloutAnchor) {
        let text = try ConfigurationFile.text(path)
        do throws(ConfigurationError) {
            let anchor = try RolloutAnchor.parse(
                text, path: path, secrets: secrets,
                readFile: ConfigurationFile.reader(refusing: secrets, in: path, limit: Inventory.longestFile),
                locate: { ConfigurationFile.locate($0, in: path) })
            return (text, anchor)
        } catch {
            // All problems of the file are of more use than those of the anchor.
            _ = try Configuration.load(path, secrets: ConfigurationFile.secrets(for: []))
            throw error
        }
    }

    /// Reads the own file, or a configuration from afar.
    private static func read(
        _ version: RolloutVersion?, _ text: String, _ path: String, _ anchor: RolloutAnchor,
        _ directory: RolloutDirectory, _ secrets: SecretAccess
    ) throws -> Configuration {
        guard let version else {
            return try Configuration.parse(
                text, path: path, secrets: secrets,
                readFile: ConfigurationFile.reader(refusing: secrets, in: path, limit: Inventory.longestFile),
                locate: { ConfigurationFile.locate($0, in: path) })
        }
        guard let contents = directory.read(RolloutFiles.document(version.digest)),
            ConfigurationDigest(of: contents) == version.digest
        else { throw MissingDocument(version: version) }
        return try parse(String(decoding: contents, as: UTF8.self), version, path, anchor, secrets)
    }

    private static func parse(
        _ text: String, _ version: RolloutVersion, _ path: String, _ anchor: RolloutAnchor, _ secrets: SecretAccess
    ) throws(ConfigurationError) -> Configuration {
        try anchor.configuration(
            text, named: "revision \(version.revision.short)", secrets: secrets,
            readFile: ConfigurationFile.reader(refusing: secrets, in: path, limit: Inventory.longestFile),
            locate: { ConfigurationFile.locate($0, in: path) })
    }

    /// Writes a record at the start. A start that cannot be counted is not made with a candidate.
    private static func save(
        _ record: RolloutRecord, _ directory: RolloutDirectory, _ logger: Logger
    ) -> RolloutRecord {
        do throws(SystemError) {
            try directory.write(RolloutFiles.record, record.encoded)
            if case .returned(_, let from, let reason) = record.phase { note(from, reason, directory, logger) }
            return record
        } catch {
            logger.error("record of the configuration not written", metadata: .init(describing: error))
            guard case .trial = record.phase else { return record }
            return record.abandoned(because: "the start cannot be counted: \(error.what)", at: WallClock.now())
        }
    }

    private static func note(
        _ from: RolloutVersion, _ reason: String, _ directory: RolloutDirectory, _ logger: Logger
    ) {
        RolloutAudit(stateDirectory: directory.stateDirectory, logger: logger)
            .note("configuration-returned", from, ok: false, reason)
    }
}

/// The file of a configuration in use is missing or damaged.
struct MissingDocument: OperatorError {
    var version: RolloutVersion

    var what: String { "the file of \(version.short) is missing or damaged" }
    var remedy: String? { "send the configuration again, with `beacon-gateway fleet apply`" }
    var exitStatus: ExitStatus { .data }
}

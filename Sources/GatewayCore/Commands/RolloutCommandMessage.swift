import OperatorText
import RecordContract

/// The JSON of `configure` and `confirm`.
struct RolloutCommandMessage: Decodable {
    var correlation: String?
    var at: String?
    var revision: String?
    var digest: String?
    var configuration: String?
    var trial: Int?

    private static let keys = [
        ConfigureMessage.command: ["correlation", "at", "revision", "digest", "configuration", "trial", "tag"],
        ConfirmMessage.command: ["correlation", "at", "digest", "tag"],
    ]

    /// Reads a command of a rollout.
    static func read(
        name: String, _ payload: [UInt8]
    ) -> Result<RemoteCommand.Request, RemoteCommand.Refusal> {
        let message: RolloutCommandMessage
        do {
            message = try JSON.decode(RolloutCommandMessage.self, from: payload)
        } catch {
            return .failure(
                RemoteCommand.Refusal(text: "the command is malformed; send it with `beacon-gateway fleet apply`"))
        }
        let correlation = RemoteCommand.shortened(message.correlation)
        do throws(RemoteCommand.Refusal) {
            try message.checkKeys(name)
            let command = name == ConfirmMessage.command ? try message.confirm() : try message.configure()
            return .success(RemoteCommand.Request(command: command, correlation: correlation, at: message.at))
        } catch {
            return .failure(RemoteCommand.Refusal(correlation: correlation, text: error.text))
        }
    }

    private func confirm() throws(RemoteCommand.Refusal) -> RemoteCommand { .confirm(try readDigest()) }

    private func configure() throws(RemoteCommand.Refusal) -> RemoteCommand {
        guard let revision = revision.flatMap({ ConfigurationRevision($0) }) else {
            throw RemoteCommand.Refusal(text: "the revision must be \(ConfigurationRevision.form)")
        }
        guard let configuration else { throw RemoteCommand.Refusal(text: "the configuration is missing") }
        let length = configuration.utf8.count
        guard length <= ConfigureMessage.longestConfiguration else {
            throw RemoteCommand.Refusal(
                text: "the configuration has \(length) bytes; at most \(ConfigureMessage.longestConfiguration) are "
                    + "allowed")
        }
        let digest = try readDigest()
        guard digest == ConfigurationDigest(of: Array(configuration.utf8)) else {
            throw RemoteCommand.Refusal(text: "the digest is not that of the configuration")
        }
        let trial = trial ?? ConfigureMessage.defaultTrial
        let trials = ConfigureMessage.trials
        guard trials.contains(trial) else {
            throw RemoteCommand.Refusal(
                text: "the trial is \(trial) s; from \(trials.lowerBound) to \(trials.upperBound) s are allowed")
        }
        return .configure(
            RolloutDocument(version: RolloutVersion(revision: revision, digest: digest), text: configuration),
            seconds: trial)
    }

    private func readDigest() throws(RemoteCommand.Refusal) -> ConfigurationDigest {
        guard let digest = digest.flatMap({ ConfigurationDigest($0) }) else {
            throw RemoteCommand.Refusal(text: "the digest must be 64 lower-case hexadecimal digits")
        }
        return digest
    }

    private func checkKeys(_ name: String) throws(RemoteCommand.Refusal) {
        let allowed = Self.keys[name] ?? []
        guard let other = names.first(where: { !allowed.contains($0) }) else { return }
        throw RemoteCommand.Refusal(
            text: "unknown key \(String(other.prefix(40)).excerpt); the keys are \(allowed.joined(separator: ", "))")
    }

    /// All names in the message, sorted.
    private var names: [String]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        names = container.allKeys.map(\.stringValue).sorted()
        correlation = try container.decodeIfPresent(String.self, forKey: AnyKey("correlation"))
        at = try container.decodeIfPresent(String.self, forKey: AnyKey("at"))
        revision = try container.decodeIfPresent(String.self, forKey: AnyKey("revision"))
        digest = try container.decodeIfPresent(String.self, forKey: AnyKey("digest"))
        configuration = try container.decodeIfPresent(String.self, forKey: AnyKey("configuration"))
        trial = try container.decodeIfPresent(Int.self, forKey: AnyKey("trial"))
    }

    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

package import OperatorText
package import Publishing
import RecordContract

/// `fleet.toml`: the broker, the key, and how a rollout proceeds.
package struct DirectorySettings: Sendable {
    package var broker: BrokerConfiguration
    /// The first level of all topics.
    package var prefix = "beacons"
    /// The site's secret for commands.
    package var keyFile: String?
    package var stages = RolloutStage.usual
    /// The gateway that a rollout begins with.
    package var first: GatewayPath?
    /// Maximum number of gateways that are configured at the same time.
    package var atOnce = 10
    package var trial: Duration = .seconds(ConfigureMessage.defaultTrial)
    /// Number of failures in a stage up to which a rollout continues.
    package var mostFailures = 0

    package static let atOnceRange = 1...200
    package static let trialRange: ClosedRange<Duration> =
        .seconds(ConfigureMessage.trials.lowerBound)...(.seconds(ConfigureMessage.trials.upperBound))

    /// - Parameters:
    ///   - file: `fleet.toml`; `nil` if there is none, which leaves everything at its default.
    ///   - path: the path of the file, for messages.
    ///   - clientID: the client identifier at the broker.
    ///   - readFile: returns the contents of a file that this one names.
    ///   - locate: returns the path of a file that this one names.
    /// - Throws: `ConfigurationError` with all problems.
    package static func read(
        _ file: RolloutFile?, path: String, clientID: String, secrets: SecretAccess,
        readFile: (String) throws -> [UInt8], locate: (String) -> String
    ) throws(ConfigurationError) -> DirectorySettings {
        var settings = DirectorySettings(broker: BrokerConfiguration(host: "localhost", port: 1883, clientID: clientID))
        guard let file else { return settings }
        let problems = TOMLReader.Problems()
        guard let root = TOMLReader(file.text, problems: problems) else {
            throw ConfigurationError(path: path, problems: problems.all)
        }
        if let table = try? TOMLParser.parse(file.text) {
            problems.all += LiteralSecrets.paths(in: table).map { place, position in
                ConfigurationProblem(
                    location: place, position: position, found: "is a secret",
                    allowed: "must be in a file of its own, outside of git")
            }
        }
        if let broker = root.table("broker") {
            let prefix = broker.parsed("prefix", allowed: "a level of topics: a-z, 0-9 and hyphens") {
                Topics.isLevel($0) ? $0 : nil
            }
            settings.prefix = prefix ?? settings.prefix
            settings.broker = BrokerSettings.read(
                broker, clientID: clientID, secrets: secrets, readFile: readFile, locate: locate)
        }
        settings.keyFile = root.string("key-file").map(locate)
        if let apply = root.table("apply") { settings.readApply(apply) }
        root.finish()
        guard problems.all.isEmpty else { throw ConfigurationError(path: path, problems: problems.all) }
        return settings
    }

    private mutating func readApply(_ reader: TOMLReader) {
        defer { reader.finish() }
        if let texts = reader.strings("stages") {
            stages = texts.enumerated().compactMap { index, text in
                if let stage = RolloutStage(text) { return stage }
                reader.report(
                    "stages[\(index)]", found: "found \(text.excerpt)", allowed: "must be \(RolloutStage.form)")
                return nil
            }
            if texts.isEmpty { reader.report("stages", found: "is empty", allowed: "must name a stage, or be omitted") }
        }
        first = reader.parsed("first", allowed: "a gateway: \"campus/main/1/east\"") { GatewayPath($0) }
        atOnce = reader.integer("at-once", in: Self.atOnceRange) ?? atOnce
        trial = reader.duration("trial", in: Self.trialRange) ?? trial
        mostFailures = reader.integer("most-failures", in: 0...10_000) ?? mostFailures
    }
}

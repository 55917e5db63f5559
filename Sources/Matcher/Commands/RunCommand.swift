import ArgumentParser
import CommandSupport
import InteractionStore
import Logging
import MatcherCore
import MatcherDaemon
import OperatorText
import PictureReading
import Publishing
import SystemIO
import UnixSignals

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Runs the daemon: subscribes to the records of gateways and stores them.",
        discussion: """
            A record is on disk before it is acknowledged to the broker, and before the gateway learns on `stored` \
            that it can delete it. A second process with the same client-id is a standby: it takes over when the \
            active process exits.
            On SIGHUP, reloads the configuration and the files that it names: policies, rooms, neighbours, attendance, \
            floor plans, authorities and the operator's token take effect at once, the log names the changes that need a restart, \
            and an invalid configuration is rejected.
            """)

    @Option(help: ArgumentHelp("The matcher's configuration, a TOML file.", valueName: "file"))
    var config: String

    @Flag(help: "Check the configuration, report problems, and exit.")
    var check = false

    @Option(
        help: "trace, debug, info, notice, warning, error or critical (default: info).",
        transform: ProgramLogger.level)
    var logLevel = Logger.Level.info

    func run() async throws {
        Heap.giveBack()
        // First of all: SIGHUP must not end a daemon.
        let hangUps = await UnixSignalsSequence(trapping: .sighup)
        try await Terminal.run {
            let secrets = ConfigurationFile.secrets(isTolerant: check)
            let configuration = try MatcherConfiguration.load(config, secrets: secrets)
            if check {
                try Self.check(configuration, config, secrets)
                return
            }
            let logger = ProgramLogger.make("beacon-matcher", level: logLevel)
            for warning in configuration.warnings {
                logger.warning("unsafe setting", metadata: ["setting": "\(warning.text)"])
            }
            for line in configuration.localisation?.warnings ?? [] {
                logger.warning("floor plan incomplete", metadata: ["found": "\(line)"])
            }
            if let line = configuration.phoneNote { logger.notice("\(line)") }
            if let line = configuration.reports.pseudonymKeysLine { logger.info("\(line)") }
            try await Daemon(
                configuration: configuration,
                load: { [config] in
                    try MatcherConfiguration.load(config, secrets: ConfigurationFile.secrets())
                },
                hangUps: hangUps, announcer: .ofEnvironment(), logger: logger
            ).run()
        }
    }

    /// Says what is to be known of a configuration without mistakes.
    ///
    /// - Throws: `StoreError` for a store that everybody may read or change.
    static func check(_ configuration: MatcherConfiguration, _ path: String, _ secrets: SecretAccess) throws {
        for line in secrets.uncheckedLines { Terminal.note(line) }
        for warning in configuration.warnings { Terminal.note("warning: \(warning.text)") }
        for line in configuration.localisation?.warnings ?? [] { Terminal.note("warning: \(line)") }
        if let line = configuration.phoneNote { Terminal.note("note: \(line)") }
        if let obstacle = configuration.pictureObstacle() {
            Terminal.note(
                "warning: pictures of test results are taken on the page, but not read: \(obstacle.what)"
                    + (obstacle.remedy.map { "; \($0)" } ?? ""))
        }
        try InteractionStore.check(configuration.store)
        Terminal.note(
            "\(path) is valid: stores \(configuration.filters.joined(separator: ", ")) in "
                + "\(configuration.store)"
        )
        if let line = configuration.reports.pseudonymKeysLine { Terminal.note(line) }
        if let line = configuration.commandsLine { Terminal.note(line) }
    }
}

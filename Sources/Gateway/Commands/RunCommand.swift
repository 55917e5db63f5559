import ArgumentParser
import BeaconModel
import BlueZScanner
import Logging
import MQTTBridge

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "The daemon: provisions the modules, scans, and publishes interactions to MQTT.",
        discussion: """
            Ends cleanly on SIGTERM and on Ctrl-C: scanning off, open interactions ended, `stopping` published.
            Logs to standard error. What it publishes: docs in README.md, "Topics".
            """)

    @Option(help: ArgumentHelp("The TOML file that says where this gateway is and what it does.", valueName: "file"))
    var config: String

    @Flag(help: "Check the configuration, say what is wrong, and end.")
    var check = false

    @Option(help: "trace, debug, info, notice, warning, error or critical.")
    var logLevel: LogLevelArgument = LogLevelArgument(level: .info)

    func run() async throws {
        try await Terminal.run {
            let configuration = try Configuration.load(config)
            if check {
                Terminal.note("\(config) is good: publishes below \(configuration.topics.root)/")
                return
            }
            let daemon = Daemon(
                configuration: configuration, openSource: { try HCIScanner(adapter: configuration.adapter) },
                logger: makeLogger(level: logLevel.level))
            try await daemon.run()
        }
    }
}

struct LogLevelArgument: ExpressibleByArgument {
    var level: Logger.Level

    init(level: Logger.Level) { self.level = level }

    init?(argument: String) {
        guard let level = Logger.Level(rawValue: argument) else { return nil }
        self.level = level
    }

    var defaultValueDescription: String { level.rawValue }
}

/// Logs go to standard error; standard output is for results.
func makeLogger(level: Logger.Level) -> Logger {
    var logger = Logger(label: "beacon-gateway") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = level
    return logger
}

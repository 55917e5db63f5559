import ArgumentParser
import BeaconModel
import BlueZScanner
import CommandSupport
import GatewayCore
import GatewayDaemon
import Logging
import OperatorText
import Publishing
import RecordContract
import UnixSignals

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs the daemon: provisions the modules, scans, and publishes interactions to MQTT.",
        discussion: """
            On SIGTERM or Ctrl-C, stops scanning, ends open interactions, publishes `stopping` and exits.
            On SIGHUP, reloads the configuration: the inventory, [rs9116], [commands] and [signals] take effect at \
            once, the log names the changes that need a restart, and an invalid configuration is rejected. \
            Certificates are reloaded when they change.
            Logs to standard error. docs/guide/topics.md describes the published messages.
            """)

    @Option(help: ArgumentHelp("The gateway's configuration, a TOML file.", valueName: "file"))
    var config: String

    @Flag(help: "Check the configuration, report problems, and exit.")
    var check = false

    @Option(
        help: "trace, debug, info, notice, warning, error or critical (default: info).", transform: OptionValue.logLevel
    )
    var logLevel = Logger.Level.info

    @Option(help: .hidden, transform: OptionValue.simulatedReports)
    var simulatedReports: Int?

    @Option(help: .hidden, transform: OptionValue.simulatedReports)
    var simulatedBatch = 1

    @Option(help: .hidden)
    var simulatedFault: CrowdRadio.Fault?

    func run() async throws {
        // Trap this before anything else: SIGHUP must not end a daemon.
        let hangUps = await UnixSignalsSequence(trapping: .sighup)
        try await Terminal.run {
            let secrets = ConfigurationFile.secrets(isTolerant: check)
            let configuration = try Configuration.load(config, secrets: secrets)
            if check {
                for line in secrets.uncheckedLines { Terminal.note(line) }
                for warning in configuration.warnings {
                    Terminal.note("warning: \(warning.text)")
                }
                Terminal.note("\(config) is valid: publishes below \(configuration.topics.root)/")
                return
            }
            let log = ProgramLog(level: logLevel)
            let logger = ProgramLogger.make("beacon-gateway", log: log)
            for warning in configuration.warnings {
                logger.warning("unsafe setting", metadata: ["setting": "\(warning.text)"])
            }
            let daemon = Daemon(
                configuration: configuration, makeSources: makeSources(configuration),
                load: { [config] in try Configuration.load(config, secrets: ConfigurationFile.secrets()) },
                hangUps: hangUps, announcer: .ofEnvironment(), logger: logger, log: log)
            try await daemon.run()
        }
    }

    private func makeSources(_ configuration: Configuration) -> @Sendable () throws -> [any RadioSource] {
        guard let simulatedReports else {
            return {
                let path = configuration.scanPath ?? .automatic()
                return try configuration.adapters.map { try AdapterScanner($0, path: path) }
            }
        }
        return { [simulatedBatch, simulatedFault] in
            [try CrowdRadio(rate: simulatedReports, batch: simulatedBatch, fault: simulatedFault)]
        }
    }
}

func makeLogger(level: Logger.Level) -> Logger { ProgramLogger.make("beacon-gateway", level: level) }

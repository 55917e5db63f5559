import ArgumentParser
import BeaconModel
import BlueZScanner
import CommandSupport
import GatewayCore
import GatewayDaemon
import Logging
import MQTTBridge
import OperatorText
import Publishing
import RecordContract
import SystemIO
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
            if check { return try checkConfiguration() }
            let log = ProgramLog(level: logLevel)
            let logger = ProgramLogger.make("beacon-gateway", log: log)
            let inUse = try ConfigurationInUse.begin(config, logger: logger)
            let configuration = inUse.configuration
            for warning in configuration.warnings {
                logger.warning("unsafe setting", metadata: ["setting": "\(warning.text)"])
            }
            let daemon = Daemon(
                configuration: configuration, makeSources: makeSources(configuration),
                load: { try inUse.reloaded() }, hangUps: hangUps, inUse: inUse, announcer: .ofEnvironment(),
                logger: logger, log: log)
            try await run(daemon, inUse)
        }
    }

    /// Runs the daemon, and starts the program again if another configuration is to be used.
    private func run(_ daemon: Daemon, _ inUse: ConfigurationInUse) async throws {
        let endings = await EndingNotice()
        do {
            try await daemon.run()
            guard daemon.restart.isMade, !endings.isAsked else { return }
        } catch {
            // Whoever started the program might not start it again after some errors.
            guard !endings.isAsked,
                inUse.leaveTrial(because: "the program ended: \(error.inOneLine)", logger: daemon.logger)
            else { throw error }
            daemon.logger.error("program cannot run with this configuration", metadata: .init(describing: error))
            daemon.announcer.restarting()
        }
        throw ProgramImage.runAgain()
    }

    private func checkConfiguration() throws {
        let secrets = ConfigurationFile.secrets(isTolerant: true)
        let configuration = try Configuration.load(config, secrets: secrets)
        for line in secrets.uncheckedLines { Terminal.note(line) }
        for warning in configuration.warnings { Terminal.note("warning: \(warning.text)") }
        Terminal.note("\(config) is valid: publishes below \(configuration.topics.root)/")
        let remote = ConfigurationFile.secrets(isTolerant: true)
        let inUse = try ConfigurationInUse.load(config, secrets: remote)
        guard inUse.record.phase != .local else { return }
        for line in remote.uncheckedLines { Terminal.note(line) }
        Terminal.note("configured from afar, in use: \(inUse.text)")
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

import BeaconModel
import BlueZScanner
package import CommandSupport
package import GatewayCore
import HCI
import Integrations
package import Logging
import MQTTBridge
import OperatorText
import Proximity
import Publishing
import RecordContract
import RecordOutbox
package import ServiceLifecycle
import SystemIO
package import UnixSignals

/// The gateway, with all its parts, from configuration to shutdown.
package struct Daemon: Sendable {
    package var configuration: Configuration
    package var makeSources: @Sendable () throws -> [any RadioSource]
    /// Reads the configuration again.
    package var load: @Sendable () throws -> Configuration
    /// SIGHUP signals that trigger a reload; `nil`: SIGHUP ends the gateway.
    package var hangUps: UnixSignalsSequence?
    /// Signals that end the gateway; `nil`: the usual ones. Without any, the service group around the gateway ends it.
    package var endingSignals: [UnixSignal]?
    /// Tells the service manager how the gateway does.
    package var announcer: ServiceAnnouncer
    /// How the configuration came about, for a gateway that can be configured from afar; `nil`: it cannot.
    package var inUse: ConfigurationInUse?
    /// Whether the program is to start again after `run`.
    package let restart = RestartRequest()
    /// The liveness of the gateway while it runs.
    package let board = LivenessBoard()
    /// Called with the port of `/metrics` and `/healthz`.
    var watched: @Sendable (Int) -> Void = { _ in }
    package var logger: Logger
    /// The log of the program, whose level can be changed at the local socket.
    package var log: ProgramLog

    package init(
        configuration: Configuration, makeSources: @escaping @Sendable () throws -> [any RadioSource],
        load: @escaping @Sendable () throws -> Configuration, hangUps: UnixSignalsSequence? = nil,
        endingSignals: [UnixSignal]? = nil, inUse: ConfigurationInUse? = nil,
        announcer: ServiceAnnouncer = ServiceAnnouncer(nil), logger: Logger,
        log: ProgramLog? = nil
    ) {
        self.configuration = configuration
        self.makeSources = makeSources
        self.load = load
        self.hangUps = hangUps
        self.endingSignals = endingSignals
        self.inUse = inUse
        self.announcer = announcer
        self.logger = logger
        self.log = log ?? ProgramLog(level: logger.logLevel)
    }

    /// Runs until a signal ends the gateway.
    ///
    /// - Parameter companions: services that run as long as the gateway does.
    package func run(companions: [any Service] = []) async throws {
        await ClockService.refresh()
        let state = StateDirectory(path: self.configuration.stateDirectory)
        if inUse?.isLocked != true {
            try state.lock {
                logger.warning("state format unreadable or not written", metadata: ["because": "\($0)"])
            }
        }
        let boot = try state.nextBoot(now: WallClock.now()) {
            logger.warning("boot counter unreadable, continuing from the clock", metadata: ["because": "\($0)"])
        }
        var configuration = configurationOfRun(state)
        let topics = configuration.topics
        let outbox = try await openOutbox(state, configuration.outbox)
        let publisher = makePublisher(outbox, state, boot: boot)
        let outputs = try await makeOutputs(publisher)
        // Without any output this service only deletes the retained topics of earlier outputs.
        let liveOutputs = configuration.outputs.isEmpty ? nil : outputs.service
        await outputs.service?.take(
            .named(configuration.outputs.isEmpty ? [] : configuration.namedBeacons(configuration.inventory)))
        let sources = try makeSources()
        let gateway = GatewayState(
            info: GatewayInfo(
                version: ProductVersion.number, boot: boot, startedAt: WallClock.now().rfc3339,
                adapters: sources.map { .init(name: $0.name, scan: "off") }, modules: []),
            topics: topics, publisher: publisher, outputs: liveOutputs,
            named: { [configuration] in configuration.namedBeacons($0) })
        await gateway.announce()
        logger.info(
            "starting",
            metadata: ["version": "\(ProductVersion.number)", "boot": "\(boot)", "topics": "\(topics.root)/#"])
        let audience = Audience(
            listedUUIDs: configuration.listedUUIDs, includesPhones: configuration.pseudonymSecret != nil)
        let inbox = RadioInbox()
        let signals = SignalsQueue()
        let watch = GatewayWatcher(
            settings: configuration.metrics,
            collector: GatewayCollector(
                gateway: gateway, publisher: publisher, outbox: outbox, signals: signals, place: configuration.place,
                boot: boot, liveness: { [board] in board.liveness }), logger: logger, listening: watched)
        let fleet = try FleetService(
            inventory: configuration.inventory, bindingsBeside: configuration.inventoryFile.map { .beside($0) },
            state: state, profile: configuration.moduleProfile, topics: topics,
            publisher: publisher, gateway: gateway, radio: inbox, meters: watch.meters, logger: logger,
            reload: { [load] in try load().inventory })
        let receivers = RemoteReceiverService(
            receivers: configuration.remoteReceivers, inbox: inbox, isConnected: { await publisher.isConnected },
            subscribe: { await publisher.subscribe(to: $0) })
        let rollout = inUse.map { [board] inUse in
            RolloutService(
                inUse: inUse, boot: boot, publisher: publisher, announcer: announcer, restart: restart, logger: logger,
                liveness: { board.liveness })
        }
        let commands = await makeCommands(publisher, fleet, inbox, rollout, gateway, state)
        let reload = GatewayReload(
            started: self.configuration, fleet: fleet, commands: commands, radio: inbox, load: load)
        let reloading: [any Service] =
            hangUps.map { signals in
                [
                    ReloadService(signals: signals, announcer: announcer, logger: logger) {
                        try await reload.reload()
                    }
                ]
            } ?? []
        let exchange = try makeExchange(inbox)
        // Phones are collected only where somebody asks them.
        if exchange == nil { configuration.exchange.rules.apps = [] }
        let observer = GatewayObserver(
            gateway: gateway, outbox: outbox, publisher: publisher, adapters: sources.map(\.name))
        // Services are shut down from last to first, so that the radio's last records still find the publisher running.
        var services: [any Service] = [
            SupervisionService(
                board: board, announcer: announcer, logger: logger,
                observe: { .init(await observer.observe()) }, obstacle: { await fleet.obstacleToEnd }),
            PublisherService(publisher: publisher, outbox: outbox, logger: logger),
        ]
        if let homie = outputs.homie { services.append(homie) }
        if let liveOutputs { services.append(liveOutputs) }
        services += companions
        services.append(
            HealthService(
                publisher: publisher, outbox: outbox, gateway: gateway, topic: topics.health, boot: boot,
                takeovers: TakeoversFile(stateDirectory: state.path), logger: logger, key: configuration.signingKey,
                pseudonymKey: configuration.pseudonymSecret.map(Pseudonymizer.keyID(of:)), signals: signals))
        services.append(fleet)
        if let exchange { services.append(exchange) }
        services.append(
            RadioService(
                sources: sources, audience: audience, configuration: configuration, boot: boot, publisher: publisher,
                gateway: gateway, fleet: fleet, exchange: exchange, outputs: liveOutputs,
                presence: PresenceFiles(directory: configuration.stateDirectory), signals: signals, inbox: inbox,
                meters: watch.meters, logger: logger))
        services += [receivers, commands]
        if let rollout { services.append(rollout) }
        if let listener = watch.listener { services.append(listener) }
        services += reloading
        if let path = configuration.localSocket.path(stateDirectory: state.path) {
            let desk = LocalDesk(
                configuration: configuration, boot: boot, gateway: gateway, fleet: fleet, publisher: publisher,
                outbox: outbox, log: log, audit: AuditLog(path: state.path + "/audit.jsonl", actor: "local"),
                logger: logger, rollout: rollout, liveness: { [board] in board.liveness },
                reload: { [announcer] in try await announcer.reloading { try await reload.reload() } })
            services.append(LocalService(path: path, desk: desk, logger: logger))
        }
        services += [ClockService(logger: logger), StoppingNotice(announcer)]
        try await run(services)
    }

    /// Returns the configuration with what is decided at the start of each run.
    private func configurationOfRun(_ state: StateDirectory) -> Configuration {
        var configuration = configuration
        // A random seed, so that an attacker who floods the radio cannot know which identities share a slot in the
        // tables.
        configuration.rules.seed = .random(in: .min ... .max)
        let delay = OutboxRules.writeDelay(
            configuration.outbox.writeDelay, isOnCard: StorageMedium(of: state.path) == .card)
        if delay != configuration.outbox.writeDelay {
            configuration.outbox.writeDelay = delay
            logger.info(
                "state directory on an SD card, delaying writes",
                metadata: ["outbox.write-delay": "1s", "path": "\(state.path)"])
        }
        return configuration
    }

    private func openOutbox(_ state: StateDirectory, _ rules: OutboxRules) async throws -> Outbox {
        let outbox = try await Outbox.open(state.outboxPath, rules: rules, now: .now())
        for finding in outbox.findings {
            logger.error("outbox", metadata: ["found": "\(finding.what)", "remedy": "\(finding.remedy ?? "-")"])
        }
        return outbox
    }

    private func makePublisher(_ outbox: Outbox, _ state: StateDirectory, boot: UInt64) -> MQTTPublisher {
        let topics = configuration.topics
        return MQTTPublisher(
            configuration: configuration.broker,
            announcement: GatewayStatus(boot: boot).announcement(topic: topics.status), outbox: outbox,
            storedTopic: configuration.outbox.confirmation == .consumer ? topics.stored : nil,
            signer: configuration.signingKey,
            memory: BrokerMemory(path: state.path + "/brokers.json"), logger: logger)
    }

    private func makeCommands(
        _ publisher: MQTTPublisher, _ fleet: FleetService, _ inbox: RadioInbox, _ rollout: RolloutService?,
        _ gateway: GatewayState, _ state: StateDirectory
    ) async -> CommandService {
        let topics = configuration.topics
        return CommandService(
            admission: CommandAdmission(
                topics: topics, prefix: configuration.topicsOfAll, rules: configuration.commands,
                start: WallClock.now()),
            messages: await publisher.subscribe(to: topics.commands),
            send: { await publisher.publishOnce($0) }, fleet: fleet, radio: inbox, rollout: rollout,
            audit: AuditLog(path: state.path + "/audit.jsonl", actor: "mqtt"), gateway: gateway, logger: logger)
    }

    /// Runs services until a signal ends the gateway. They are shut down from last to first.
    private func run(_ services: [any Service]) async throws {
        try await ServiceGroup(
            configuration: .init(
                services: services.map {
                    .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
                },
                gracefulShutdownSignals: endingSignals
                    ?? (hangUps == nil ? EndingSignals.all : [.sigterm, .sigint]),
                logger: logger)
        ).run()
    }

    /// Creates the output service, and the separate connection that carries Homie's last will.
    private func makeOutputs(
        _ publisher: MQTTPublisher
    ) async throws -> (service: OutputService?, homie: PublisherService?) {
        let file = RetainedTopicsFile(path: configuration.stateDirectory + "/outputs.json")
        var retained = RetainedTopics()
        do {
            retained = try file.read()
        } catch {
            logger.error("retained-topics file unreadable", metadata: .init(describing: error))
        }
        guard !configuration.outputs.isEmpty || retained != RetainedTopics() else { return (nil, nil) }
        let outputs = Outputs(
            settings: configuration.outputs, gateway: configuration.outputGateway, retained: retained)
        var homie: PublisherService?
        if let announcement = outputs.homieAnnouncement {
            var broker = configuration.broker
            broker.clientID += "_homie"
            // This connection carries only states.
            let outbox = try await Outbox.open(nil, rules: configuration.outbox, now: .now())
            homie = PublisherService(
                publisher: MQTTPublisher(
                    configuration: broker, announcement: announcement, outbox: outbox, logger: logger),
                outbox: outbox, logger: logger)
        }
        let service = OutputService(
            outputs: outputs, publisher: publisher, homie: homie?.publisher, file: file, logger: logger)
        return (service, homie)
    }

    private func makeExchange(_ radio: RadioInbox) throws -> ExchangeService? {
        let settings = configuration.exchange
        guard settings.isOn else { return nil }
        guard (configuration.scanPath ?? .automatic()) == .raw else {
            logger.warning("code exchange disabled, requires raw HCI")
            return nil
        }
        let file = ContactCodeFile(path: settings.ownCodePath(inStateDirectory: configuration.stateDirectory))
        let code = try file.read { .random(in: .min ... .max) }
        return ExchangeService(rules: settings.rules, ownCode: code, logger: logger) { await radio.send(.learned($0)) }
    }
}

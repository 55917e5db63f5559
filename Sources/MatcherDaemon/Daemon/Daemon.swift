import BeaconModel
package import CommandSupport
import HTTPClient
import InteractionStore
package import Logging
import MQTTBridge
import MatcherCore
import Metering
import Pages
import RecordContract
import ServiceLifecycle
import SystemIO
package import UnixSignals

/// The running program, which connects its services.
package struct Daemon {
    package var configuration: MatcherConfiguration
    /// Reads the configuration again.
    package var load: @Sendable () throws -> MatcherConfiguration
    /// SIGHUP signals, each of which reloads the configuration.
    package var hangUps: UnixSignalsSequence
    /// Tells the service manager how the matcher does.
    package var announcer: ServiceAnnouncer
    /// The liveness of the matcher while it runs.
    package let board = LivenessBoard()
    package var logger: Logger
    var listening: @Sendable (Int) -> Void = { _ in }
    /// Called with the port of `/metrics` and `/healthz`.
    var watched: @Sendable (Int) -> Void = { _ in }

    package init(
        configuration: MatcherConfiguration, load: @escaping @Sendable () throws -> MatcherConfiguration,
        hangUps: UnixSignalsSequence, announcer: ServiceAnnouncer = ServiceAnnouncer(nil), logger: Logger,
        listening: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.load = load
        self.hangUps = hangUps
        self.announcer = announcer
        self.logger = logger
        self.listening = listening
    }

    /// Runs the services until the program ends.
    ///
    /// - Throws: `StoreError`; the error that ended a service.
    package func run() async throws {
        await ClockService.refresh()
        var daemon = self
        // The store of an earlier version is upgraded.
        let store = try announcer.takingLonger("opening the store") {
            try configuration.openStore(report: { progress in
                logger.notice("\(progress.text)")
                announcer.status(progress.text, isUrgent: true)
            })
        }
        daemon.configuration = try configuration.withClientID(from: store).withDrawnFloors(of: store)
        for line in daemon.configuration.localisation?.drawnWarnings ?? [] {
            logger.warning("drawn floor not used", metadata: ["found": "\(line)"])
        }
        try await daemon.serve()
    }

    private func serve() async throws {
        let opened = try configuration.openStore()
        try opened.setNeighbours(configuration.neighbourDistances)
        try opened.setFixedBeacons(configuration.fixedBeacons, now: WallClock.now().microseconds / 1_000_000)
        let store = SharedStore(opened)
        let activation = Activation()
        let gateways = GatewayWatch()
        let parts = ReloadableParts(configuration)
        let watcher = MatcherWatcher(configuration.metrics)
        let keeper = RecordKeeper(
            store: store, prefix: configuration.topicPrefix, filters: configuration.filters, gateways: gateways,
            meters: watcher.meters, logger: logger, verifier: { parts.configuration.current.signing },
            pseudonymKeys: { parts.configuration.current.reports.pseudonymKeys.map(Pseudonymizer.keyID(of:)) })
        let publisher = try await PublisherService.make(configuration, logger: logger)
        let answers = try await answering(activation, gateways, parts, publisher, watcher.meters)
        let reload = MatcherReload(
            started: configuration, parts: parts, store: store, api: answers.api, live: answers.live, load: load)
        let observer = MatcherObserver(progress: keeper.progress, publisher: publisher)
        let collector = MatcherCollector(
            observer: observer, gateways: gateways, filters: configuration.filters.count,
            size: StoreSize(location: configuration.store, store: store), liveness: { [board] in board.liveness })
        let listener = watcher.listener(configuration.metrics, collector, logger: logger, listening: watched)
        let services: [any Service] =
            [
                // Shut down last.
                SupervisionService(
                    board: board, announcer: announcer, logger: logger, observe: { .init(await observer.observe()) }),
                RetentionService(
                    store: store, configuration: parts.configuration, meters: watcher.meters, logger: logger),
                ConsumerService(
                    configuration: configuration, keeper: keeper, activation: activation, meters: watcher.meters,
                    logger: logger),
            ] + answers.services + (listener.map { [$0] } ?? []) + [
                HeapService(), ClockService(logger: logger),
                ReloadService(signals: hangUps, announcer: announcer, logger: logger) { try await reload.reload() },
                StoppingNotice(announcer),
            ]
        try await ServiceGroup(
            configuration: .init(
                services: services.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        ).run()
    }

    /// Creates the services that answer requests and publish results. They have connections of their own to the store,
    /// so that requests do not wait for records to be stored.
    private func answering(
        _ activation: Activation, _ gateways: GatewayWatch, _ parts: ReloadableParts, _ publisher: MQTTPublisher,
        _ meters: Meters
    ) async throws -> (services: [any Service], api: Reloadable<APIService>?, live: LivePlaces) {
        let store = SharedStore(try configuration.openStore(isForAnswers: true))
        // A second connection: requests do not wait for settling.
        let settled = SharedStore(try configuration.openStore(isForAnswers: true))
        // A third connection: requests do not wait for matching or for the occupancy of all rooms.
        let matched = SharedStore(try configuration.openStore(isForAnswers: true))
        let secrets = SubjectSecrets(secret: try store.use { try $0.secret("subjects") })
        let room = StreamRoom()
        let streams = NoticeStreams(room: room)
        let webhook = configuration.notices.webhook.map { address in
            Webhook(
                address: address, key: configuration.notices.webhookKey ?? [], client: HTTPClient(), logger: logger)
        }
        let leader = StoreLeader(store: configuration.store)
        let live = LivePlaces(
            configuration.localisation, secrets: secrets, prefix: configuration.topicPrefix, logger: logger,
            room: room, facts: { gateways.facts })
        var services: [any Service] = [
            PublisherService(publisher: publisher, activation: activation),
            SettlingService(
                store: settled, leader: leader, activation: activation, meters: meters, logger: logger),
            StayService(
                store: settled, configuration: parts.configuration, leader: leader, activation: activation,
                meters: meters, logger: logger),
            ReceiverService(
                store: settled, configuration: parts.configuration, leader: leader, activation: activation,
                logger: logger),
            OccupancyService(
                store: matched, search: parts.occupancy, gateways: gateways, live: live,
                topicPrefix: configuration.topicPrefix,
                publisher: publisher, leader: leader, activation: activation, meters: meters, logger: logger),
            NoticeService(
                store: matched, matching: parts.matching,
                reportDays: configuration.reports.retention, streams: streams, secrets: secrets,
                topicPrefix: configuration.topicPrefix, publisher: publisher, webhook: webhook,
                leader: leader, activation: activation, meters: meters, logger: logger),
            LiveService(
                places: live, configuration: parts.configuration, store: store, secrets: secrets, publisher: publisher,
                leader: leader, activation: activation, logger: logger),
        ]
        if let settings = configuration.mail {
            services.append(
                MailService(
                    store: matched, configuration: parts.configuration, matching: parts.matching,
                    mailer: Mailer(
                        settings: settings, client: MailClient(),
                        key: Array(try store.use { try $0.secret("mail") }.utf8)),
                    leader: leader, activation: activation, now: { WallClock.now().microseconds / 1_000_000 },
                    logger: logger))
        }
        guard let settings = configuration.api else {
            let floors = DrawnFloors(store: store, configuration: parts.configuration, live: live)
            services.append(DrawnFloorService(floors: floors, activation: activation, logger: logger))
            return (services, nil, live)
        }
        let api = Reloadable(
            try await apiService(settings, parts, store: store, secrets: secrets, streams, gateways, live))
        let floors = DrawnFloors(store: store, configuration: parts.configuration, api: api, live: live)
        services.append(DrawnFloorService(floors: floors, activation: activation, logger: logger))
        let commands = CommandSender(publisher: publisher, prefix: configuration.topicPrefix, logger: logger)
        if let settings = configuration.commands {
            await commands.listen()
            logger.notice("commands to modules on", metadata: ["signed": "\(settings.isSigned)"])
        }
        services.append(
            APIServer(
                settings: settings, service: api, page: try pageParts(store, floors, commands), activation: activation,
                meters: meters, logger: logger, listening: listening))
        return (services, api, live)
    }

    /// Creates the operations of the API.
    private func apiService(
        _ settings: APISettings, _ parts: ReloadableParts, store: SharedStore, secrets: SubjectSecrets,
        _ streams: NoticeStreams, _ gateways: GatewayWatch, _ live: LivePlaces
    ) async throws -> APIService {
        let codes = try await CodeAuthority(store: store)
        return APIService(
            store: store, policy: configuration.policy, secrets: secrets,
            verifier: await ReportVerifier(configuration.reports, codes: codes),
            pseudonymizers: configuration.reports.pseudonymKeys.map { Pseudonymizer(secret: $0) },
            pages: try await PositivePages(store: store), notices: streams,
            topicPrefix: configuration.topicPrefix,
            budgets: LockedValue(RequestBudgets(perMinute: settings.requestsPerMinute)),
            stayBudgets: LockedValue(
                RequestBudgets(perMinute: settings.requestsPerMinute * APIService.staysPerRequest)),
            codes: codes, operators: configuration.operators, occupancy: parts.occupancy.current, gateways: gateways,
            configuration: configuration, live: live, phoneLocator: PhoneLocator(store: store),
            now: { WallClock.now().microseconds / 1_000_000 })
    }

    /// Creates the parts of the page; `nil` if it is disabled.
    private func pageParts(
        _ store: SharedStore, _ floors: DrawnFloors, _ commands: CommandSender
    ) throws -> PageService.PageParts? {
        guard let page = configuration.page else { return nil }
        return PageService.PageParts(
            renderer: try PageRenderer(), formKey: Array(try store.use { try $0.secret("forms") }.utf8),
            login: page.login.map { LoginClient($0, http: HTTPClient(), logger: logger) },
            floorsChanged: { try await floors.refresh() }, commands: commands,
            pictures: PictureIntake(configuration.pictures, logger: logger))
    }
}

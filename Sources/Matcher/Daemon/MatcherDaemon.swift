import BeaconModel
import HTTPClient
import InteractionStore
import Logging
import MQTTBridge
import ServiceLifecycle
import SystemIO
import UnixSignals

/// The parts of the running program, wired.
struct MatcherDaemon {
    var configuration: MatcherConfiguration
    var logger: Logger
    var listening: @Sendable (Int) -> Void = { _ in }

    /// - Throws: `StoreError`; what ends a part.
    func run() async throws {
        let opened = try InteractionStore.open(configuration.store, retention: configuration.retention)
        try opened.setNeighbours(configuration.neighbourDistances)
        try opened.setFixedBeacons(configuration.fixedBeacons, now: WallClock.now().microseconds / 1_000_000)
        let store = SharedStore(opened)
        let duty = Duty()
        let gateways = GatewayWatch()
        let keeper = RecordKeeper(
            store: store, prefix: configuration.topicPrefix, filters: configuration.filters, gateways: gateways,
            logger: logger)
        var services: [any Service] = [
            RetentionService(store: store, configuration: configuration, logger: logger),
            ConsumerService(configuration: configuration, keeper: keeper, duty: duty, logger: logger),
        ]
        services += try await answering(duty, gateways)
        try await ServiceGroup(
            configuration: .init(
                services: services.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        ).run()
    }

    /// What answers and tells: by a connection of its own to the store, so that who asks doesn't wait for what is stored.
    private func answering(_ duty: Duty, _ gateways: GatewayWatch) async throws -> [any Service] {
        let store = SharedStore(
            try InteractionStore.open(
                configuration.store, retention: configuration.retention, isForAnswers: true))
        let secrets = SubjectSecrets(secret: try store.use { try $0.secret("subjects") })
        let board = NoticeBoard()
        let publisher = try await PublisherService.make(configuration, logger: logger)
        let webhook = configuration.notices.webhook.map { address in
            Webhook(
                address: address, key: configuration.notices.webhookKey ?? [], client: HTTPClient(), logger: logger)
        }
        let spokesman = Spokesman(store: configuration.store)
        let occupancy = OccupancySearch(rooms: configuration.rooms, kinds: configuration.occupancyKinds)
        var services: [any Service] = [
            PublisherService(publisher: publisher, duty: duty),
            OccupancyService(
                store: store, search: occupancy, gateways: gateways, topicPrefix: configuration.topicPrefix,
                publisher: publisher, spokesman: spokesman, duty: duty, logger: logger),
            NoticeService(
                store: store,
                matching: ReportMatching(policy: configuration.policy, retention: configuration.retention),
                reportDays: configuration.reports.retention, board: board, secrets: secrets,
                topicPrefix: configuration.topicPrefix, publisher: publisher, webhook: webhook,
                spokesman: spokesman, duty: duty, logger: logger),
        ]
        if let settings = configuration.api {
            let service = APIService(
                store: store, policy: configuration.policy, secrets: secrets,
                verifier: await ReportVerifier(
                    authorities: configuration.reports.authorities, audience: configuration.reports.audience),
                pseudonymizer: configuration.reports.pseudonymKey.map { Pseudonymizer(secret: $0) },
                pages: try await PositivePages(store: store), notices: board, topicPrefix: configuration.topicPrefix,
                budgets: LockedValue(RequestBudgets(perMinute: settings.requestsPerMinute)),
                stayBudgets: LockedValue(
                    RequestBudgets(perMinute: settings.requestsPerMinute * APIService.staysPerRequest)),
                operatorToken: settings.operatorToken, occupancy: occupancy, gateways: gateways,
                configuration: configuration,
                now: { WallClock.now().microseconds / 1_000_000 })
            services.append(
                APIServer(settings: settings, service: service, duty: duty, logger: logger, listening: listening))
        }
        return services
    }
}

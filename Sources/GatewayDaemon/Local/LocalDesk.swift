import AsyncAlgorithms
import BeaconModel
import CommandSupport
import GatewayCore
import Glibc
import Logging
import MQTTBridge
import ModuleDialogues
import OperatorText
import Publishing
import RecordContract
import RecordOutbox
import ServiceLifecycle
import SystemIO
import Watching

/// Carries out what is asked at the local socket.
actor LocalDesk {
    private let configuration: Configuration
    private let boot: UInt64
    private let startedAt = WallClock.now()
    private let start = ContinuousClock.now
    private let gateway: GatewayState
    private let fleet: FleetService
    private let publisher: MQTTPublisher
    private let outbox: Outbox
    private let log: ProgramLog
    private let audit: AuditLog
    private let logger: Logger
    private let liveness: @Sendable () -> Liveness
    private let rollout: RolloutService?
    private let reload: @Sendable () async throws -> ReloadOutcome
    private var rates = RateWindow()
    private var orders = 0

    /// - Parameters:
    ///   - liveness: returns whether the gateway receives, stores and delivers.
    ///   - reload: reads the configuration and applies the changes that it can.
    init(
        configuration: Configuration, boot: UInt64, gateway: GatewayState, fleet: FleetService,
        publisher: MQTTPublisher, outbox: Outbox, log: ProgramLog, audit: AuditLog, logger: Logger,
        rollout: RolloutService? = nil, liveness: @escaping @Sendable () -> Liveness,
        reload: @escaping @Sendable () async throws -> ReloadOutcome
    ) {
        self.configuration = configuration
        self.boot = boot
        self.gateway = gateway
        self.fleet = fleet
        self.publisher = publisher
        self.outbox = outbox
        self.log = log
        self.audit = audit
        self.logger = logger
        self.rollout = rollout
        self.liveness = liveness
        self.reload = reload
    }

    /// Measures how many reports arrive, until the gateway ends.
    nonisolated func measure() async {
        await cancelWhenGracefulShutdown {
            for await _ in AsyncTimerSequence(interval: RateWindow.interval, clock: .continuous) {
                await self.sample(await self.gateway.counts.reportsByAdapter)
            }
        }
    }

    private func sample(_ counts: [UInt64]) { rates.add(counts, at: ContinuousClock.now - start) }

    /// Carries a request out.
    ///
    /// - Parameter user: number of the user who asks, for the audit log.
    /// - Returns: the answer, as JSON.
    func carryOut(_ request: LocalRequest, for user: UInt32) async throws(LocalRefusal) -> [UInt8] {
        switch request {
        case .status: return await status().encoded
        case .identify(let module): return try await command(.identify, module, for: user)
        case .reset(let module): return try await command(.reset, module, for: user)
        case .reload: return try await reloadConfiguration(for: user)
        case .logLevel: return answerOfLevel()
        case .setLogLevel(let name): return try setLevel(name, for: user)
        }
    }

    // MARK: Status

    private func status() async -> LocalStatus {
        let modules = await fleet.snapshot
        let connection = await publisher.connectedTo
        let error = await publisher.lastError
        return await LocalStatus(
            LocalFacts(
                time: WallClock.now(), place: configuration.place, version: ProductVersion.number,
                commit: ProductVersion.commitOfBuild, boot: boot, process: getpid(), startedAt: startedAt.rfc3339,
                uptime: ContinuousClock.now - start, liveness: liveness(), modules: modules.modules,
                otherPorts: modules.others, openPorts: modules.openPorts, radios: gateway.radios,
                rates: rates.rates,
                broker: .init(
                    connection: connection.map { (address: "\($0.broker)", version: $0.version.rawValue) },
                    configured: configuration.broker.endpoints.map(\.description),
                    since: publisher.connectionChangedAt, lastError: error.map { (what: $0.what, remedy: $0.remedy) }),
                outbox: outbox.status(at: .now()), delivery: publisher.trouble,
                isClockSynchronized: WallClock.isSynchronized, logLevel: log.level.rawValue,
                logProblems: log.problems, configuration: rollout?.state))
    }

    // MARK: Modules

    private func command(
        _ name: Fleet.Command.Name, _ module: String, for user: UInt32
    ) async throws(LocalRefusal) -> [UInt8] {
        let known = await fleet.snapshot.modules.map(\.entry.name)
        guard known.contains(module) else { throw .unknownModule(module, known: known) }
        orders += 1
        let order = FleetService.Order.one(Fleet.Command(name, module: module, correlation: "local-\(orders)"))
        let outcome = await cancelWhenGracefulShutdown { [fleet] in await fleet.carryOut(order) }
        note("command-\(name.rawValue)", module: module, for: user, ok: outcome.ok, outcome.text)
        guard outcome.ok else { throw .failed(outcome.text) }
        return JSON.encode(LocalAnswer.Done(text: outcome.text))
    }

    // MARK: Configuration

    private func reloadConfiguration(for user: UInt32) async throws(LocalRefusal) -> [UInt8] {
        let outcome: Result<ReloadOutcome, any Error>
        do {
            outcome = .success(try await cancelWhenGracefulShutdown { [reload] in try await reload() })
        } catch {
            outcome = .failure(error)
        }
        switch outcome {
        case .success(let outcome):
            outcome.log(to: logger)
            note("reload", for: user, ok: true, "reloaded: \(outcome.reloaded.joined(separator: ", "))")
            return JSON.encode(
                LocalAnswer.Reloaded(
                    reloaded: outcome.reloaded, needsRestart: outcome.needsRestart,
                    warnings: outcome.warnings.map(\.text)))
        case .failure(let error):
            let rejected = RejectedConfiguration(error)
            rejected.log(to: logger)
            note("reload", for: user, ok: false, rejected.problems.first ?? "")
            throw .configuration(rejected.problems)
        }
    }

    // MARK: Log

    private func answerOfLevel() -> [UInt8] {
        JSON.encode(LocalAnswer.LogLevel(level: log.level.rawValue, initial: log.initialLevel.rawValue))
    }

    private func setLevel(_ name: String, for user: UInt32) throws(LocalRefusal) -> [UInt8] {
        guard let level = Logger.Level(rawValue: name) else {
            throw .unknownLevel(name, known: Logger.Level.allCases.map(\.rawValue))
        }
        let before = log.level
        // Logged at whichever of the two levels shows more.
        if level < before { log.level = level }
        logger.notice("log level changed", metadata: ["from": "\(before)", "to": "\(level)", "uid": "\(user)"])
        log.level = level
        note("log-level", for: user, ok: true, name)
        return answerOfLevel()
    }

    private func note(_ action: String, module: String? = nil, for user: UInt32, ok: Bool, _ result: String) {
        do throws(SystemError) {
            try audit.add(
                AuditLog.Entry(
                    time: WallClock.now().rfc3339, who: UserName.of(user), uid: user, action: action, module: module,
                    ok: ok, result: result.shown(upTo: 1000)))
        } catch {
            logger.error("audit log not written", metadata: .init(describing: error))
        }
    }
}

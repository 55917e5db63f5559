package import Logging
import ServiceLifecycle
import ServiceManager
import SystemIO
package import Watching

/// Observes the program's own work, keeps its liveness, and tells the service manager: that the program is ready, that it
/// works, its status, and that its end takes longer. The first of the services, which is shut down last.
package struct SupervisionService: Service, CustomStringConvertible {
    /// State of the program's work at one moment.
    package struct Observation: Sendable {
        package var liveness: Liveness
        package var vitality: Vitality
        package var readiness: Vitality

        package init(_ observation: GatewayObservation) {
            liveness = observation.liveness
            vitality = observation.vitality
            readiness = vitality
        }

        package init(_ observation: MatcherObservation) {
            liveness = observation.liveness
            vitality = observation.vitality
            readiness = observation.readiness
        }
    }

    private let board: LivenessBoard
    private let announcer: ServiceAnnouncer
    private let logger: Logger
    private let observe: @Sendable () async -> Observation
    private let obstacle: @Sendable () async -> String?

    /// Interval of the observations.
    private static let interval: Duration = .seconds(2)
    private static let startInterval: Duration = .milliseconds(200)
    /// Maximum time for which the end is extended. What is not over then does not end.
    private static let longestEnd: Duration = .seconds(300)

    package var description: String { "SupervisionService" }

    /// - Parameters:
    ///   - observe: looks at the program's work.
    ///   - obstacle: returns what delays the end; `nil`: nothing that is worth waiting for.
    package init(
        board: LivenessBoard, announcer: ServiceAnnouncer, logger: Logger,
        observe: @escaping @Sendable () async -> Observation,
        obstacle: @escaping @Sendable () async -> String? = { nil }
    ) {
        self.board = board
        self.announcer = announcer
        self.logger = logger
        self.observe = observe
        self.obstacle = obstacle
    }

    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await keepBoard() }
            if announcer.isListenedTo { group.addTask { await tell() } }
            try? await gracefulShutdown()
            group.cancelAll()
        }
    }

    /// Observations and messages are more frequent before a service manager knows that the program is ready, and for one
    /// with a short interval.
    private var pace: Duration {
        let isAwaited = announcer.isListenedTo && !announcer.isReady
        return min(isAwaited ? Self.startInterval : Self.interval, (announcer.watchdogInterval ?? .seconds(60)) / 4)
    }

    private func keepBoard() async {
        repeat {
            let observation = await observe()
            board.set(observation.liveness, observation.vitality, readiness: observation.readiness)
        } while (try? await Task.sleep(for: pace)) != nil
    }

    private func tell() async {
        let start = ContinuousClock.now
        let memory = RestartMemory()
        var watchdog = announcer.watchdogInterval.map {
            WatchdogRule(interval: $0, restartedAt: memory?.restartedAt)
        }
        var last: (parts: [Working], decision: WatchdogRule.Decision?) = ([], nil)
        var stoppingSince: ContinuousClock.Instant?
        repeat {
            let now = ContinuousClock.now
            if announcer.isStopping || announcer.isRestarting {
                let since = stoppingSince ?? now
                stoppingSince = since
                if announcer.isRestarting {
                    // The work ends now, and that must not look like a failure.
                    if now - since < Self.longestEnd, watchdog != nil { announcer.ping() }
                    continue
                }
                if now - since < Self.longestEnd, let reason = await obstacle() {
                    announcer.takesLonger("stopping: \(reason)")
                }
                continue
            }
            let liveness = board.liveness(at: now)
            let parts = liveness.parts.map(\.state)
            announcer.status(liveness.statusLine, isUrgent: parts != last.parts)
            last.parts = parts
            if !announcer.isReady, ReadinessRule().isReady(board.readiness(at: now), after: now - start) {
                announcer.ready(liveness.statusLine)
            }
            if let decision = watchdog?.decide(board.vitality(at: now), now: RestartMemory.now) {
                carryOut(decision, after: last.decision, memory)
                last.decision = decision
            }
        } while (try? await Task.sleep(for: pace)) != nil
    }

    private func carryOut(
        _ decision: WatchdogRule.Decision, after before: WatchdogRule.Decision?, _ memory: RestartMemory?
    ) {
        switch decision {
        case .ping: announcer.ping()
        case .pingInVain(let reason):
            announcer.ping()
            guard decision != before else { return }
            logger.error(
                "program does not work, and a restart within the last hour has not helped",
                metadata: ["because": "\(reason)"])
        case .withhold(let reason):
            guard decision != before else { return }
            if case .withhold = before { return }
            memory?.note()
            logger.error(
                "program does not work, asking the service manager for a restart", metadata: ["because": "\(reason)"])
        }
    }
}

import BeaconModel
import CommandSupport
import GatewayCore
import Logging
import MQTTBridge
import OperatorText
import RecordContract
import ServiceLifecycle
import SystemIO
import Watching

/// Carries out what `RolloutMachine` decides, and publishes which configuration is in use.
///
/// The service ends, and with it the gateway, when the program is to start again with another configuration.
actor RolloutService: Service {
    private let inUse: ConfigurationInUse
    private let boot: UInt64
    private let topic: String
    private let publisher: MQTTPublisher
    private let liveness: @Sendable () -> Liveness
    private let announcer: ServiceAnnouncer
    private let restart: RestartRequest
    private let audit: RolloutAudit
    private let logger: Logger
    private var machine: RolloutMachine
    /// End of the trial. The clock of the day may be set while the gateway runs.
    private var deadline: ContinuousClock.Instant?
    /// The message that was published last, and when.
    private var told: (state: RolloutState, at: ContinuousClock.Instant)?

    /// Interval at which the liveness and the end of the trial are looked at.
    private static let interval: Duration = .milliseconds(500)
    /// Minimum time between two messages that only differ in the text of the problem, which names ages.
    private static let textInterval: Duration = .seconds(30)
    /// Maximum number of faults in an answer.
    private static let mostFaults = 20
    /// Maximum length of an answer in Unicode scalars.
    private static let longestAnswer = 8000

    /// - Parameter liveness: returns whether the gateway receives, stores and delivers.
    init(
        inUse: ConfigurationInUse, boot: UInt64, publisher: MQTTPublisher, announcer: ServiceAnnouncer,
        restart: RestartRequest, logger: Logger, liveness: @escaping @Sendable () -> Liveness
    ) {
        self.inUse = inUse
        self.boot = boot
        self.publisher = publisher
        self.announcer = announcer
        self.restart = restart
        self.logger = logger
        self.liveness = liveness
        topic = inUse.configuration.topics.configuration
        audit = RolloutAudit(stateDirectory: inUse.anchor.stateDirectory, logger: logger)
        machine = RolloutMachine(record: inUse.record)
        if case .trial(let trial) = inUse.record.phase { deadline = .now + trial.left(at: WallClock.now()) }
    }

    /// The present state, as it is published.
    var state: RolloutState {
        machine.record.state(
            at: WallClock.now(), boot: boot, own: inUse.ownDigest, obeys: inUse.anchor.obeys, liveness: liveness())
    }

    func run() async {
        await cancelWhenGracefulShutdown { await self.watch() }
    }

    private func watch() async {
        while !Task.isCancelled, !restart.isMade {
            await tell()
            if let deadline, .now >= deadline {
                self.deadline = nil
                _ = carryOut(.timeIsUp)
                settle()
            }
            if restart.isMade { return }
            try? await Task.sleep(for: Self.interval)
        }
    }

    // MARK: Commands

    /// Tries a configuration. The caller answers the command, and then calls `settle`.
    func configure(_ document: RolloutDocument, seconds: Int) async -> CommandOutcome {
        if let refusal = inUse.anchor.refusal { return CommandOutcome(ok: false, text: refusal) }
        do {
            try inUse.check(document)
        } catch {
            return CommandOutcome(ok: false, text: Self.faults(error))
        }
        return carryOut(.configure(document, seconds: seconds))
    }

    /// Keeps the configuration on trial.
    func confirm(_ digest: ConfigurationDigest) async -> CommandOutcome {
        if let refusal = inUse.anchor.refusal { return CommandOutcome(ok: false, text: refusal) }
        let outcome = carryOut(.confirm(digest))
        if case .accepted = machine.record.phase { deadline = nil }
        await tell()
        return outcome
    }

    /// Ends the gateway if it is to start again.
    func settle() {
        guard machine.isRestarting, !restart.isMade else { return }
        logger.notice("starting again with another configuration", metadata: ["next": "\(machine.record.phase.text)"])
        announcer.restarting()
        restart.make()
    }

    private static func faults(_ error: any Error) -> String {
        guard let error = error as? ConfigurationError else { return error.inOneLine }
        let lines = error.problems.prefix(mostFaults).map { $0.line(in: error.path) }
        let others = error.problems.count - lines.count
        let text =
            "the configuration was refused, nothing was changed: " + lines.joined(separator: "; ")
            + (others > 0 ? "; and \(others) more" : "")
        return text.shown(upTo: longestAnswer)
    }

    // MARK: Outputs

    private func carryOut(_ input: RolloutMachine.Input) -> CommandOutcome {
        var outputs = machine.handle(input, at: WallClock.now())
        var outcome: CommandOutcome?
        while !outputs.isEmpty {
            switch outputs.removeFirst() {
            case .write(let name, let contents):
                do throws(SystemError) {
                    try inUse.directory.write(name, contents)
                } catch {
                    logger.error("configuration not written", metadata: .init(describing: error))
                    outputs = machine.handle(.notWritten(error.what), at: WallClock.now())
                }
            case .answer(let answer): outcome = answer
            case .note(let action, let version, let result):
                logger.notice(
                    "configuration", metadata: ["what": "\(action)", "revision": "\(version.revision)"])
                audit.note(action, version, ok: action != "configuration-returned", result)
            // `settle` restarts, after the answer.
            case .restart: break
            }
        }
        if !machine.isRestarting { inUse.directory.clean(for: machine.record) }
        return outcome ?? CommandOutcome(ok: false, text: "nothing was done")
    }

    private func tell() async {
        // The next run tells of its configuration: how this one works says nothing about it.
        if machine.isRestarting { return }
        let state = state
        if let told {
            var before = told.state
            before.time = state.time
            guard before != state else { return }
            before.problem = state.problem
            guard before != state || ContinuousClock.now - told.at >= Self.textInterval else { return }
        }
        told = (state, .now)
        await publisher.setState(state.encoded(key: inUse.configuration.signingKey), topic: topic)
    }
}

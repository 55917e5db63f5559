import ArgumentParser
import BeaconModel
import CommandSupport
import OperatorText
import Publishing
import RecordContract
import Rollout
import SystemIO
import UnixSignals

/// A rollout: carries out what `RolloutRun` decides, and shows how it goes.
struct FleetApplyTask: Sendable {
    private let directory: FleetDirectory
    private let gateways: [GatewayPath]
    private let revision: ConfigurationRevision
    private let key: SiteKey
    private let asks: Bool
    private let isJSON: Bool

    /// - Parameters:
    ///   - asks: whether a person has to agree.
    ///   - isJSON: whether events are printed for a program.
    init(_ directory: FleetDirectory, _ gateways: [GatewayPath], asks: Bool, isJSON: Bool) throws {
        guard let revision = directory.revision else {
            throw NotCommitted(directory: directory.path, reason: .noCommit("it has no commit"))
        }
        guard let path = directory.settings.keyFile else { throw NoKey() }
        let secret = try SecretFile.read(path)
        guard let key = SiteKey(secret: secret) else { throw CommandSecretTooShort(path: path, count: secret.count) }
        if asks, !Terminal.canAsk { throw NobodyAgrees() }
        self.directory = directory
        self.gateways = gateways
        self.revision = revision
        self.key = key
        self.asks = asks
        self.isJSON = isJSON
    }

    func run() async throws -> RolloutConclusion {
        let settings = directory.settings
        let filters = HeardMessage.filters(
            prefix: settings.prefix, sites: directory.sites, FleetSurvey.topics, replies: true)
        return try await FleetConnection.use(settings.broker, prefix: settings.prefix, filters: filters) {
            connection in
            let heard = try await connection.survey(quiet: FleetSurvey.quiet, limit: FleetSurvey.limit)
            let plan = try await FleetSurvey.plan(directory, gateways, heard)
            if !isJSON {
                let text = RolloutPlanText(plan, source: directory.name)
                if asks { try Terminal.print(text.table) }
                for line in text.summary { try Terminal.print(line.shown(upTo: .max)) }
            }
            if plan.changing.isEmpty {
                let empty = RolloutConclusion(endings: [:], abandoned: [], untouched: [])
                try show(empty, unchanged: gateways.count)
                return empty
            }
            if asks, try await !Terminal.isAgreed("configure \(plan.changing.count) gateways") { throw NotAgreed() }
            return try await roll(connection, plan.changing, heard)
        }
    }

    private func roll(
        _ connection: FleetConnection, _ changing: [GatewayPath], _ heard: HeardFleet
    ) async throws -> RolloutConclusion {
        let settings = directory.settings
        let targets = Dictionary(
            changing.compactMap { path in directory.documents[path].map { (path, $0.digest) } },
            uniquingKeysWith: { first, _ in first })
        var generator = SystemRandomNumberGenerator()
        var run = RolloutRun(
            targets: targets,
            rules: RolloutRules(
                stages: settings.stages, first: settings.first, atOnce: settings.atOnce, trial: settings.trial,
                mostFailures: settings.mostFailures),
            name: "fleet-" + String(UInt64.random(in: .min ... .max, using: &generator), radix: 16))
        let start = ContinuousClock.now
        var progress = FleetProgress(count: targets.count, isJSON: isJSON)
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let watch = Task { for await _ in signals { connection.add(.interrupted) } }
        defer { watch.cancel() }
        var inputs: [RolloutRun.Input] = []
        for (gateway, said) in heard.gateways {
            if let status = said.status { inputs.append(.status(gateway, isOnline: status.isOnline)) }
            if let state = said.configuration { inputs.append(.heard(gateway, state)) }
        }
        inputs.append(.start)
        for input in inputs {
            if let conclusion = try await handle(input, &run, connection, start, &progress) { return conclusion }
        }
        for try await event in connection.events {
            let input: RolloutRun.Input
            switch event {
            case .heard(let gateway, .configuration(let state)): input = .heard(gateway, state)
            case .heard(let gateway, .status(let status)): input = .status(gateway, isOnline: status.isOnline)
            case .heard(let gateway, .reply(let command, let reply)):
                input = .reply(gateway, command: command, reply)
            case .heard: continue
            case .subscribed, .timePassed: input = .timePassed
            case .lost(let reason, let wait):
                progress.note("no connection to \(settings.broker.preferred): \(reason); retrying in \(wait.text)")
                continue
            case .interrupted: input = .interrupted
            }
            if let conclusion = try await handle(input, &run, connection, start, &progress) { return conclusion }
        }
        throw CancellationError()
    }

    /// Returns the conclusion once there is one.
    private func handle(
        _ input: RolloutRun.Input, _ run: inout RolloutRun, _ connection: FleetConnection,
        _ start: ContinuousClock.Instant, _ progress: inout FleetProgress
    ) async throws -> RolloutConclusion? {
        for output in run.handle(input, now: ContinuousClock.now - start) {
            switch output {
            case .configure(let gateway, let correlation): await configure(gateway, correlation, connection)
            case .confirm(let gateway, let correlation): await confirm(gateway, correlation, connection)
            case .tell(let event): try progress.show(event)
            case .finished(let conclusion):
                progress.clear()
                try show(conclusion, unchanged: gateways.count - conclusion.all)
                return conclusion
            }
        }
        await connection.wake(after: run.deadline.map { max(.zero, $0 - (ContinuousClock.now - start)) })
        return nil
    }

    private func topics(_ gateway: GatewayPath) -> Topics {
        Topics(prefix: directory.settings.prefix, place: gateway.place)
    }

    private func configure(_ gateway: GatewayPath, _ correlation: String, _ connection: FleetConnection) async {
        guard let document = directory.documents[gateway] else { return }
        let topic = topics(gateway).command(named: ConfigureMessage.command)
        let message = ConfigureMessage(
            revision: revision, configuration: document.text,
            trial: Int(directory.settings.trial.components.seconds), correlation: correlation, at: WallClock.now())
        let payload = message.encoded(for: topic, key: key.commandKey(gateway.description))
        // A command that is not sent now is sent again later.
        _ = await connection.publish(MQTTMessage(topic: topic, payload: payload))
    }

    private func confirm(_ gateway: GatewayPath, _ correlation: String, _ connection: FleetConnection) async {
        guard let document = directory.documents[gateway] else { return }
        let topic = topics(gateway).command(named: ConfirmMessage.command)
        let message = ConfirmMessage(digest: document.digest, correlation: correlation, at: WallClock.now())
        let payload = message.encoded(for: topic, key: key.commandKey(gateway.description))
        _ = await connection.publish(MQTTMessage(topic: topic, payload: payload))
    }

    /// - Parameter unchanged: number of gateways that did not take part, because they have their configurations.
    private func show(_ conclusion: RolloutConclusion, unchanged: Int) throws {
        if isJSON { return try Terminal.print(RolloutResultDocument(conclusion, unchanged: unchanged).encoded) }
        for line in RolloutRunText.lines(conclusion, unchanged: unchanged) { try Terminal.print(line) }
    }
}

extension Duration {
    fileprivate var text: String { Format.fixed(inSeconds, 1) + " s" }
}

private struct NoKey: OperatorError {
    var what: String { "no key for commands is named" }
    var meaning: String? { "nothing was sent: gateways obey only signed commands" }
    var remedy: String? { "name the site's secret with --key-file, or with key-file in fleet.toml" }
    var exitStatus: ExitStatus { .usage }
}

private struct NobodyAgrees: OperatorError {
    var what: String { "nobody can be asked here" }
    var meaning: String? { "nothing was sent" }
    var remedy: String? { "look at `fleet plan`, then run this with --yes" }
    var exitStatus: ExitStatus { .usage }
}

private struct NotAgreed: OperatorError {
    var what: String { "not confirmed" }
    var meaning: String? { "nothing was sent" }
    var exitStatus: ExitStatus { .usage }
}

import OperatorText
package import RecordContract

/// The course of a rollout: which gateway is told what next, and when it stops. Pure; times count from its beginning.
///
/// Commands and replies can be lost, repeated and late. So what counts is what a gateway says of itself on
/// `configuration`, and everything is sent again until it does.
package struct RolloutRun: Sendable {
    package enum Input: Equatable, Sendable {
        case start
        case heard(GatewayPath, RolloutState)
        /// - Parameter isOnline: whether the gateway is connected to the broker.
        case status(GatewayPath, isOnline: Bool)
        case reply(GatewayPath, command: String, HeardReply)
        case timePassed
        /// No further gateway is to be asked.
        case interrupted
    }

    package enum Output: Equatable, Sendable {
        case configure(GatewayPath, correlation: String)
        case confirm(GatewayPath, correlation: String)
        case tell(RolloutEvent)
        case finished(RolloutConclusion)
    }

    private enum Phase {
        case waiting
        case asked(Asked)
        case trying(Trying)
        case ended(RolloutEnding)
    }

    /// `configure` was sent.
    private struct Asked {
        var attempts = 0
        /// The refusals that were not for good.
        var refusal: String?
        var nextAt: Duration = .zero
        /// Since when the state before the rollout holds: an earlier return is none of this rollout.
        var before: String?
    }

    /// The gateway tries the configuration.
    private struct Trying {
        var deadline: Duration
        /// When the trial was first heard of.
        var heardAt: Duration?
        var works = false
        var confirmAt: Duration?
        /// What did not work when it was last heard of.
        var problem: String?
        var before: String?
    }

    private struct Member {
        var phase = Phase.waiting
        var state: RolloutState?
        var isOnline = false
    }

    private let targets: [GatewayPath: ConfigurationDigest]
    private let rules: RolloutRules
    private let name: String
    private var members: [GatewayPath: Member]
    private var stages: [(stage: RolloutStage, gateways: [GatewayPath])] = []
    private var stage = 0
    /// Gateways of the present stage that were not asked yet, the last one first.
    private var queue: [GatewayPath] = []
    /// Gateways between `configure` and the end of their trial.
    private var active: Set<GatewayPath> = []
    /// Failures in the present stage.
    private var failures = 0
    private var commands = 0
    private var stop: RolloutStop?
    package private(set) var isFinished = false
    private var isStarted = false

    /// - Parameters:
    ///   - targets: the configurations.
    ///   - name: distinguishes the correlations of this rollout from those of all others.
    package init(targets: [GatewayPath: ConfigurationDigest], rules: RolloutRules, name: String) {
        self.targets = targets
        self.rules = rules
        self.name = name
        members = targets.mapValues { _ in Member() }
    }

    /// The next time at which `timePassed` does something.
    package var deadline: Duration? {
        if isFinished { return nil }
        return active.compactMap { members[$0].flatMap(Self.deadline) }.min()
    }

    package mutating func handle(_ input: Input, now: Duration) -> [Output] {
        if isFinished { return [] }
        var outputs: [Output] = []
        switch input {
        case .start: start(now, &outputs)
        case .heard(let gateway, let state): heard(gateway, state, now, &outputs)
        case .status(let gateway, let isOnline): members[gateway]?.isOnline = isOnline
        case .reply(let gateway, let command, let reply): replied(gateway, command, reply, now, &outputs)
        case .timePassed: break
        case .interrupted:
            stop = stop ?? .interrupted
            outputs.append(.tell(.stopped(.interrupted)))
            return outputs + conclude()
        }
        guard isStarted else { return outputs }
        switch input {
        case .start, .interrupted, .status: break
        case .heard(let gateway, _), .reply(let gateway, _, _): pursue(gateway, now, &outputs)
        case .timePassed: for gateway in active.sorted() { pursue(gateway, now, &outputs) }
        }
        advance(now, &outputs)
        return outputs
    }

    // MARK: Stages

    private mutating func start(_ now: Duration, _ outputs: inout [Output]) {
        guard !isStarted else { return }
        isStarted = true
        var reachable: [GatewayPath] = []
        for gateway in targets.keys.sorted() {
            guard let member = members[gateway] else { continue }
            if let ending = Self.endingBefore(member, targets[gateway]) {
                end(gateway, ending, &outputs)
            } else {
                reachable.append(gateway)
            }
        }
        stages = RolloutStage.divide(reachable, into: rules.stages, first: rules.first).stages
        stage = -1
    }

    /// Returns how the rollout ends for a gateway that need not or cannot be asked.
    private static func endingBefore(_ member: Member, _ digest: ConfigurationDigest?) -> RolloutEnding? {
        guard let state = member.state else {
            return .notReached(
                reason: member.isOnline
                    ? "it does not say which configuration it uses: its program is too old"
                    : "it was never heard")
        }
        if state.digest == digest, state.state != .trial { return .unchanged }
        guard member.isOnline else { return .notReached(reason: "it is not connected to the broker") }
        if state.state == .trial, state.digest != digest {
            return .notReached(
                reason: "it tries another configuration, \(state.revision?.short ?? "of no revision")"
                    + (state.until.map { ", until \($0.shown(upTo: 30))" } ?? ""))
        }
        guard state.obeys else {
            return .notReached(
                reason: "it is only configured locally: its own file has no commands.key-file, or has "
                    + "rollout.enabled = false")
        }
        return nil
    }

    /// Asks as many gateways as can be asked, and goes on to the next stage where one is complete.
    private mutating func advance(_ now: Duration, _ outputs: inout [Output]) {
        while !isFinished {
            if stage >= 0 { judgeFailures(&outputs) }
            while stop == nil, active.count < rules.atOnce, let gateway = queue.popLast() {
                begin(gateway, now, &outputs)
                judgeFailures(&outputs)
            }
            guard active.isEmpty, queue.isEmpty || stop != nil else { return }
            if stop == nil, stages.indices.contains(stage), stage + 1 < stages.count,
                !stages[stage].gateways.contains(where: hasTaken)
            {
                stop(.nobodyReached(stages[stage].stage), &outputs)
            }
            guard stop == nil, stage + 1 < stages.count else {
                outputs += conclude()
                return
            }
            stage += 1
            failures = 0
            queue = stages[stage].gateways.reversed()
            outputs.append(
                .tell(
                    .stageBegan(
                        number: stage + 1, of: stages.count, stages[stage].stage, gateways: stages[stage].gateways.count
                    )))
        }
    }

    private func hasTaken(_ gateway: GatewayPath) -> Bool {
        if case .ended(let ending)? = members[gateway]?.phase { return ending == .accepted || ending == .unchanged }
        return false
    }

    private mutating func judgeFailures(_ outputs: inout [Output]) {
        guard stop == nil, stages.indices.contains(stage) else { return }
        if failures > rules.mostFailures { stop(.failures(failures, stages[stage].stage), &outputs) }
    }

    private mutating func stop(_ reason: RolloutStop, _ outputs: inout [Output]) {
        stop = reason
        outputs.append(.tell(.stopped(reason)))
    }

    private mutating func conclude() -> [Output] {
        isFinished = true
        var conclusion = RolloutConclusion(endings: [:], abandoned: [], untouched: [], stop: stop)
        for (gateway, member) in members.sorted(by: { $0.key < $1.key }) {
            switch member.phase {
            case .waiting: conclusion.untouched.append(gateway)
            case .asked, .trying: conclusion.abandoned.append(gateway)
            case .ended(let ending): conclusion.endings[gateway] = ending
            }
        }
        return [.finished(conclusion)]
    }

    // MARK: One gateway

    private mutating func begin(_ gateway: GatewayPath, _ now: Duration, _ outputs: inout [Output]) {
        guard let member = members[gateway] else { return }
        // Since the start it may have come to it by another hand, or gone away.
        if let ending = Self.endingBefore(member, targets[gateway]) { return end(gateway, ending, &outputs) }
        active.insert(gateway)
        let before = member.state?.since
        if member.state?.state == .trial, member.state?.digest == targets[gateway] {
            tries(gateway, Asked(before: before), now, &outputs)
            if let state = member.state { heard(gateway, state, now, &outputs) }
        } else {
            members[gateway]?.phase = .asked(Asked(nextAt: now, before: before))
        }
        pursue(gateway, now, &outputs)
    }

    private mutating func end(_ gateway: GatewayPath, _ ending: RolloutEnding, _ outputs: inout [Output]) {
        active.remove(gateway)
        members[gateway]?.phase = .ended(ending)
        if ending.isFailure { failures += 1 }
        outputs.append(.tell(.ended(gateway, ending)))
    }

    private mutating func tries(
        _ gateway: GatewayPath, _ asked: Asked, _ now: Duration, _ outputs: inout [Output]
    ) {
        members[gateway]?.phase = .trying(Trying(deadline: now + rules.trial + rules.slack, before: asked.before))
        outputs.append(.tell(.tries(gateway)))
    }

    private mutating func heard(
        _ gateway: GatewayPath, _ state: RolloutState, _ now: Duration, _ outputs: inout [Output]
    ) {
        guard let member = members[gateway], let digest = targets[gateway] else { return }
        members[gateway]?.state = state
        let before: String?
        var problem: String?
        switch member.phase {
        case .waiting, .ended: return
        case .asked(let asked): before = asked.before
        case .trying(let trying): (before, problem) = (trying.before, trying.problem)
        }
        switch state.state {
        case .accepted where state.digest == digest:
            end(gateway, .accepted, &outputs)
        case .returned where state.returned?.digest == digest && state.since != before:
            let reason = (state.reason ?? "it does not say why") + (problem.map { "; in the trial: \($0)" } ?? "")
            end(gateway, .returned(reason: reason), &outputs)
        case .trial where state.digest == digest:
            if case .asked(let asked) = member.phase { tries(gateway, asked, now, &outputs) }
            guard case .trying(var trying)? = members[gateway]?.phase else { return }
            trying.heardAt = trying.heardAt ?? now
            if !state.works, let problem = state.problem, problem != member.state?.problem {
                outputs.append(.tell(.troubled(gateway, problem: problem)))
            }
            trying.works = state.works
            trying.problem = state.works ? nil : state.problem
            members[gateway]?.phase = .trying(trying)
        default: break
        }
    }

    private mutating func replied(
        _ gateway: GatewayPath, _ command: String, _ reply: HeardReply, _ now: Duration, _ outputs: inout [Output]
    ) {
        // Replies to others say nothing about this rollout.
        guard reply.correlation.hasPrefix(name + "-"), let member = members[gateway], active.contains(gateway)
        else { return }
        switch (member.phase, command) {
        case (.asked(let asked), ConfigureMessage.command) where reply.ok:
            tries(gateway, asked, now, &outputs)
            // Nothing more is said by a gateway that has the configuration.
            if let state = member.state { heard(gateway, state, now, &outputs) }
        case (.asked(var asked), ConfigureMessage.command):
            guard Self.isTemporary(reply.text) else {
                return end(gateway, .refused(reason: reply.text), &outputs)
            }
            asked.refusal = reply.text
            asked.nextAt = min(asked.nextAt, now + rules.retryAfter)
            members[gateway]?.phase = .asked(asked)
        case (.trying, ConfirmMessage.command) where reply.ok:
            end(gateway, .accepted, &outputs)
        case (.trying(var trying), ConfirmMessage.command):
            trying.confirmAt = min(trying.confirmAt ?? now, now + rules.retryAfter)
            members[gateway]?.phase = .trying(trying)
        default: break
        }
    }

    /// Whether a refusal is one of the moment: too many commands, or one from the first seconds of a run.
    ///
    /// Replies are text for people. A test compares these words with those of a gateway.
    static func isTemporary(_ refusal: String) -> Bool {
        ["too many commands", "this gateway was started at", "the gateway is stopping", "later commands have been"]
            .contains { refusal.contains($0) }
    }

    private static let noAnswer =
        "it did not answer; check that the broker lets this user publish on its topics command/#"

    private static func deadline(_ member: Member) -> Duration? {
        switch member.phase {
        case .waiting, .ended: return nil
        case .asked(let asked): return asked.nextAt
        case .trying(let trying):
            guard trying.works, let confirmAt = trying.confirmAt else { return trying.deadline }
            return min(trying.deadline, confirmAt)
        }
    }

    /// Does for a gateway what is due.
    private mutating func pursue(_ gateway: GatewayPath, _ now: Duration, _ outputs: inout [Output]) {
        guard let member = members[gateway] else { return }
        switch member.phase {
        case .waiting, .ended: break
        case .asked(var asked):
            guard now >= asked.nextAt else { return }
            guard asked.attempts < rules.attempts else {
                let ending: RolloutEnding =
                    asked.refusal.map { .refused(reason: $0) } ?? .notReached(reason: Self.noAnswer)
                return end(gateway, ending, &outputs)
            }
            asked.attempts += 1
            asked.nextAt = now + rules.replyWithin
            members[gateway]?.phase = .asked(asked)
            outputs.append(.configure(gateway, correlation: correlation()))
            outputs.append(.tell(.sent(gateway, attempt: asked.attempts)))
        case .trying(var trying):
            guard now < trying.deadline else { return end(gateway, .silent, &outputs) }
            guard trying.works, let heardAt = trying.heardAt else { return }
            let confirmAt = trying.confirmAt ?? heardAt + rules.settle
            trying.confirmAt = confirmAt
            if now >= confirmAt {
                trying.confirmAt = now + rules.retryAfter
                outputs.append(.confirm(gateway, correlation: correlation()))
                outputs.append(.tell(.works(gateway)))
            }
            members[gateway]?.phase = .trying(trying)
        }
    }

    private mutating func correlation() -> String {
        commands += 1
        return "\(name)-\(commands)"
    }
}

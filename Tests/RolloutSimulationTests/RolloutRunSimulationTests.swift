import BeaconModel
import RecordContract
import TestValues
import Testing

@testable import Rollout

/// Rollouts to thousands of simulated gateways, over a network that loses, repeats and delays messages.
@Suite struct RolloutRunSimulationTests {
    @Test func `Each of thousands of gateways ends as it must over a network that loses and repeats`() throws {
        let generator = SeededGenerator("rollout")
        var fleet = SimulatedFleet(
            gateways: TestScale.amount(400, full: 5000), loss: 0.1, faulty: 0, generator: generator)
        let result = fleet.roll(atOnce: 50, mostFailures: 0)
        let conclusion = try #require(result, generator.comment)
        // Nothing but loss is wrong: nobody returns, and whoever did not answer has its former configuration.
        #expect(conclusion.failures == 0, generator.comment)
        #expect(
            conclusion.stop == nil && conclusion.untouched.isEmpty && conclusion.abandoned.isEmpty, generator.comment)
        for (path, ending) in conclusion.endings where ending == .accepted {
            #expect(fleet.gateways[path]?.phase == .accepted, generator.comment)
        }
        #expect(conclusion.count(.accepted) > fleet.gateways.count * 8 / 10, generator.comment)
        #expect(fleet.mostOnTrial <= 50, generator.comment)
    }

    @Test func `Faulty gateways return, and the others keep their configurations`() throws {
        let generator = SeededGenerator("faulty rollout")
        var fleet = SimulatedFleet(
            gateways: TestScale.amount(300, full: 3000), loss: 0.02, faulty: 0.1, generator: generator)
        let result = fleet.roll(atOnce: 30, mostFailures: 10_000)
        let conclusion = try #require(result, generator.comment)
        for (path, gateway) in fleet.gateways {
            let ending = conclusion.endings[path]
            if gateway.isFaulty {
                #expect(ending != .accepted && gateway.phase != .accepted, generator.comment)
            } else {
                #expect(gateway.phase != .returned || ending?.isFailure == true, generator.comment)
            }
        }
        #expect(conclusion.count(.returned) > 0, generator.comment)
    }

    @Test func `A stage with a failure is the last one, and gateways of later stages hear nothing`() throws {
        for seed in 0..<UInt64(TestScale.amount(20, full: 400)) {
            let generator = SeededGenerator(seed: seed)
            var fleet = SimulatedFleet(gateways: 120, loss: 0.05, faulty: 0.3, generator: generator)
            let result = fleet.roll(atOnce: 4, mostFailures: 0)
            let conclusion = try #require(result, generator.comment)
            guard case .failures(let count, _)? = conclusion.stop else { continue }
            #expect(count >= 1 && count <= 4 + 1, generator.comment)
            for path in conclusion.untouched { #expect(fleet.gateways[path]?.asked == 0, generator.comment) }
        }
    }
}

/// Gateways with a network between them and the rollout. Time is that of the simulation.
private struct SimulatedFleet {
    struct Gateway {
        enum Phase { case former, trial, accepted, returned }

        var phase = Phase.former
        /// Whether the broker of the new configuration is not there.
        var isFaulty = false
        var asked = 0
        var trialEnds: Duration?
        var startedAt: Duration = .zero - .seconds(100)
        var since = Timestamp.epoch
    }

    private enum Event {
        case toGateway(GatewayPath, RolloutRun.Output)
        case toRun(RolloutRun.Input)
        case started(GatewayPath)
        case trialEnds(GatewayPath)
        case wake
    }

    var gateways: [GatewayPath: Gateway] = [:]
    private(set) var mostOnTrial = 0
    private let loss: Double
    private var generator: SeededGenerator
    private var agenda: [(at: Duration, order: Int, event: Event)] = []
    private var order = 0

    private static let former = ConfigurationDigest(of: Array("former".utf8))
    private static let next = ConfigurationDigest(of: Array("next".utf8))
    private static let revision = ConfigurationRevision("0123456789abcdef")

    init(gateways count: Int, loss: Double, faulty: Double, generator: SeededGenerator) {
        self.loss = loss
        self.generator = generator
        for number in 0..<count {
            guard let path = GatewayPath("s/b\(number / 100)/\(number / 10 % 10)/g\(number % 10)") else { continue }
            var gateway = Gateway()
            gateway.isFaulty = Double.random(in: 0..<1, using: &self.generator) < faulty
            gateways[path] = gateway
        }
    }

    /// Runs a rollout to its end; `nil` if it has none.
    mutating func roll(atOnce: Int, mostFailures: Int) -> RolloutConclusion? {
        var rules = RolloutRules(atOnce: atOnce, trial: .seconds(120), mostFailures: mostFailures)
        // So that no gateway is missed by chance.
        rules.attempts = 8
        var run = RolloutRun(targets: gateways.mapValues { _ in Self.next }, rules: rules, name: "r")
        for path in gateways.keys.sorted() {
            _ = run.handle(.status(path, isOnline: true), now: .zero)
            if let state = state(path) { _ = run.handle(.heard(path, state), now: .zero) }
        }
        if let conclusion = take(run.handle(.start, now: .zero), .zero) { return conclusion }
        var wake: Duration?
        var steps = 0
        while steps < 5_000_000 {
            steps += 1
            if let deadline = run.deadline, wake.map({ deadline < $0 }) ?? true {
                wake = deadline
                schedule(.wake, at: deadline)
            }
            guard let (now, event) = next() else { return nil }
            switch event {
            case .wake:
                wake = nil
                if let conclusion = take(run.handle(.timePassed, now: now), now) { return conclusion }
            case .toRun(let input):
                if let conclusion = take(run.handle(input, now: now), now) { return conclusion }
            case .toGateway(let path, let output): obey(path, output, now)
            case .started(let path):
                gateways[path]?.startedAt = now
                if gateways[path]?.phase == .trial { say(path, now) }
                if gateways[path]?.phase == .returned { say(path, now) }
            case .trialEnds(let path):
                guard let gateway = gateways[path], gateway.phase == .trial, gateway.trialEnds == now else { break }
                gateways[path]?.phase = .returned
                gateways[path]?.since = Timestamp(microseconds: Int64(now.components.seconds * 1_000_000))
                schedule(.started(path), at: now + .seconds(2))
            }
        }
        return nil
    }

    private mutating func obey(_ path: GatewayPath, _ output: RolloutRun.Output, _ now: Duration) {
        guard var gateway = gateways[path] else { return }
        switch output {
        case .configure(_, let correlation):
            gateway.asked += 1
            var answer = "ok"
            switch gateway.phase {
            case .former, .returned:
                if now - gateway.startedAt < .seconds(5) {
                    answer = "the command is from then, and this gateway was started at then"
                } else {
                    gateway.phase = .trial
                    gateway.trialEnds = now + .seconds(122)
                    mostOnTrial = max(mostOnTrial, 1 + gateways.values.count { $0.phase == .trial })
                    schedule(.started(path), at: now + .seconds(2))
                    schedule(.trialEnds(path), at: now + .seconds(122))
                }
            case .trial, .accepted: break
            }
            gateways[path] = gateway
            reply(path, "configure", correlation, answer, now)
        case .confirm(_, let correlation):
            // A gateway whose broker is not there hears nothing.
            if gateway.phase == .trial, gateway.isFaulty { return }
            guard now - gateway.startedAt >= .seconds(5) else {
                return reply(path, "confirm", correlation, "this gateway was started at then", now)
            }
            if gateway.phase == .trial {
                gateway.phase = .accepted
                gateways[path] = gateway
                say(path, now)
            }
            reply(path, "confirm", correlation, gateway.phase == .accepted ? "ok" : "nothing is on trial", now)
        default: break
        }
    }

    private mutating func reply(
        _ path: GatewayPath, _ command: String, _ correlation: String, _ text: String, _ now: Duration
    ) {
        deliver(
            .toRun(
                .reply(path, command: command, HeardReply(correlation: correlation, ok: text == "ok", text: text))),
            now)
    }

    /// The gateway says what it uses. This is retained, so it arrives in the end.
    private mutating func say(_ path: GatewayPath, _ now: Duration) {
        guard let gateway = gateways[path], let state = state(path), !(gateway.phase == .trial && gateway.isFaulty)
        else { return }
        let delay = Duration.milliseconds(Int.random(in: 1...3000, using: &generator))
        schedule(.toRun(.heard(path, state)), at: now + delay)
        if Double.random(in: 0..<1, using: &generator) < loss {
            schedule(.toRun(.heard(path, state)), at: now + delay + .seconds(5))
        }
    }

    private func state(_ path: GatewayPath) -> RolloutState? {
        guard let gateway = gateways[path], let revision = Self.revision else { return nil }
        let isNew = gateway.phase == .trial || gateway.phase == .accepted
        let state: RolloutState.State =
            switch gateway.phase {
            case .former: .local
            case .trial: .trial
            case .accepted: .accepted
            case .returned: .returned
            }
        return RolloutState(
            time: .epoch, boot: 1, version: "1", state: state, revision: isNew ? revision : nil,
            digest: isNew ? Self.next : Self.former, since: gateway.since,
            returned: gateway.phase == .returned ? .init(revision: revision, digest: Self.next) : nil,
            reason: gateway.phase == .returned ? "it was not confirmed" : nil, obeys: true, works: true)
    }

    private mutating func take(_ outputs: [RolloutRun.Output], _ now: Duration) -> RolloutConclusion? {
        for output in outputs {
            switch output {
            case .configure(let path, _), .confirm(let path, _): deliver(.toGateway(path, output), now)
            case .finished(let conclusion): return conclusion
            case .tell: break
            }
        }
        return nil
    }

    /// Sends a message that can be lost, late, or there twice.
    private mutating func deliver(_ event: Event, _ now: Duration) {
        if Double.random(in: 0..<1, using: &generator) < loss { return }
        let delay = Duration.milliseconds(Int.random(in: 1...2000, using: &generator))
        schedule(event, at: now + delay)
        if Double.random(in: 0..<1, using: &generator) < loss { schedule(event, at: now + delay + .seconds(3)) }
    }

    /// The agenda is a heap.
    private mutating func schedule(_ event: Event, at time: Duration) {
        order += 1
        agenda.append((time, order, event))
        var child = agenda.count - 1
        while child > 0, isBefore(child, (child - 1) / 2) {
            agenda.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func next() -> (Duration, Event)? {
        guard let first = agenda.first else { return nil }
        let last = agenda.removeLast()
        if agenda.isEmpty { return (first.at, first.event) }
        agenda[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < agenda.count && isBefore(child, least) {
                least = child
            }
            if least == parent { return (first.at, first.event) }
            agenda.swapAt(parent, least)
            parent = least
        }
    }

    private func isBefore(_ one: Int, _ other: Int) -> Bool {
        (agenda[one].at, agenda[one].order) < (agenda[other].at, agenda[other].order)
    }
}

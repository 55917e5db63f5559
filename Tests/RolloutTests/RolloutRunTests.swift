import BeaconModel
import RecordContract
import Testing

@testable import GatewayCore
@testable import Rollout

@Suite struct RolloutRunTests {
    private static let next = ConfigurationDigest(of: Array("next".utf8))
    private static let former = ConfigurationDigest(of: Array("former".utf8))
    private let revision: ConfigurationRevision
    private let east: GatewayPath
    private let west: GatewayPath
    private let hall: GatewayPath

    init() throws {
        revision = try #require(ConfigurationRevision("abc"))
        east = try #require(GatewayPath("s/b/1/east"))
        west = try #require(GatewayPath("s/b/1/west"))
        hall = try #require(GatewayPath("s/b/2/hall"))
    }

    private func state(
        _ state: RolloutState.State, since: Int64 = 1, works: Bool = true, obeys: Bool = true, problem: String? = nil
    ) -> RolloutState {
        let isNew = state == .trial || state == .accepted
        return RolloutState(
            time: .epoch, boot: 1, version: "1", state: state, revision: isNew ? revision : nil,
            digest: isNew ? Self.next : Self.former, since: Timestamp(microseconds: since * 1_000_000),
            returned: state == .returned ? .init(revision: revision, digest: Self.next) : nil,
            reason: state == .returned ? "it was not confirmed" : nil, obeys: obeys, works: works, problem: problem)
    }

    /// A rollout to gateways that are online with their own files.
    private func run(_ paths: [GatewayPath], stages: [RolloutStage] = [.all], atOnce: Int = 10) -> RolloutRun {
        var run = RolloutRun(
            targets: Dictionary(uniqueKeysWithValues: paths.map { ($0, Self.next) }),
            rules: RolloutRules(stages: stages, atOnce: atOnce, trial: .seconds(60)), name: "r")
        for path in paths {
            #expect(run.handle(.status(path, isOnline: true), now: .zero).isEmpty)
            #expect(run.handle(.heard(path, state(.local)), now: .zero).isEmpty)
        }
        return run
    }

    private func commands(_ outputs: [RolloutRun.Output]) -> [String] {
        outputs.compactMap {
            switch $0 {
            case .configure(let path, _): "configure \(path.gateway)"
            case .confirm(let path, _): "confirm \(path.gateway)"
            default: nil
            }
        }
    }

    private func conclusion(_ outputs: [RolloutRun.Output]) -> RolloutConclusion? {
        for case .finished(let conclusion) in outputs { return conclusion }
        return nil
    }

    private func reply(_ correlation: String, ok: Bool = true, _ text: String = "") -> HeardReply {
        HeardReply(correlation: correlation, ok: ok, text: text)
    }

    @Test func `A gateway is configured, heard in its trial, confirmed and accepted`() {
        var run = run([east])
        #expect(commands(run.handle(.start, now: .zero)) == ["configure east"])
        #expect(commands(run.handle(.reply(east, command: "configure", reply("r-1")), now: .seconds(1))).isEmpty)
        #expect(commands(run.handle(.heard(east, state(.trial, works: false)), now: .seconds(3))).isEmpty)
        #expect(commands(run.handle(.timePassed, now: .seconds(20))).isEmpty)
        // What a gateway works with is confirmed, and not earlier than it obeys.
        #expect(commands(run.handle(.heard(east, state(.trial)), now: .seconds(21))) == ["confirm east"])
        let outputs = run.handle(.heard(east, state(.accepted)), now: .seconds(22))
        #expect(conclusion(outputs)?.endings == [east: .accepted])
        #expect(run.isFinished && run.deadline == nil)
    }

    @Test func `Nothing is confirmed in the first seconds of a trial`() {
        var run = run([east])
        _ = run.handle(.start, now: .zero)
        #expect(commands(run.handle(.heard(east, state(.trial)), now: .seconds(2))).isEmpty)
        #expect(run.deadline == .seconds(8))
        #expect(commands(run.handle(.timePassed, now: .seconds(8))) == ["confirm east"])
        #expect(
            commands(
                run.handle(
                    .reply(east, command: "confirm", reply("r-2", ok: false, "this gateway was started at ...")),
                    now: .seconds(9))
            ).isEmpty)
        #expect(commands(run.handle(.timePassed, now: .seconds(16))) == ["confirm east"])
        #expect(
            conclusion(run.handle(.reply(east, command: "confirm", reply("r-3")), now: .seconds(17)))?.endings == [
                east: .accepted
            ])
    }

    @Test func `A command without an answer is sent again, under another correlation`() {
        var run = run([east])
        var sent: [RolloutRun.Output] = run.handle(.start, now: .zero)
        for second in [20, 40] { sent += run.handle(.timePassed, now: .seconds(second)) }
        #expect(
            sent.filter { if case .configure = $0 { true } else { false } }
                == (1...3).map {
                    .configure(east, correlation: "r-\($0)")
                })
        let ended = conclusion(run.handle(.timePassed, now: .seconds(60)))
        #expect(ended?.count(.notReached) == 1 && ended?.failures == 0)
    }

    @Test func `A refusal for good ends it, and one of the moment does not`() {
        var run = run([east, west], atOnce: 2)
        _ = run.handle(.start, now: .zero)
        let refused = run.handle(
            .reply(east, command: "configure", reply("r-1", ok: false, "gateway.toml:1:1: mqtt.port: ...")),
            now: .seconds(1))
        #expect(refused.contains(.tell(.ended(east, .refused(reason: "gateway.toml:1:1: mqtt.port: ...")))))
        _ = run.handle(
            .reply(west, command: "configure", reply("r-2", ok: false, "too many commands; next in 6 s")),
            now: .seconds(1))
        #expect(commands(run.handle(.timePassed, now: .seconds(8))) == ["configure west"])
    }

    /// Replies are text for people, so what the run reads in them is compared with what a gateway writes.
    @Test func `Refusals of the moment are recognized in a gateway's words`() throws {
        let site = try #require(SiteKey(secret: Array(0..<32)))
        let key = site.commandKey(east.description)
        let topics = Topics(prefix: "beacons", place: east.place)
        let start = Timestamp(microseconds: 1_800_000_000_000_000)
        var rules = CommandRules()
        rules.key = key
        rules.burst = 1
        var admission = CommandAdmission(topics: topics, prefix: "beacons/v1", rules: rules, start: start)
        func refusal(_ correlation: String, at age: Duration) -> String? {
            let topic = topics.command(named: "confirm")
            let message = ConfirmMessage(digest: Self.next, correlation: correlation, at: start + age)
            let decision = admission.take(
                MQTTMessage(topic: topic, payload: message.encoded(for: topic, key: key)), now: age, wall: start + age)
            guard case .answered(let reply, _) = decision else { return nil }
            return reply.text
        }
        let early = try #require(refusal("a", at: .seconds(2)))
        #expect(RolloutRun.isTemporary(early), "\(early)")
        #expect(refusal("b", at: .seconds(10)) == nil)
        let many = try #require(refusal("c", at: .seconds(11)))
        #expect(RolloutRun.isTemporary(many), "\(many)")
        #expect(RolloutRun.isTemporary(CommandOutcome.stopping.text))
        #expect(!RolloutRun.isTemporary("gateway.toml:3:1: mqtt.port: found 99999; must be from 1 to 65535"))
    }

    @Test func `A gateway that returned is a failure, and an earlier return is not`() {
        var run = run([east])
        _ = run.handle(.heard(east, state(.returned, since: 5)), now: .zero)
        #expect(commands(run.handle(.start, now: .zero)) == ["configure east"])
        // The broker sends the retained message again after a reconnection.
        #expect(conclusion(run.handle(.heard(east, state(.returned, since: 5)), now: .seconds(1))) == nil)
        _ = run.handle(.reply(east, command: "configure", reply("r-1")), now: .seconds(2))
        let ended = conclusion(run.handle(.heard(east, state(.returned, since: 70)), now: .seconds(70)))
        #expect(ended?.endings == [east: .returned(reason: "it was not confirmed")] && ended?.failures == 1)
    }

    @Test func `What did not work in a trial is told with the return`() {
        var run = run([east])
        _ = run.handle(.start, now: .zero)
        _ = run.handle(.heard(east, state(.trial, works: false, problem: "no adapter receives")), now: .seconds(2))
        let ended = conclusion(run.handle(.heard(east, state(.returned, since: 70)), now: .seconds(70)))
        #expect(ended?.endings == [east: .returned(reason: "it was not confirmed; in the trial: no adapter receives")])
    }

    @Test func `A gateway that is not heard after its trial is a failure`() {
        var run = run([east])
        _ = run.handle(.start, now: .zero)
        _ = run.handle(.reply(east, command: "configure", reply("r-1")), now: .seconds(1))
        #expect(conclusion(run.handle(.timePassed, now: .seconds(150))) == nil)
        #expect(conclusion(run.handle(.timePassed, now: .seconds(151)))?.endings == [east: .silent])
    }

    @Test func `After a failure no further gateway is asked, and those on trial come to their end`() {
        var run = run([east, west, hall], stages: [.floor, .all], atOnce: 2)
        #expect(commands(run.handle(.start, now: .zero)) == ["configure east", "configure west"])
        let failed = run.handle(
            .reply(east, command: "configure", reply("r-1", ok: false, "it is wrong")), now: .seconds(1))
        #expect(failed.contains(.tell(.stopped(.failures(1, .floor)))))
        _ = run.handle(.heard(west, state(.trial)), now: .seconds(2))
        #expect(commands(run.handle(.timePassed, now: .seconds(9))) == ["confirm west"])
        let ended = conclusion(run.handle(.heard(west, state(.accepted)), now: .seconds(10)))
        #expect(ended?.endings[west] == .accepted && ended?.untouched == [hall])
        #expect(ended?.stop == .failures(1, .floor))
    }

    @Test func `Gateways that cannot be asked are not, and count apart`() {
        var run = RolloutRun(
            targets: [east: Self.next, west: Self.next, hall: Self.next], rules: RolloutRules(), name: "r")
        _ = run.handle(.heard(east, state(.local)), now: .zero)
        _ = run.handle(.status(west, isOnline: true), now: .zero)
        _ = run.handle(.status(hall, isOnline: true), now: .zero)
        _ = run.handle(.heard(hall, state(.local, obeys: false)), now: .zero)
        let outputs = run.handle(.start, now: .zero)
        #expect(commands(outputs).isEmpty)
        #expect(conclusion(outputs)?.count(.notReached) == 3 && conclusion(outputs)?.failures == 0)
    }

    @Test func `Whoever has the configuration is not asked, and a trial of it is taken up again`() {
        var run = run([east, west])
        _ = run.handle(.heard(east, state(.accepted)), now: .zero)
        _ = run.handle(.heard(west, state(.trial)), now: .zero)
        let outputs = run.handle(.start, now: .zero)
        #expect(commands(outputs).isEmpty && outputs.contains(.tell(.ended(east, .unchanged))))
        #expect(commands(run.handle(.timePassed, now: .seconds(6))) == ["confirm west"])
    }

    @Test func `A stage in which nobody was reached ends the rollout`() {
        var run = run([east, west], stages: [.gateway, .all])
        _ = run.handle(.start, now: .zero)
        var last: [RolloutRun.Output] = []
        for second in [20, 40, 60] { last = run.handle(.timePassed, now: .seconds(second)) }
        #expect(conclusion(last)?.stop == .nobodyReached(.gateway) && conclusion(last)?.untouched == [west])
    }

    @Test func `An interruption leaves trials to themselves`() {
        var run = run([east, west], atOnce: 1)
        _ = run.handle(.start, now: .zero)
        _ = run.handle(.heard(east, state(.trial)), now: .seconds(1))
        let ended = conclusion(run.handle(.interrupted, now: .seconds(2)))
        #expect(ended?.abandoned == [east] && ended?.untouched == [west] && ended?.stop == .interrupted)
        #expect(run.handle(.heard(east, state(.accepted)), now: .seconds(3)).isEmpty)
    }

    @Test func `Replies to other operators change nothing`() {
        var run = run([east])
        _ = run.handle(.start, now: .zero)
        #expect(run.handle(.reply(east, command: "configure", reply("q-1", ok: false, "no")), now: .seconds(1)).isEmpty)
        #expect(run.handle(.reply(west, command: "configure", reply("r-1")), now: .seconds(1)).isEmpty)
    }
}

import Testing
import Watching

@Suite struct WatchdogRuleTests {
    private let interval: Duration = .seconds(30)

    @Test("A program that works or waits for others pings")
    func ping() {
        var rule = WatchdogRule(interval: interval)
        #expect(rule.decide(.working, now: .zero) == .ping)
        #expect(rule.decide(.waiting, now: .seconds(10_000)) == .ping)
    }

    @Test("A program that is stuck for twice the interval stops telling, and goes on when it works again")
    func stuck() {
        var rule = WatchdogRule(interval: interval)
        #expect(rule.decide(.stuck("x"), now: .seconds(100)) == .ping)
        #expect(rule.decide(.stuck("x"), now: .seconds(159)) == .ping)
        #expect(rule.decide(.stuck("x"), now: .seconds(160)) == .withhold(because: "x"))
        #expect(rule.decide(.working, now: .seconds(170)) == .ping)
        #expect(rule.decide(.stuck("x"), now: .seconds(180)) == .ping)
    }

    @Test("A start may take ten intervals")
    func starting() {
        var rule = WatchdogRule(interval: interval)
        #expect(rule.decide(.starting, now: .seconds(5)) == .ping)
        #expect(rule.decide(.starting, now: .seconds(304)) == .ping)
        #expect(
            rule.decide(.starting, now: .seconds(305))
                == .withhold(because: "the start or the repair has not ended after 5m"))
    }

    @Test("A restart that has not helped is not repeated within an hour")
    func inVain() {
        var rule = WatchdogRule(interval: interval, restartedAt: .seconds(1000))
        _ = rule.decide(.stuck("x"), now: .seconds(1100))
        #expect(rule.decide(.stuck("x"), now: .seconds(1200)) == .pingInVain(because: "x"))
        #expect(rule.decide(.stuck("x"), now: .seconds(4600)) == .withhold(because: "x"))
    }
}

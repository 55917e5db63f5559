import BeaconModel
import Testing

@testable import MQTTBridge

@Suite struct OutboxClockTests {
    private let start = OutboxFixtures.start

    @Test("The clock of the outbox goes like the wall clock")
    func usual() {
        var clock = OutboxClock(start)
        #expect(clock.observe(start + .seconds(59)) - clock.observe(start + .seconds(59)) == 0)
        #expect(clock.observe(start + .seconds(3659)) == (start + .seconds(3659)).microseconds)
        #expect(clock.shift == 0)
    }

    @Test("A clock that is set forward by more than an hour counts as a minute")
    func forward() {
        var clock = OutboxClock(start)
        let before = clock.observe(start)
        #expect(clock.observe(start + .seconds(86_400 * 365)) - before == 60_000_000)
        #expect(clock.observe(start + .seconds(86_400 * 365 + 10)) - before == 70_000_000)
    }

    @Test("A clock that is set back doesn't make anything younger, and what follows counts")
    func back() {
        var clock = OutboxClock(start)
        let before = clock.observe(start + .seconds(100))
        #expect(clock.observe(start) == before)
        #expect(clock.observe(start + .seconds(10)) == before + 10_000_000)
    }

    @Test("After a step an entry's time is told so that its age is what it waited")
    func timestamp() {
        var clock = OutboxClock(start)
        let entered = clock.observe(start)
        let later = start + .seconds(100_000)
        _ = clock.observe(later)
        #expect(later - clock.timestamp(entered) == .seconds(60))
    }

    @Test("The fill rate is that of the last five minutes, from the first minute on")
    func fillRate() {
        var rate = OutboxFillRate()
        #expect(rate.rate(at: 0) == 0)
        for second in 0..<60 { rate.add(100, at: Int64(second) * 1_000_000) }
        #expect(abs(rate.rate(at: 60_000_000) - 100) < 2)
        for second in 60..<1000 { rate.add(500, at: Int64(second) * 1_000_000) }
        #expect(abs(rate.rate(at: 1_000_000_000) - 500) < 20)
        // A minute of silence is a fifth of the time.
        #expect(abs(rate.rate(at: 1_060_000_000) - 400) < 30)
        #expect(rate.rate(at: 2_000_000_000) == 0)
    }
}

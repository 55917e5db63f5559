import BeaconModel
import Testing

@testable import Publishing
@testable import RecordContract

@Suite struct OutboxClockTests {
    private let start = OutboxFixtures.start

    /// The same machine after another start, `up` after it.
    private func rebooted(
        _ bootID: String = "second", wall: Timestamp, up: Duration, isSynchronized: Bool
    ) -> ClockReading {
        ClockReading(
            wall: wall, sinceBoot: up.clampedMicroseconds, bootID: bootID, isSynchronized: isSynchronized)
    }

    @Test("The clock advances by the time since the machine was started, whatever the wall clock is set to")
    func steps() {
        var clock = OutboxClock(now: start)
        let before = clock.observe(start)
        var set = start + .seconds(60)
        set.wall = start.wall + .seconds(86_400 * 365)
        #expect(clock.observe(set) - before == 60_000_000)
        set = start + .seconds(120)
        set.wall = .epoch
        #expect(clock.observe(set) - before == 120_000_000)
        #expect(clock.observe(start + .seconds(7200)) - before == 7_200_000_000)
        #expect(clock.takeStep() == nil)
    }

    @Test("A clock that goes backwards counts as standing still")
    func backwards() {
        var clock = OutboxClock(now: start)
        let before = clock.observe(start + .seconds(100))
        #expect(clock.observe(start) == before)
    }

    @Test("An entry's time is told so that its age is what it waited, also after the clock was set")
    func timestamp() {
        var clock = OutboxClock(now: start)
        let entered = clock.observe(start)
        var set = start + .seconds(60)
        set.wall = start.wall + .seconds(100_000)
        _ = clock.observe(set)
        #expect(set.wall - clock.timestamp(entered) == .seconds(60))
    }

    @Test("Over a restart of the process the clock goes on with the machine")
    func process() {
        let first = OutboxClock(now: start)
        var later = start + .seconds(500)
        later.wall = .epoch
        later.isSynchronized = false
        let second = OutboxClock(first.state, now: later, nextID: 10)
        #expect(second.state.time - first.state.time == 500_000_000)
        #expect(second.isAnchored)
    }

    @Test("Over a start of the machine a synchronized clock tells how long it was off")
    func off() {
        let first = OutboxClock(now: start)
        let later = rebooted(wall: start.wall + .seconds(9000), up: .seconds(30), isSynchronized: true)
        var second = OutboxClock(first.state, now: later, nextID: 10)
        #expect(second.state.time - first.state.time == 9_000_000_000)
        #expect(second.takeStep().map(\.firstID) == 10)
    }

    @Test("Until the clock is synchronized only the time since the start of the machine counts")
    func unknown() {
        let first = OutboxClock(now: start)
        // A box without a battery, and one whose clock is a year ahead.
        for wall in [Timestamp.epoch, start.wall + .seconds(365 * 86_400)] {
            let later = rebooted(wall: wall, up: .seconds(30), isSynchronized: false)
            let second = OutboxClock(first.state, now: later, nextID: 10)
            #expect(second.state.time - first.state.time == 30_000_000)
            #expect(!second.isAnchored)
        }
    }

    @Test(
        "Once the clock is synchronized, what came in before the machine was off ages, and what came in since does not")
    func synchronized() {
        let first = OutboxClock(now: start)
        var second = OutboxClock(
            first.state, now: rebooted(wall: .epoch, up: .seconds(30), isSynchronized: false), nextID: 10)
        let stamp = second.stamp
        let right = start.wall + .seconds(300_000)
        let present = second.observe(rebooted(wall: right, up: .seconds(630), isSynchronized: true))
        #expect(second.takeStep() != nil)
        let (old, new) = (
            OutboxClock.time(of: (9, first.state.time), second.state, now: start),
            OutboxClock.time(of: (10, stamp), second.state, now: start)
        )
        #expect(present - old == 300_000_000_000)
        #expect(present - new == 600_000_000)
        // What comes in from then on is new.
        #expect(OutboxClock.time(of: (11, second.stamp), second.state, now: start) == present)
    }

    @Test("Several starts of the machine without a clock age nothing by more than is known")
    func severalStarts() {
        let first = OutboxClock(now: start)
        var second = OutboxClock(
            first.state, now: rebooted(wall: .epoch, up: .seconds(30), isSynchronized: false), nextID: 10)
        let stamp = second.stamp
        _ = second.observe(rebooted(wall: .epoch, up: .seconds(90), isSynchronized: false))
        let right = start.wall + .seconds(300_000)
        let third = OutboxClock(
            second.state, now: rebooted("third", wall: right, up: .seconds(5), isSynchronized: true), nextID: 20)
        // Nobody knows whether the machine was off before the second start or after it.
        let age = third.state.time - OutboxClock.time(of: (10, stamp), third.state, now: start)
        #expect(age == 65_000_000)
        #expect(third.state.time - first.state.time == 300_000_000_000)
    }

    @Test("Records of an outbox whose clock isn't known are as old as the clock")
    func legacy() {
        let clock = OutboxClock(now: start, nextID: 100)
        #expect(OutboxClock.time(of: (99, 5), nil, now: start) == start.wall.microseconds)
        #expect(OutboxClock.time(of: (99, 5), clock.state, now: start) == start.wall.microseconds)
        #expect(OutboxClock.time(of: (100, 5), clock.state, now: start) == 5)
    }

    @Test("A machine that is started often without a clock keeps a bounded state, and makes nothing older")
    func manyStarts() {
        var state = OutboxClock(now: start).state
        for number in 1...200 as ClosedRange<Int64> {
            let wall = start.wall + .seconds(number * 10_000)
            var clock = OutboxClock(
                state, now: rebooted("\(number)", wall: .epoch, up: .seconds(5), isSynchronized: false),
                nextID: number * 10)
            let stamp = clock.stamp
            let present = clock.observe(rebooted("\(number)", wall: wall, up: .seconds(15), isSynchronized: true))
            #expect(present - OutboxClock.time(of: (number * 10, stamp), clock.state, now: start) == 10_000_000)
            state = clock.state
        }
        #expect(state.steps.count == OutboxClock.mostSteps)
        #expect(OutboxState(clock: state).encoded.count == OutboxState.size)
    }

    @Test("The state of an outbox is read as it was written")
    func state() {
        var clock = OutboxClock(
            OutboxClock(now: start).state,
            now: rebooted(wall: .epoch, up: .seconds(30), isSynchronized: false), nextID: 10)
        for state in [
            clock.state,
            {
                _ = clock.observe(start)
                return clock.state
            }(),
        ] {
            let full = OutboxState(
                clock: state,
                holding: .init(
                    count: 3, newestID: 7, newest: RecordPosition(boot: 2, sequence: 9),
                    oldest: RecordPosition(boot: 1, sequence: 4)), isClosed: true)
            #expect(OutboxState(full.encoded) == full)
            #expect(OutboxState(OutboxState(clock: state).encoded) == OutboxState(clock: state))
        }
    }

    @Test("A state of which any byte was changed is not believed")
    func damagedState() {
        let bytes = OutboxState(clock: OutboxClock(now: start).state).encoded
        let length = bytes.lastIndex { $0 != UInt8(ascii: "\n") } ?? 0
        for index in 0...length {
            var damaged = bytes
            damaged[index] ^= 0x15
            #expect(OutboxState(damaged) == nil, "byte \(index)")
        }
        #expect(OutboxState(Array(bytes.prefix(20))) == nil)
        #expect(OutboxState([]) == nil)
    }

    @Test(
        "Whatever an earlier state has set the clock to, a record gets a time that its row may have",
        arguments: [-5, 1 << 60] as [Int64])
    func possibleStamp(time: Int64) {
        let clock = OutboxClock(OutboxClock.State(reading: start, time: time, firstID: 1, origin: 0), now: start)
        #expect(OutboxRow.times.contains(clock.stamp))
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

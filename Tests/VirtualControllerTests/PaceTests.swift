import Testing

@testable import VirtualController

/// The rate of made-up advertisers, on which the comparison of counts rests.
@Suite struct PaceTests {
    @Test("However rarely it is asked, exactly what is due at the rate is given", arguments: [1, 7, 3000, 10_000])
    func average(rate: Int) {
        for step in [1, 5, 17, 333] {
            var pace = Pace(rate: rate, now: 1000)
            var total = 0
            for now in stride(from: 1000, through: 1000 + 333 * 17 * 5, by: step) {
                let due = pace.due(at: now)
                #expect(due >= 0)
                pace.take(due)
                total += due
                #expect(total == (now - 1000) * rate / 1000)
            }
        }
    }

    @Test("The time that it says is one at which something is due", arguments: [1, 7, 3000, 10_000])
    func nextTime(rate: Int) {
        var pace = Pace(rate: rate, now: 0)
        var now = 0
        for _ in 0..<1000 {
            #expect(pace.nextAt > now)
            now = pace.nextAt
            let due = pace.due(at: now)
            #expect(due > 0)
            pace.take(due)
        }
    }

    @Test("What is late by more than a second is forgotten, and counted")
    func late() {
        var pace = Pace(rate: 100, now: 0)
        #expect(pace.forgetTheLate(at: 900) == 0)
        #expect(pace.forgetTheLate(at: 2500) == 150)
        #expect(pace.due(at: 2500) == 100)
    }
}

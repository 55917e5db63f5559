import InteractionStore
import MQTTBridge
import Testing

@testable import Matcher

@Suite struct GapWatchTests {
    private let gap = InteractionStore.Gap(after: .init(boot: 1, sequence: 3), missing: 2)

    @Test func `A gap is said once, when it has stayed for an hour, and the next one again`() {
        var watch = GapWatch()
        var said: [Int64] = []
        for now in stride(from: Int64(0), through: 9000, by: 600) {
            if !watch.stay(["g": gap], now: now).isEmpty { said.append(now) }
        }
        #expect(said == [3600])
        let next = InteractionStore.Gap(after: .init(boot: 1, sequence: 9), missing: 1)
        #expect(watch.stay(["g": next], now: 9600).isEmpty)
        #expect(watch.stay(["g": next], now: 13_200).first?.1 == next)
    }

    @Test func `A gap that closes in time isn't said`() {
        var watch = GapWatch()
        _ = watch.stay(["g": gap], now: 0)
        _ = watch.stay([:], now: 600)
        #expect(watch.stay(["g": gap], now: 3600).isEmpty)
    }

    @Test func `It is looked for gaps each ten minutes, also by a clock that was set back`() {
        var watch = GapWatch()
        let due = [1000, 1599, 1600, 10, 11].map { watch.isDue($0) }
        #expect(due == [true, false, true, true, false])
    }

    @Test func `Lost records are said at once, then with their sum after an hour`() {
        var watch = GapWatch()
        #expect(watch.lost(3, of: "g", now: 0) == 3)
        #expect(watch.lost(4, of: "g", now: 10) == nil)
        #expect(watch.lost(1, of: "h", now: 10) == 1)
        #expect(watch.lost(.max, of: "g", now: 20) == nil)
        #expect(watch.lost(5, of: "g", now: 3600) == .max)
        #expect(watch.lost(5, of: "g", now: 7200) == 5)
    }
}

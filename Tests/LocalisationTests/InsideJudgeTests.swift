import FloorPlans
import Testing

@testable import Localisation

@Suite("Inside or outside of a room")
struct InsideJudgeTests {
    /// Returns the probability of the room after equal seconds.
    private func judge(
        _ judge: inout InsideJudge, before: Float, _ signals: [HeardSignal], silent: [Int] = [],
        seconds: ClosedRange<Int> = 0...0
    ) -> Double {
        var result = 0.0
        for second in seconds {
            let window = HeardWindow(end: Double(second), signals: signals, silent: silent)
            result = OneRoom.share(judge.weigh(OneRoom.model, OneRoom.floors(inside: before), window))
        }
        return result
    }

    private func judge(before: Float, _ signals: [HeardSignal], silent: [Int] = []) -> Double {
        var one = InsideJudge()
        return judge(&one, before: before, signals, silent: silent)
    }

    @Test("a room is judged if two receivers are inside and two outside near its walls")
    func sides() {
        #expect(OneRoom.model.sides.map(\.inside) == [[0, 1]])
        #expect(OneRoom.model.sides.map(\.outside) == [[2, 3]])
        for missing in 0..<4 {
            var receivers = OneRoom.receivers
            receivers.remove(at: missing)
            #expect(BuildingModel(plans: [OneRoom.plan], receivers: receivers).sides.isEmpty)
        }
    }

    @Test("much stronger inside is inside, and much stronger outside is outside, whatever the filter says")
    func overruled() {
        #expect(judge(before: 0.01, OneRoom.signals(inside: -55, outside: -80)) > 0.8)
        #expect(judge(before: 0.99, OneRoom.signals(inside: -80, outside: -55)) < 0.2)
    }

    @Test("a small difference leaves the decision to the filter")
    func undecided() {
        #expect(judge(before: 0.1, OneRoom.signals(inside: -64, outside: -66)) < 0.5)
        #expect(judge(before: 0.9, OneRoom.signals(inside: -66, outside: -64)) > 0.5)
    }

    @Test("a power that nobody knows does not matter")
    func power() {
        let strong = judge(before: 0.5, OneRoom.signals(inside: -45, outside: -55))
        let weak = judge(before: 0.5, OneRoom.signals(inside: -65, outside: -75))
        #expect(abs(strong - weak) < 1e-6)
    }

    @Test("the filter's certainty counts at most to a limit")
    func certainty() {
        let signals = OneRoom.signals(inside: -60, outside: -70)
        #expect(abs(judge(before: 0.999, signals) - judge(before: 0.99, signals)) < 1e-3)
    }

    @Test("the probabilities still add up to one")
    func sum() {
        var judge = InsideJudge()
        let floors = judge.weigh(
            OneRoom.model, OneRoom.floors(inside: 0.3),
            HeardWindow(end: 0, signals: OneRoom.signals(inside: -50, outside: -75)))
        #expect(abs((floors[0] ?? []).reduce(0, +) - 1) < 1e-3)
    }

    @Test("nothing changes where no room has receivers on both sides")
    func untouched() {
        var judge = InsideJudge()
        let floors = TwoRooms.filter(TwoRooms.left, seconds: 5).floors
        #expect(judge.weigh(TwoRooms.model, floors, HeardWindow(end: 5, signals: TwoRooms.right)) == floors)
    }

    @Test("a side that listens in vain is weaker, and one of which nothing is known tells nothing")
    func silence() {
        let inside = Array(OneRoom.signals(inside: -60, outside: 0).prefix(2))
        #expect(judge(before: 0.1, inside, silent: [2, 3]) > 0.5)
        #expect(abs(judge(before: 0.1, inside) - 0.1) < 1e-3)
    }

    @Test("a decision is held until the difference is clear")
    func hysteresis() {
        let equal = OneRoom.signals(inside: -60, outside: -60)
        var (came, went) = (InsideJudge(), InsideJudge())
        _ = judge(&came, before: 0.5, OneRoom.signals(inside: -50, outside: -70))
        _ = judge(&went, before: 0.5, OneRoom.signals(inside: -70, outside: -50))
        let stays = judge(&came, before: 0.5, equal, seconds: 1...5)
        let goes = judge(&went, before: 0.5, equal, seconds: 1...5)
        #expect(stays > goes + 0.2)
    }

    @Test("a single reflection does not decide")
    func reflection() {
        var one = InsideJudge()
        _ = judge(&one, before: 0.9, OneRoom.signals(inside: -55, outside: -70), seconds: 0...5)
        let reflected = [HeardSignal(receiver: 2, rssi: -50), HeardSignal(receiver: 0, rssi: -60)]
        #expect(judge(&one, before: 0.9, reflected, seconds: 6...6) > 0.5)
    }

    @Test("going out for more than five seconds is a movement for a minute, and a shorter change is none")
    func crossing() {
        let (inside, outside) = (
            OneRoom.signals(inside: -50, outside: -75), OneRoom.signals(inside: -75, outside: -50)
        )
        var one = InsideJudge()
        _ = judge(&one, before: 0.5, inside, seconds: 0...20)
        #expect(!one.hasCrossed(at: 20))
        _ = judge(&one, before: 0.5, outside, seconds: 21...23)
        _ = judge(&one, before: 0.5, inside, seconds: 24...40)
        #expect(!one.hasCrossed(at: 40))
        _ = judge(&one, before: 0.5, outside, seconds: 41...50)
        #expect(one.hasCrossed(at: 50) && !one.hasCrossed(at: 110))
    }

    @Test("after a gap in which the subject was forgotten, nothing is held")
    func forgotten() {
        var one = InsideJudge()
        _ = judge(&one, before: 0.5, OneRoom.signals(inside: -50, outside: -75))
        let equal = OneRoom.signals(inside: -60, outside: -60)
        #expect(abs(judge(&one, before: 0.5, equal, seconds: 100...100) - judge(before: 0.5, equal)) < 1e-6)
    }

    @Test("values that are no levels, and unknown receivers, are ignored")
    func hostile() {
        let signals = OneRoom.signals(inside: -55, outside: -75)
        let odd = [
            HeardSignal(receiver: 2, rssi: .nan), HeardSignal(receiver: 3, rssi: .infinity),
            HeardSignal(receiver: -1, rssi: -20), HeardSignal(receiver: 99, rssi: -20),
            HeardSignal(receiver: 2, rssi: -20, count: 0),
        ]
        #expect(judge(before: 0.4, odd + signals) == judge(before: 0.4, signals))
    }

    @Test("what is settled follows a clear difference too")
    func settled() throws {
        var filter = SettledFilter(OneRoom.model)
        var scratch = FilterScratch()
        for second in 0..<5 {
            _ = filter.add(
                OneRoom.model,
                HeardWindow(end: Double(second), signals: OneRoom.signals(inside: -45, outside: -85)),
                scratch: &scratch)
        }
        let settled = filter.finish(OneRoom.model, scratch: &scratch)
        #expect(settled.count == 5 && settled.allSatisfy { $0.estimate.best.room == 0 })
    }
}

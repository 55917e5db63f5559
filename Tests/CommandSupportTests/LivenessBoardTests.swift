import CommandSupport
import Testing
import Watching

@Suite struct LivenessBoardTests {
    private let live = Liveness(receiving: .working, storing: .working, delivering: .working)

    @Test("A program that has not observed itself yet is starting")
    func unknown() {
        let start = ContinuousClock.now
        let liveness = LivenessBoard(now: start).liveness(at: start)
        #expect(!liveness.isLive)
        #expect(liveness.statusLine == "the program starts")
    }

    @Test("The board has the last observation")
    func last() {
        let start = ContinuousClock.now
        let board = LivenessBoard(now: start)
        board.set(live, .working, at: start)
        #expect(board.liveness(at: start + .seconds(14)).isLive)
    }

    @Test("A program that no longer observes itself is not live, and stuck")
    func stale() {
        let start = ContinuousClock.now
        let board = LivenessBoard(now: start)
        board.set(live, .working, at: start)
        let later = start + .seconds(20)
        #expect(!board.liveness(at: later).isLive)
        #expect(board.vitality(at: later) == .stuck("the program has not looked at its own work for 20 s"))
    }
}

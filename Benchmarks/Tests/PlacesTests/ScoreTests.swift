import FloorPlans
import Localisation
import Testing

@testable import PlacesBenchmark

@Suite("Scores of places")
struct ScoreTests {
    private func truth(_ time: Double, room: Int?, x: Double = 0) -> Recording.TruePosition {
        Recording.TruePosition(
            time: time, subject: "s", floor: 0, position: PlanPoint(x: x, y: 0), room: room, isRoomKnown: true)
    }

    private func guess(_ time: Double, room: Int?, x: Double = 0, radius: Double = 1) -> Guess {
        Guess(
            time: time, floor: 0, position: PlanPoint(x: x, y: 0), radius: radius, room: room, probability: 0.9,
            shown: .room(floor: 0, room: room))
    }

    @Test("F1 is the mean over the rooms that somebody was in")
    func f1() throws {
        var score = Score()
        for _ in 0..<9 { score.add(guess(0, room: 0), truth(0, room: 0)) }
        score.add(guess(0, room: 0), truth(0, room: 1))
        // Room 0: 18 of 19; room 1: nothing.
        #expect(abs(try #require(score.macroF1) - 18.0 / 19 / 2) < 1e-9)
        #expect(score.accuracy == 0.9)
    }

    @Test("errors are distances, regions hold them or not, and a wrong floor is far")
    func errors() {
        var score = Score()
        score.add(guess(0, room: 0, x: 3, radius: 4), truth(0, room: 0))
        score.add(guess(0, room: 0, x: 5, radius: 4), truth(0, room: 0))
        #expect(score.meanError == 4 && score.coverage == 0.5)
        var other = guess(0, room: 0)
        other.floor = 1
        score.add(other, truth(0, room: 0))
        #expect((score.meanError ?? 0) > 9)
    }

    @Test("a subject that a method does not find counts as wrong")
    func missing() {
        var score = Score()
        score.add(nil, truth(0, room: 0))
        #expect(score.accuracy == 0 && score.meanError == nil)
    }

    @Test("probabilities that are too high are an error of calibration")
    func calibration() throws {
        var score = Score()
        for index in 0..<10 { score.add(guess(0, room: index < 5 ? 0 : 1), truth(0, room: 0)) }
        #expect(abs(try #require(score.calibrationError) - 0.4) < 1e-9)
    }

    @Test("a shown change without a true one is false, and a true one has a delay")
    func changes() {
        var changes = RoomChanges()
        let positions = (0..<3600).map { truth(Double($0), room: $0 < 1800 ? 0 : 1) }
        let shown = (0..<3600).map { second in
            guess(Double(second), room: second < 1804 ? (second == 900 ? 2 : 0) : 1)
        }
        changes.add(shown, positions)
        // To room 2, and back.
        #expect(changes.falseChanges == 2 && changes.delays == [4])
        #expect(abs((changes.falsePerHour ?? 0) - 2) < 0.01)
    }

    @Test("the guess of a time is that of the window that the time is in")
    func window() {
        let guesses = [guess(1, room: 0), guess(2, room: 1), guess(10, room: 2)]
        #expect(Judgement.guess(guesses, 0.5)?.room == 0)
        #expect(Judgement.guess(guesses, 1)?.room == 1)
        #expect(Judgement.guess(guesses, 5)?.room == 1)
        #expect(Judgement.guess(guesses, 11)?.room == 2)
    }
}

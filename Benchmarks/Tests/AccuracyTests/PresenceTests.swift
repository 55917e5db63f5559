import Proximity
import Testing

@testable import AccuracyBenchmark

@Suite("Presence")
struct PresenceTests {
    private let half = InteractionRules.Silence.fixed(.seconds(30))

    @Test("A gap that is longer than the silence is a false end, and the last silence is none")
    func falseEnds() {
        let score = score([0, 1, 40, 41, 80, 81, 100], cuts: [])
        #expect(score.falseEnds == 2)
        #expect(abs(score.hours - 100.0 / 3600) < 1e-9)
        #expect(abs((score.falseEndsPerHour ?? 0) - 72) < 1e-6)
    }

    @Test("A departure is detected when the silence after the last packet is over, if it was held for present")
    func departure() {
        // Of times since an hour before the first packet. At 60 it has left already.
        let score = score([0, 20, 70, 71, 100], cuts: [3605, 3660, 3680])
        #expect(score.sinceCut == [25, 21])
        #expect(score.sinceLastPacket == [30, 30])
    }

    @Test("Receivers that aren't named hear one recording after the other, an hour apart, each of another device")
    func oneAfterTheOther() {
        let streams = [[100.0, 110], [5, 25]].map {
            PresenceStream(dataSet: "s", receiver: nil, recording: "r", times: $0)
        }
        let recording = PresenceRecording(streams) { true }
        #expect(recording.packets.map(\.time) == [3600, 3610, 7210, 7230])
        #expect(recording.packets.map(\.transmitter) == [0, 0, 1, 1])
        #expect(recording.lastHeard == [3610, 7230])
        #expect(abs(recording.hours - 30.0 / 3600) < 1e-9)
    }

    @Test("Streams of one receiver are heard together")
    func together() {
        let streams = [[100.0, 110], [105, 125]].map {
            PresenceStream(dataSet: "s", receiver: "a", recording: "r", times: $0)
        }
        let recording = PresenceRecording(streams) { true }
        #expect(recording.packets.map(\.transmitter) == [0, 1, 0, 1])
        #expect(PresenceRecording.byReceiver(streams).count == 1)
    }

    @Test("Packets are lost alike at each run, and none is a false end of a device that is heard each second")
    func thinning() throws {
        let stream = PresenceStream(dataSet: "s", receiver: nil, recording: "r", times: (0..<2000).map(Double.init))
        let one = PresenceEvaluation([stream])
        let two = PresenceEvaluation([stream])
        for (first, second) in zip(one.scores, two.scores) {
            #expect(first.scores.map(\.score.falseEnds) == second.scores.map(\.score.falseEnds))
            #expect(first.scores.map(\.score.sinceCut) == second.scores.map(\.score.sinceCut))
        }
        let all = try #require(one.scores.first)
        #expect(all.received == 100)
        #expect(all.scores.allSatisfy { $0.score.falseEnds == 0 && $0.score.sinceCut.count == 5 })
        #expect(abs((all.scores.first?.score.hours ?? 0) - 1999.0 / 3600) < 1e-9)
    }

    private func score(_ times: [Double], cuts: [Double]) -> PresenceScore {
        var rules = InteractionRules()
        rules.silence = half
        let stream = PresenceStream(dataSet: "s", receiver: nil, recording: "r", times: times)
        var score = PresenceScore()
        score.add(PresenceRecording([stream]) { true }, rules: rules, cuts: cuts.map { ($0, 0) })
        return score
    }
}

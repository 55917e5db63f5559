import Testing

@testable import AccuracyBenchmark

@Suite("Pairs of visits")
struct VisitTests {
    private let anchors: [(x: Double, y: Double)] = [(0, 0), (10, 0), (20, 0)]

    private func visit(_ means: [Double?], x: Double = 0, time: Double? = nil) -> Visit {
        let heard = means.enumerated().compactMap { anchor, mean in
            mean.map { Visit.Heard(anchor: anchor, count: 10, mean: $0) }
        }
        return Visit(x: x, y: 0, heard: heard, time: time)
    }

    @Test("A badge that is 9 dB weaker at all anchors is the same to all ways but the nearest common anchor")
    func offset() {
        let here = visit([-60, -66, nil])
        let there = visit([-75, -62, -80])
        let weak = visit([-84, -71, -89])
        for method in [VisitMethod.strongest, .centroid, .cosine] {
            #expect(abs(method.score(here, there, anchors) - method.score(here, weak, anchors)) < 1e-9)
        }
        let nearest = VisitMethod.nearestAnchor
        #expect(nearest.score(here, there, anchors) > nearest.score(here, weak, anchors))
    }

    // 6.0206 dB are a factor of 2: (1, 1/2) and (1/2, 1) have 2 * 1/2 of 5/4.
    @Test("The cosine is that of the amplitudes")
    func cosine() {
        let one = visit([-60, -66.0206])
        let other = visit([-66.0206, -60])
        #expect(abs(VisitMethod.cosine.score(one, other, anchors) - 0.8) < 1e-4)
        #expect(abs(VisitMethod.cosine.score(one, one, anchors) - 1) < 1e-9)
        #expect(VisitMethod.cosine.score(one, visit([nil, nil, -60]), anchors) == 0)
    }

    // Half as strong: two thirds and a third of 10 m. Differences of 3 and -3 dB about the mean.
    @Test("Centroids are weighted by amplitudes, differences less their means")
    func simple() {
        let one = visit([-60, -66.0206])
        let other = visit([-66.0206, -60])
        #expect(abs(VisitMethod.centroid.score(one, other, anchors) + 10.0 / 3) < 1e-4)
        #expect(abs(VisitMethod.difference.score(one, other, anchors) + 6.0206) < 1e-4)
        #expect(VisitMethod.strongest.score(one, other, anchors) == 0)
        #expect(VisitMethod.nearestAnchor.score(visit([-60]), visit([nil, -60]), anchors) == -.infinity)
    }

    // Two at 0 m and two at 10 m; the first and the second of one recording are 59 s apart.
    @Test("Pairs are counted by their distances, and who is there a moment later is no other visit")
    func evaluation() throws {
        var recording = VisitRecording(dataSet: "any", anchors: anchors)
        recording.visits = [
            visit([-50, -70], x: 0, time: 0), visit([-50, -71], x: 0, time: 59), visit([-70, -50], x: 10, time: 120),
            visit([-71, -50], x: 10, time: 200),
        ]
        let evaluation = VisitEvaluation(recording)
        #expect(evaluation.pairs == 5 && evaluation.within == [1, 1])
        let areas = try #require(evaluation.areas[.cosine])
        #expect(areas.plain == [1, 1] && areas.withOffsets == [1, 1])
    }
}

import BeaconModel
import Glibc

/// How well pairs of visits are told that were within a radius of each other.
struct VisitEvaluation: Sendable {
    /// Metres.
    static let radii = [2.0, 6]
    /// Standard deviation of the offset of each visit's badge, in dB, where there is one.
    static let offset = 5.0
    /// Of one recording, visits less than so many seconds apart are one.
    static let leastGap = 60.0

    /// The areas under the ROC curves, by radius; `nil` where all pairs are on one side.
    struct Areas: Sendable {
        var plain: [Double?]
        var withOffsets: [Double?]
    }

    let pairs: Int
    /// Pairs within each radius.
    let within: [Int]
    let areas: [VisitMethod: Areas]

    init(_ recording: VisitRecording) {
        let visits = recording.visits
        var random = SplitMix64(seed: 1)
        let shifted = visits.map { visit in
            var visit = visit
            let offset = Self.offset * Self.normal(&random)
            for index in visit.heard.indices { visit.heard[index].mean += offset }
            return visit
        }
        var indices: [(one: Int, other: Int, metres: Double)] = []
        for other in visits.indices {
            for one in 0..<other {
                if let before = visits[one].time, let after = visits[other].time, abs(after - before) < Self.leastGap {
                    continue
                }
                indices.append((one, other, hypot(visits[one].x - visits[other].x, visits[one].y - visits[other].y)))
            }
        }
        pairs = indices.count
        within = Self.radii.map { radius in indices.count { $0.metres <= radius } }
        var areas: [VisitMethod: Areas] = [:]
        for method in VisitMethod.allCases {
            func curves(_ visits: [Visit]) -> [Double?] {
                let scores = indices.map { method.score(visits[$0.one], visits[$0.other], recording.anchors) }
                return Self.radii.map { radius in
                    RankScore.areaUnderCurve(
                        zip(scores, indices).map { (rank: $0, isPositive: $1.metres <= radius) })
                }
            }
            areas[method] = Areas(plain: curves(visits), withOffsets: curves(shifted))
        }
        self.areas = areas
    }

    private static func normal(_ random: inout SplitMix64) -> Double {
        let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &random))).squareRoot()
        return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &random))
    }
}

import Matching
import Testing

@Suite struct SimilarityLevelTests {
    @Test(arguments: stride(from: 0.74, through: 0.981, by: 0.02).map { ($0 * 100).rounded() / 100 })
    func `A similarity reaches a threshold that it equals, and none above it`(threshold: Double) throws {
        let level = try #require(SimilarityLevel(threshold: threshold))
        #expect(SimilarityLevel(threshold) == level)
        #expect(SimilarityLevel(threshold + 0.0199) == level)
        #expect(SimilarityLevel(threshold - 0.0001) < level)
        #expect(abs(level.similarity - threshold) < 1e-9)
    }

    @Test(arguments: [0, 0.5, 0.7399, 0.72]) func `Less than 0.74 is nothing`(similarity: Double) {
        #expect(SimilarityLevel(similarity) == .none)
    }

    @Test(arguments: [0.72, 0.75, 0.87, 0.99, 1, -1]) func `Other thresholds there are none`(threshold: Double) {
        #expect(SimilarityLevel(threshold: threshold) == nil)
    }

    @Test func `Equal vectors have the highest level`() {
        #expect(SimilarityLevel(1).rawValue == 14)
        #expect(SimilarityLevel(1.0000001).rawValue == 14)
    }
}

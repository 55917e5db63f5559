import BeaconModel
import TestValues
import Testing

@testable import Proximity

@Suite("RSSIHistogram")
struct RSSIHistogramTests {
    private func summary(_ values: [Int8]) -> Interaction.RSSISummary? {
        var histogram = RSSIHistogram()
        for value in values { if let rssi = RSSI(dBm: value) { histogram.add(rssi) } }
        return histogram.summary
    }

    @Test("Without samples there is no summary")
    func empty() {
        #expect(summary([]) == nil)
    }

    @Test("One sample is all three")
    func one() {
        #expect(summary([-71]) == .init(median: -71, minimum: -71, maximum: -71))
    }

    @Test("Of an odd number of samples the median is the middle one")
    func odd() {
        #expect(summary([-50, -90, -70]) == .init(median: -70, minimum: -90, maximum: -50))
    }

    @Test("Of an even number of samples the median is the lower of the middle two")
    func even() {
        #expect(summary([-50, -90, -70, -60]) == .init(median: -70, minimum: -90, maximum: -50))
    }

    @Test("The ends of the plausible range are counted")
    func ends() {
        #expect(summary([-110, -1]) == .init(median: -110, minimum: -110, maximum: -1))
    }

    @Test("Implausible values are left out", arguments: [Int8(-127), -111, 0, 20])
    func implausible(value: Int8) {
        #expect(summary([value]) == nil)
        #expect(summary([-70, value, value]) == .init(median: -70, minimum: -70, maximum: -70))
    }

    @Test("The summary of random samples is that of the sorted samples")
    func random() {
        var generator = SeededGenerator("random RSSI samples")
        for _ in 0..<500 {
            let low = Int8.random(in: -110 ... -2, using: &generator)
            let values = (0..<Int.random(in: 1...200, using: &generator)).map { _ in
                Int8.random(in: low ... -1, using: &generator)
            }
            let sorted = values.sorted().map(Int.init)
            let expected = Interaction.RSSISummary(
                median: sorted[(sorted.count - 1) / 2], minimum: sorted[0], maximum: sorted[sorted.count - 1])
            if summary(values) != expected {
                Issue.record("\(values) gave \(String(describing: summary(values))); \(generator.comment)")
                return
            }
        }
    }
}

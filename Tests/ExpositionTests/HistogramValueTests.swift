import Exposition
import Testing

@Suite struct HistogramValueTests {
    @Test("A value on a bound belongs to the bucket below it")
    func bounds() {
        var histogram = HistogramValue(bounds: [1, 2])
        for value in [1, 1.5, 2, 2.5] { histogram.add(value) }
        #expect(histogram.counts == [1, 2, 1])
        #expect(histogram.cumulative.map(\.count) == [1, 3, 4])
        #expect(histogram.sum == 7)
    }

    @Test("What is not a number is not counted: it would make the sum useless for ever")
    func notNumbers() {
        var histogram = HistogramValue(bounds: [1])
        for value in [Double.nan, .infinity, -.infinity] { histogram.add(value) }
        #expect(histogram == HistogramValue(bounds: [1]))
    }
}

import Exposition
import Testing

@Suite("The limit of a metric's label sets") struct ScrapeLimitTests {
    @Test("Label sets beyond the limit are left out and counted, and known ones go on")
    func limit() {
        var scrape = Scrape(most: 3)
        for index in 0..<10 { scrape.add(SampleMetric.state, 1, "\(index)", "on") }
        scrape.add(SampleMetric.state, 5, "0", "on")
        #expect(scrape.leftOut == 7)
        let lines = scrape.text(.prometheus).split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines.contains("sample_state{name=\"0\",state=\"on\"} 5"))
    }

    @Test("A sample with too few labels is left out and counted")
    func missingLabel() {
        var scrape = Scrape()
        scrape.add(SampleMetric.state, 1, "lamp")
        #expect(scrape.leftOut == 1)
        #expect(scrape.text(.prometheus).isEmpty)
    }
}

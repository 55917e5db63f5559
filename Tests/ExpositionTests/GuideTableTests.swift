import Exposition
import TestValues
import Testing

/// The guide's tables of metrics. `scripts/check-metrics.py` compares them with what the programs expose.
@Suite struct GuideTableTests {
    @Test("The guide has every metric with its kind, labels and help, and no other")
    func rows() throws {
        let guide = try String(decoding: Repository.read("docs/guide/watching.md"), as: UTF8.self)
        let stated = guide.split(separator: "\n").filter { $0.hasPrefix("| `beacon_") || $0.hasPrefix("| `process_") }
        let expected =
            ProcessMetric.allCases.map { row($0) } + GatewayMetric.allCases.map { row($0) }
            + MatcherMetric.allCases.map { row($0) }
        #expect(Set(stated.map(String.init)).symmetricDifference(expected).sorted() == [])
        #expect(stated.count == expected.count)
    }

    private func row(_ metric: some MetricName) -> String {
        let definition = metric.definition
        let labels = definition.labels.map { "`\($0)`" }.joined(separator: ", ")
        return "| `\(metric.rawValue)` | \(definition.type) | \(labels) | \(definition.help) |"
    }
}

import Exposition
import Testing

@Suite("The tables of metrics") struct MetricTableTests {
    private static let all: [(name: String, definition: MetricDefinition)] =
        ProcessMetric.allCases.map { ($0.rawValue, $0.definition) }
        + GatewayMetric.allCases.map { ($0.rawValue, $0.definition) }
        + MatcherMetric.allCases.map { ($0.rawValue, $0.definition) }

    @Test("Names are unique, and begin with the program")
    func names() {
        #expect(Set(Self.all.map(\.name)).count == Self.all.count)
        #expect(GatewayMetric.allCases.allSatisfy { $0.rawValue.hasPrefix("beacon_gateway_") })
        #expect(MatcherMetric.allCases.allSatisfy { $0.rawValue.hasPrefix("beacon_matcher_") })
        for (name, _) in Self.all {
            #expect(name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (0x61...0x7A).contains($0) }, "\(name)")
        }
    }

    @Test("Counters, and only they, end with _total; no name has a suffix that formats use")
    func suffixes() {
        for (name, definition) in Self.all {
            #expect(name.hasSuffix("_total") == (definition.kind == .counter), "\(name)")
            for suffix in ["_count", "_sum", "_bucket", "_created"] { #expect(!name.hasSuffix(suffix), "\(name)") }
        }
    }

    @Test("Times are in seconds and sizes in bytes, and the help says so")
    func units() {
        for (name, definition) in Self.all {
            for unit in ["seconds", "bytes"] {
                let hasUnit = name.hasSuffix("_\(unit)") || name.hasSuffix("_\(unit)_total")
                #expect(hasUnit == definition.help.contains("in \(unit)"), "\(name): \(definition.help)")
            }
            for other in ["_ms", "_milliseconds", "_minutes", "_kb", "_percent"] {
                #expect(!name.contains(other), "\(name)")
            }
        }
    }

    @Test("Help is one sentence without a full stop, and labels are words that formats do not use")
    func help() {
        for (name, definition) in Self.all {
            #expect(definition.help.first?.isUppercase == true && definition.help.last != ".", "\(name)")
            #expect(!definition.help.contains("\n"), "\(name)")
            #expect(Set(definition.labels).count == definition.labels.count, "\(name)")
            for label in definition.labels {
                #expect(label.utf8.allSatisfy { (0x61...0x7A).contains($0) } && label != "le", "\(name): \(label)")
            }
        }
    }

    @Test("No label is for an identity")
    func labels() {
        let labels = Set(Self.all.flatMap(\.definition.labels))
        #expect(
            labels == [
                "adapter", "building", "class", "commit", "fault", "floor", "gateway", "kind", "module", "outcome",
                "part", "reason", "receiver", "route", "site", "state", "step", "version", "work",
            ])
    }

    @Test("Bounds of histograms ascend")
    func bounds() {
        for (name, definition) in Self.all {
            guard case .histogram(let bounds) = definition.kind else { continue }
            #expect(!bounds.isEmpty && zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "\(name)")
        }
    }
}

extension Scrape {
    /// Returns the exposition: metrics in the order of their names, samples in the order of their labels.
    package func text(_ format: ExpositionFormat) -> String {
        var text = ""
        for (name, family) in families.sorted(by: { $0.key < $1.key }) where !family.samples.isEmpty {
            write(name, family, format, to: &text)
        }
        if format == .openMetrics { text += "# EOF\n" }
        return text
    }

    private func write(_ name: String, _ family: Family, _ format: ExpositionFormat, to text: inout String) {
        let definition = family.definition
        let title = Self.title(name, definition, format)
        text += "# HELP \(title) \(LabelText.help(definition.help, escapesQuotes: format == .openMetrics))\n"
        text += "# TYPE \(title) \(definition.type)\n"
        if format == .openMetrics, let unit = ["seconds", "bytes"].first(where: { title.hasSuffix("_\($0)") }) {
            text += "# UNIT \(title) \(unit)\n"
        }
        let samples = family.samples.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        for (values, value) in samples {
            let labels = zip(definition.labels, values).map { "\($0)=\"\(LabelText.escaped($1))\"" }
            switch value {
            case .number(let number): text += Self.line(name, labels, LabelText.number(number))
            case .histogram(let histogram):
                for (bound, count) in histogram.cumulative {
                    text += Self.line(
                        name + "_bucket", labels + ["le=\"\(LabelText.bound(bound))\""], "\(count)")
                }
                text += Self.line(name + "_sum", labels, LabelText.number(histogram.sum))
                text += Self.line(name + "_count", labels, "\(histogram.count)")
            }
        }
    }

    private static func line(_ name: String, _ labels: [String], _ value: String) -> String {
        labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels.joined(separator: ","))} \(value)\n"
    }

    /// Returns the name that the lines about a metric have. In OpenMetrics `_total` belongs to the samples of a counter.
    private static func title(_ name: String, _ definition: MetricDefinition, _ format: ExpositionFormat) -> String {
        guard format == .openMetrics, definition.kind == .counter, name.hasSuffix("_total") else { return name }
        return String(name.dropLast("_total".count))
    }
}

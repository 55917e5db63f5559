/// Format of an exposition.
package enum ExpositionFormat: Equatable, Sendable, CaseIterable {
    /// Prometheus text format 0.0.4.
    case prometheus
    /// OpenMetrics 1.0.0.
    case openMetrics

    package var contentType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// Returns the format that a client prefers; Prometheus' own unless it asks for the other.
    ///
    /// - Parameter accept: the value of the header field `Accept`; `nil` without one.
    package init(accept: String?) {
        var best = (format: Self.prometheus, weight: 0.0)
        for range in (accept ?? "").prefix(1000).split(separator: ",") {
            let parts = range.split(separator: ";").map(Self.trimmed)
            let format: Self
            switch parts.first?.lowercased() {
            case "application/openmetrics-text": format = .openMetrics
            case "text/plain", "text/*", "*/*": format = .prometheus
            default: continue
            }
            // Another version of OpenMetrics is not known here.
            let version = Self.value(of: "version", in: parts)
            if format == .openMetrics, let version, version != "1.0.0", version != "0.0.1" { continue }
            let weight = Self.value(of: "q", in: parts).map { Double($0) ?? 0 } ?? 1
            if weight > best.weight { best = (format, weight) }
        }
        self = best.format
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }

    private static func value(of name: String, in parts: [String]) -> String? {
        parts.lazy.compactMap { part -> String? in
            guard let equals = part.firstIndex(of: "="), part[..<equals].lowercased() == name else { return nil }
            return String(part[part.index(after: equals)...])
        }.first
    }
}

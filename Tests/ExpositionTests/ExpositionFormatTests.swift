import Exposition
import Testing

@Suite struct ExpositionFormatTests {
    @Test(
        "The format is what the client prefers",
        arguments: [
            (nil, ExpositionFormat.prometheus), ("", .prometheus), ("*/*", .prometheus), ("text/html", .prometheus),
            // Prometheus 2.42 and 2.53.
            (
                "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                    + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1", .openMetrics
            ),
            ("application/openmetrics-text; version=\"2.0.0\", text/plain", .prometheus),
            ("Application/OpenMetrics-Text", .openMetrics),
            ("text/plain, application/openmetrics-text;q=0.9", .prometheus),
            ("application/openmetrics-text;q=0", .prometheus),
            ("application/openmetrics-text;q=nan;q", .prometheus), (String(repeating: ",;=", count: 9999), .prometheus),
        ])
    func negotiated(accept: String?, format: ExpositionFormat) {
        #expect(ExpositionFormat(accept: accept) == format)
    }
}

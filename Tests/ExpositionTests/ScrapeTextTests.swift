import Testing

@testable import Exposition

/// Metrics of the tests.
enum SampleMetric: String, MetricName {
    case requests = "sample_requests_total"
    case size = "sample_size_bytes"
    case state = "sample_state"
    case time = "sample_time_seconds"

    var definition: MetricDefinition {
        switch self {
        case .requests: .counter("Requests, by \"route\" and \\path", "route", "class")
        case .size: .gauge("Size")
        case .state: .gauge("State", "name", "state")
        case .time: .histogram("Time", [0.5, 1, 10], "route")
        }
    }
}

@Suite("The text of an exposition") struct ScrapeTextTests {
    private static var scrape: Scrape {
        var scrape = Scrape()
        var times = HistogramValue(bounds: [0.5, 1, 10])
        for time in [0.25, 0.5, 0.75, 4, 40] { times.add(time) }
        scrape.add(SampleMetric.time, times, "/")
        scrape.add(SampleMetric.requests, 7, "/b", "2xx")
        scrape.add(SampleMetric.requests, 1 << 40, "/a", "5xx")
        scrape.add(SampleMetric.size, 1.5)
        return scrape
    }

    @Test("Prometheus' own format has metrics by name, samples by labels, and cumulative buckets")
    func prometheus() {
        #expect(
            Self.scrape.text(.prometheus) == """
                # HELP sample_requests_total Requests, by "route" and \\\\path
                # TYPE sample_requests_total counter
                sample_requests_total{route="/a",class="5xx"} 1099511627776
                sample_requests_total{route="/b",class="2xx"} 7
                # HELP sample_size_bytes Size
                # TYPE sample_size_bytes gauge
                sample_size_bytes 1.5
                # HELP sample_time_seconds Time
                # TYPE sample_time_seconds histogram
                sample_time_seconds_bucket{route="/",le="0.5"} 2
                sample_time_seconds_bucket{route="/",le="1.0"} 3
                sample_time_seconds_bucket{route="/",le="10.0"} 4
                sample_time_seconds_bucket{route="/",le="+Inf"} 5
                sample_time_seconds_sum{route="/"} 45.5
                sample_time_seconds_count{route="/"} 5

                """)
    }

    @Test("OpenMetrics names a counter without its suffix, states units and the end")
    func openMetrics() {
        #expect(
            Self.scrape.text(.openMetrics) == """
                # HELP sample_requests Requests, by \\"route\\" and \\\\path
                # TYPE sample_requests counter
                sample_requests_total{route="/a",class="5xx"} 1099511627776
                sample_requests_total{route="/b",class="2xx"} 7
                # HELP sample_size_bytes Size
                # TYPE sample_size_bytes gauge
                # UNIT sample_size_bytes bytes
                sample_size_bytes 1.5
                # HELP sample_time_seconds Time
                # TYPE sample_time_seconds histogram
                # UNIT sample_time_seconds seconds
                sample_time_seconds_bucket{route="/",le="0.5"} 2
                sample_time_seconds_bucket{route="/",le="1.0"} 3
                sample_time_seconds_bucket{route="/",le="10.0"} 4
                sample_time_seconds_bucket{route="/",le="+Inf"} 5
                sample_time_seconds_sum{route="/"} 45.5
                sample_time_seconds_count{route="/"} 5
                # EOF

                """)
    }

    @Test("An exposition without samples is empty")
    func empty() {
        #expect(Scrape().text(.prometheus).isEmpty)
        #expect(Scrape().text(.openMetrics) == "# EOF\n")
    }

    @Test(
        "A label's value cannot end its line or its quotation, whatever is in it",
        arguments: [
            ("a\"} 1\nx 2", #"a\"} 1\nx 2"#), ("\\", #"\\"#), ("\\n", #"\\n"#), ("\u{0}\r\u{1B}\u{85}", "????"),
            ("é\u{1F600}", "é\u{1F600}"), ("", ""),
        ])
    func hostileLabels(value: String, shown: String) {
        var scrape = Scrape()
        scrape.add(SampleMetric.state, 1, value, "on")
        let shown = shown.replacing("?", with: "\u{FFFD}")
        for format in ExpositionFormat.allCases {
            let text = scrape.text(format)
            #expect(text.contains("sample_state{name=\"\(shown)\",state=\"on\"} 1\n"), "\(text)")
            #expect(text.split(separator: "\n").count == (format == .prometheus ? 3 : 4), "\(text)")
        }
    }

    @Test("A label's value has a limit, at which no character is torn apart")
    func longLabel() {
        let bounded = LabelText.bounded(String(repeating: "é", count: 1000))
        #expect(bounded == String(repeating: "é", count: LabelText.longest / 2))
    }

    @Test(
        "Numbers are written so that Go's ParseFloat reads them",
        arguments: [
            (0.0, "0"), (-1, "-1"), (1.25, "1.25"), (9_007_199_254_740_992, "9007199254740992.0"), (1e300, "1e+300"),
            (Double.leastNonzeroMagnitude, "5e-324"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
            (-0.0, "0"),
        ])
    func numbers(number: Double, text: String) {
        #expect(LabelText.number(number) == text)
    }

    @Test("Of all states of a thing, the present one is 1")
    func states() {
        var scrape = Scrape()
        scrape.add(states: ["on", "off"], of: SampleMetric.state, present: "off", "lamp")
        #expect(
            scrape.text(.prometheus).hasSuffix(
                "sample_state{name=\"lamp\",state=\"off\"} 1\nsample_state{name=\"lamp\",state=\"on\"} 0\n"))
    }
}

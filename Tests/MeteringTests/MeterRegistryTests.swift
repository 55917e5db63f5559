import CoreMetrics
import Exposition
import Testing

@testable import Metering

@Suite struct MeterRegistryTests {
    private enum SampleMetric: String, MetricName {
        case requests = "sample_requests_total"
        case size = "sample_size_bytes"
        case time = "sample_time_seconds"

        var definition: MetricDefinition {
            switch self {
            case .requests: .counter("Requests", "route", "class")
            case .size: .gauge("Size")
            case .time: .histogram("Time", [0.001, 1])
            }
        }
    }

    private func lines(_ registry: MeterRegistry) -> [String] {
        var scrape = Scrape()
        _ = registry.collect(into: &scrape)
        return scrape.text(.prometheus).split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }

    private func dropped(_ registry: MeterRegistry) -> UInt64 {
        var scrape = Scrape()
        return registry.collect(into: &scrape)
    }

    @Test("Counters of the same labels are one, in whatever order the labels are given")
    func counters() {
        let registry = MeterRegistry(SampleMetric.self)
        let name = SampleMetric.requests.rawValue
        Counter(label: name, dimensions: [("route", "/"), ("class", "2xx")], factory: registry).increment(by: 2)
        Counter(label: name, dimensions: [("class", "2xx"), ("route", "/")], factory: registry).increment()
        FloatingPointCounter(label: name, dimensions: [("class", "5xx"), ("route", "/")], factory: registry)
            .increment(by: 0.5)
        #expect(
            lines(registry) == [
                "sample_requests_total{route=\"/\",class=\"2xx\"} 3",
                "sample_requests_total{route=\"/\",class=\"5xx\"} 0.5",
            ])
    }

    @Test("A counter never sinks")
    func counterOnlyGrows() {
        let registry = MeterRegistry(SampleMetric.self)
        let meters = Meters(registry)
        meters.count(SampleMetric.requests, by: 5, "/", "2xx")
        meters.count(SampleMetric.requests, by: -3, "/", "2xx")
        let float = registry.makeFloatingPointCounter(
            label: SampleMetric.requests.rawValue, dimensions: [("route", "/"), ("class", "2xx")])
        for amount in [Double.nan, .infinity, -1] { float.increment(by: amount) }
        #expect(lines(registry) == ["sample_requests_total{route=\"/\",class=\"2xx\"} 5"])
    }

    @Test("A counter that was counted by 0 is there")
    func zero() {
        let registry = MeterRegistry(SampleMetric.self)
        Meters(registry).count(SampleMetric.requests, by: 0, "/", "5xx")
        #expect(lines(registry) == ["sample_requests_total{route=\"/\",class=\"5xx\"} 0"])
    }

    @Test("Gauges and meters go up and down")
    func gauges() {
        let registry = MeterRegistry(SampleMetric.self)
        Gauge(label: SampleMetric.size.rawValue, factory: registry).record(7.5)
        #expect(lines(registry) == ["sample_size_bytes 7.5"])
        let meter = Meter(label: SampleMetric.size.rawValue, factory: registry)
        meter.decrement(by: 0.5)
        meter.increment(by: 2)
        #expect(lines(registry) == ["sample_size_bytes 9"])
        meter.set(Int64(3))
        #expect(lines(registry) == ["sample_size_bytes 3"])
    }

    @Test("Timers and aggregating recorders fill the buckets, timers in seconds")
    func histograms() {
        let registry = MeterRegistry(SampleMetric.self)
        let timer = Timer(label: SampleMetric.time.rawValue, factory: registry)
        timer.recordNanoseconds(1_000_000)
        timer.recordNanoseconds(500_000_000)
        timer.recordNanoseconds(-5)
        Recorder(label: SampleMetric.time.rawValue, factory: registry).record(4)
        #expect(
            lines(registry) == [
                "sample_time_seconds_bucket{le=\"0.001\"} 2", "sample_time_seconds_bucket{le=\"1.0\"} 3",
                "sample_time_seconds_bucket{le=\"+Inf\"} 4", "sample_time_seconds_sum 4.501",
                "sample_time_seconds_count 4",
            ])
    }

    @Test("A flood of label sets takes the limit of memory, and is counted")
    func cardinality() {
        let registry = MeterRegistry(SampleMetric.self, most: 5)
        for index in 0..<1000 {
            Meters(registry).count(SampleMetric.requests, "/\(index)", "2xx")
        }
        #expect(lines(registry).count == 5)
        #expect(dropped(registry) == 995)
        Meters(registry).count(SampleMetric.requests, "/0", "2xx")
        #expect(lines(registry).contains("sample_requests_total{route=\"/0\",class=\"2xx\"} 2"))
    }

    @Test("Meters of libraries, which no table has, count nothing and are no fault")
    func unknownNames() {
        let registry = MeterRegistry(SampleMetric.self)
        Counter(label: "hb.requests", dimensions: [("hb.uri", "/people/7")], factory: registry).increment()
        #expect(lines(registry).isEmpty)
        #expect(dropped(registry) == 0)
    }

    @Test("A meter of another kind or with other labels than its table says counts nothing, and is counted")
    func mistakes() {
        let registry = MeterRegistry(SampleMetric.self)
        Counter(label: SampleMetric.size.rawValue, factory: registry).increment()
        Counter(label: SampleMetric.requests.rawValue, dimensions: [("route", "/")], factory: registry).increment()
        Timer(label: SampleMetric.size.rawValue, factory: registry).recordNanoseconds(1)
        Recorder(label: SampleMetric.time.rawValue, dimensions: [("who", "x")], factory: registry).record(1)
        #expect(lines(registry).isEmpty)
        #expect(dropped(registry) == 4)
    }

    @Test("A destroyed meter makes room for another")
    func destroyed() {
        let registry = MeterRegistry(SampleMetric.self, most: 1)
        let counter = Counter(
            label: SampleMetric.requests.rawValue, dimensions: [("route", "/a"), ("class", "2xx")], factory: registry)
        counter.increment()
        counter.destroy()
        Meters(registry).count(SampleMetric.requests, "/b", "2xx")
        #expect(lines(registry) == ["sample_requests_total{route=\"/b\",class=\"2xx\"} 1"])
    }

    @Test("Without a registry, meters cost nothing and count nothing")
    func none() {
        Meters.none.count(SampleMetric.requests, "/", "2xx")
        Meters.none.time(SampleMetric.time, since: .now)
        Meters.none.set(SampleMetric.size, to: 1)
    }
}

import CoreMetrics
import Exposition
import SystemIO

/// A meter of the registry: whatever swift-metrics calls it, a number or a histogram.
final class RegisteredMeter: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    private let state: LockedValue<Scrape.Value>

    init(_ kind: MetricDefinition.Kind) {
        switch kind {
        case .counter, .gauge: state = LockedValue(.number(0))
        case .histogram(let bounds): state = LockedValue(.histogram(HistogramValue(bounds: bounds)))
        }
    }

    var value: Scrape.Value { state.withLock { $0 } }

    func increment(by amount: Int64) { increment(by: Double(amount)) }

    /// Adds an amount. A counter never sinks, so that amounts below zero are ignored, as are those that are no numbers.
    func increment(by amount: Double) {
        guard amount.isFinite, amount > 0 else { return }
        change { $0 + amount }
    }

    func decrement(by amount: Double) {
        guard amount.isFinite, amount > 0 else { return }
        change { $0 - amount }
    }

    func reset() { change { _ in 0 } }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { change { _ in value } }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        state.withLock { state in
            switch state {
            case .number: state = .number(value)
            case .histogram(var histogram):
                // Its memory is not shared while it changes.
                state = .number(0)
                histogram.add(value)
                state = .histogram(histogram)
            }
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(max(0, duration)) / 1e9) }

    func preferDisplayUnit(_ unit: TimeUnit) {
        // The exposition has seconds.
    }

    private func change(_ body: (Double) -> Double) {
        state.withLock { state in
            if case .number(let number) = state { state = .number(body(number)) }
        }
    }
}

package import CoreMetrics
package import Exposition
import SystemIO

/// Factory of swift-metrics whose meters are exposed.
///
/// It knows the metrics of its tables. Meters of other names, which libraries may make, count nothing. Each metric has
/// a limit of label sets: meters beyond it count nothing either, and are counted themselves.
package final class MeterRegistry: MetricsFactory {
    private struct State {
        var meters: [String: [[String]: RegisteredMeter]] = [:]
        var dropped: UInt64 = 0
    }

    private let definitions: [String: MetricDefinition]
    private let most: Int
    private let state = LockedValue(State())

    package init<Table: MetricName>(_ table: Table.Type, most: Int = Scrape.usualMost) {
        definitions = Dictionary(uniqueKeysWithValues: Table.allCases.map { ($0.rawValue, $0.definition) })
        self.most = most
    }

    /// Adds the values of all meters to a scrape.
    ///
    /// - Returns: how often a meter was refused.
    package func collect(into scrape: inout Scrape) -> UInt64 {
        let (meters, dropped) = state.withLock { ($0.meters, $0.dropped) }
        for (name, meters) in meters {
            guard let definition = definitions[name] else { continue }
            for (labels, meter) in meters { scrape.add(name, definition, meter.value, labels) }
        }
        return dropped
    }

    // MARK: MetricsFactory

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        meter(label, dimensions) { $0 == .counter } ?? NOOPMetricsHandler.instance
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        meter(label, dimensions) { $0 == .counter } ?? NOOPMetricsHandler.instance
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        meter(label, dimensions) { $0 == .gauge } ?? NOOPMetricsHandler.instance
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        meter(label, dimensions) { aggregate ? $0.isHistogram : $0 == .gauge } ?? NOOPMetricsHandler.instance
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        meter(label, dimensions) { $0.isHistogram } ?? NOOPMetricsHandler.instance
    }

    package func destroyCounter(_ handler: any CounterHandler) { destroy(handler) }
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { destroy(handler) }
    package func destroyMeter(_ handler: any MeterHandler) { destroy(handler) }
    package func destroyRecorder(_ handler: any RecorderHandler) { destroy(handler) }
    package func destroyTimer(_ handler: any TimerHandler) { destroy(handler) }

    /// Returns the meter of a metric with these labels; `nil` if there can be none.
    private func meter(
        _ name: String, _ dimensions: [(String, String)], _ isOfKind: (MetricDefinition.Kind) -> Bool
    ) -> RegisteredMeter? {
        guard let definition = definitions[name] else { return nil }
        let values = definition.labels.compactMap { label in dimensions.first { $0.0 == label }?.1 }
        guard isOfKind(definition.kind), values.count == dimensions.count, values.count == definition.labels.count
        else {
            state.withLock { $0.dropped += 1 }
            return nil
        }
        return state.withLock { state in
            if let known = state.meters[name]?[values] { return known }
            guard state.meters[name, default: [:]].count < most else {
                state.dropped += 1
                return nil
            }
            let meter = RegisteredMeter(definition.kind)
            state.meters[name, default: [:]][values] = meter
            return meter
        }
    }

    private func destroy(_ handler: AnyObject) {
        state.withLock { state in
            for (name, meters) in state.meters {
                guard let labels = meters.first(where: { $0.value === handler })?.key else { continue }
                state.meters[name]?[labels] = nil
            }
        }
    }
}

extension MetricDefinition.Kind {
    fileprivate var isHistogram: Bool {
        if case .histogram = self { true } else { false }
    }
}

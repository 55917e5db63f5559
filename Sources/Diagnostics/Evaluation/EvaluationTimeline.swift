import BeaconModel
import OperatorText
import RealModule

/// Timeline of one device: the times in range, and the number of readings over time. Shapes are SVG and text is HTML,
/// so that the text keeps its size at any width.
struct EvaluationTimeline {
    var device: EvaluationResult.Device
    var result: EvaluationResult

    /// Width in drawing units. The drawing is stretched to the available width.
    private static let width = 1000.0
    private static let height = 60.0

    var html: String {
        guard let extent = result.extent, extent.to > extent.from else { return "" }
        let middle = extent.from + (extent.to - extent.from) / 2
        let axis = [extent.from, middle, extent.to].map {
            "<span>\(EvaluationWords.offset($0, from: result.start))</span>"
        }
        return """
            <div class="names">\(names(extent))</div>
            <svg viewBox="0 0 1000 60" preserveAspectRatio="none" role="img" aria-label="\(label)">
            \((ranges(extent) + bars(extent)).joined(separator: "\n"))
            </svg>
            <div class="axis">\(axis.joined())</div>
            """
    }

    private var label: String {
        EvaluationHTML.escaped("Timeline of \(device.name): time in range, and readings")
    }

    /// Returns the horizontal position of a time: 0 at the left edge, 1 at the right edge.
    private func position(_ time: Timestamp, _ extent: Coverage.Interval) -> Double {
        min(1, max(0, (time - extent.from) / (extent.to - extent.from)))
    }

    private func names(_ extent: Coverage.Interval) -> String {
        device.phases.map { phase in
            let left = position(phase.inRange, extent)
            let width = position(phase.outOfRange, extent) - left
            return "<span style=\"left:\(Format.fixed(left * 100, 2))%;width:\(Format.fixed(width * 100, 2))%\">"
                + EvaluationHTML.escaped(phase.state) + "</span>"
        }.joined()
    }

    private func ranges(_ extent: Coverage.Interval) -> [String] {
        device.phases.map { phase in
            let left = position(phase.inRange, extent) * Self.width
            let width = position(phase.outOfRange, extent) * Self.width - left
            return Self.rectangle("range", left, width, Self.height)
        }
    }

    private func bars(_ extent: Coverage.Interval) -> [String] {
        let most = max(device.bins.inRange.max() ?? 0, device.bins.outOfRange.max() ?? 0)
        return bars("reading", device.bins.inRange, most, extent) + bars("leak", device.bins.outOfRange, most, extent)
    }

    private func bars(_ kind: String, _ bins: [UInt32], _ most: UInt32, _ extent: Coverage.Interval) -> [String] {
        bins.enumerated().compactMap { index, count in
            let from = device.bins.origin + device.bins.width * index
            guard count > 0, from < extent.to else { return nil }
            let left = position(from, extent) * Self.width
            let width = position(from + device.bins.width, extent) * Self.width - left
            // Logarithmic, so that a single reading remains visible beside many.
            let share = Double.log(onePlus: Double(count)) / Double.log(onePlus: Double(max(1, most)))
            return Self.rectangle(kind, left, max(1, width), 10 + (Self.height - 10) * share)
        }
    }

    private static func rectangle(_ kind: String, _ left: Double, _ width: Double, _ height: Double) -> String {
        "<rect class=\"\(kind)\" x=\"\(Format.fixed(left, 1))\" y=\"\(Format.fixed(Self.height - height, 1))\" "
            + "width=\"\(Format.fixed(width, 1))\" height=\"\(Format.fixed(height, 1))\"/>"
    }
}

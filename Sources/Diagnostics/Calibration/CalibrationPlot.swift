import BeaconModel
import OperatorText
import RealModule

/// Text plot of RSSI over time, with the newest values at the right. Pure.
package struct CalibrationPlot {
    package struct Point: Equatable {
        /// Age in seconds.
        package var age: Double
        /// RSSI in dBm.
        package var rssi: Double
    }

    package enum Style {
        /// Eight dots per character (Unicode's Braille patterns, from U+2800).
        case braille
        /// ASCII characters, for terminals without Braille patterns.
        case ascii
    }

    /// Time span of the plot, in seconds.
    package var window = 60
    /// Number of lines, without the axis.
    package var height = 8
    package var style = Style.braille

    package init(window: Int = 60, height: Int = 8, style: Style = .braille) {
        self.window = window
        self.height = height
        self.style = style
    }

    private static let labelWidth = 6
    /// Step in dB to which the ends of the scale are rounded.
    private static let step = 5.0
    private static let smallestSpan = 20.0

    /// Draws the plot.
    ///
    /// - Parameters:
    ///   - points: points to plot; those older than the window are not shown.
    ///   - mean: RSSI in dBm at which to draw a horizontal line.
    ///   - width: maximum number of characters in a line.
    /// - Returns: the lines; empty when there is not enough room for a plot.
    package func lines(_ points: [Point], mean: Double?, width: Int) -> [String] {
        let columns = width - Self.labelWidth
        guard columns >= 12, height >= 2 else { return [] }
        let shown = points.filter { $0.age >= 0 && $0.age < Double(window) && $0.rssi.isFinite }
        let scale = Self.scale(shown.map(\.rssi) + (mean.map { [$0] } ?? []))
        var cells = [[UInt8]](repeating: [UInt8](repeating: 0, count: columns), count: height)
        for point in shown {
            let x = Int((Double(window) - point.age) / Double(window) * Double(2 * columns - 1))
            let y = dot(point.rssi, scale)
            cells[y / 4][x / 2] |= Self.bit(x: x % 2, y: y % 4)
        }
        let meanRow = mean.map { dot($0, scale) / 4 }
        var lines = cells.enumerated().map { row, cells in
            label(row, meanRow: meanRow, mean: mean, scale) + cells.map { text($0, isMean: row == meanRow) }.joined()
        }
        let (corner, rule) = style == .braille ? ("└", "─") : ("+", "-")
        lines.append("     " + corner + String(repeating: rule, count: columns))
        let ago = "\(window) s ago"
        lines.append("      " + ago + String(repeating: " ", count: max(1, columns - ago.count - 3)) + "now")
        return lines
    }

    /// Returns the ends of the scale, which are multiples of the step.
    private static func scale(_ values: [Double]) -> ClosedRange<Double> {
        guard let low = values.min(), let high = values.max() else { return -70 ... -50 }
        var bottom = (max(low, -200) / step).rounded(.down) * step
        var top = (min(high, 100) / step).rounded(.up) * step
        while top - bottom < smallestSpan {
            bottom -= step
            if top - bottom < smallestSpan { top += step }
        }
        return bottom...top
    }

    /// Returns the row of dots of a value, counted from the top.
    private func dot(_ value: Double, _ scale: ClosedRange<Double>) -> Int {
        let part = (scale.upperBound - value) / (scale.upperBound - scale.lowerBound)
        return min(max(Int((min(max(part, 0), 1) * Double(4 * height - 1)).rounded()), 0), 4 * height - 1)
    }

    private func label(_ row: Int, meanRow: Int?, mean: Double?, _ scale: ClosedRange<Double>) -> String {
        let value: Double? =
            if row == 0 { scale.upperBound } else if row == height - 1 { scale.lowerBound } else {
                row == meanRow ? mean : nil
            }
        let text = value.map { Format.fixed($0, 0) } ?? ""
        let tick = style == .ascii ? "|" : value == nil ? "│" : "┤"
        return String(repeating: " ", count: max(0, 4 - text.count)) + text + " " + tick
    }

    /// Returns the bit of a dot in a Braille pattern (Unicode 15, chapter 21.1).
    private static func bit(x: Int, y: Int) -> UInt8 {
        switch (x, y) {
        case (0, 0...2): 1 << UInt8(y)
        case (_, 0...2): 8 << UInt8(y)
        case (0, _): 0x40
        default: 0x80
        }
    }

    private func text(_ dots: UInt8, isMean: Bool) -> String {
        switch style {
        case .braille:
            if dots == 0 { return isMean ? "─" : " " }
            return Unicode.Scalar(0x2800 + UInt32(dots)).map(String.init) ?? " "
        case .ascii:
            if dots == 0 { return isMean ? "-" : " " }
            return dots.nonzeroBitCount > 1 ? ":" : "."
        }
    }
}

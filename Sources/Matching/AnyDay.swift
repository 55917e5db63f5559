import BeaconModel

/// Search for the 24-hour periods in which two people were together for as long as a policy requires, whenever they
/// begin.
struct AnyDay {
    /// Minimum minutes in a period; a period with fewer is ignored.
    var leastMinutes: Double

    /// Length of a period, in seconds.
    static let length: Int64 = 86_400
    /// Tolerance for rounding errors in sums of fractions, in minutes.
    static let tolerance = 1e-9

    private typealias Window = Explanation.Window

    /// Returns the windows of each 24-hour period that reaches the minimum.
    ///
    /// - Parameter windows: disjoint windows in order of time.
    /// - Returns: the windows, or parts of them, of each period. Each moment is in at most one period. Every 24-hour
    ///   period that reaches the minimum shares a moment with a returned one.
    func periods(_ windows: [Explanation.Window]) -> [[Explanation.Window]] {
        var periods: [[Window]] = []
        var rest = windows
        while let start = firstStart(rest) {
            periods.append(rest.compactMap { Self.part($0, from: start, to: start + Self.length) })
            rest = rest.compactMap { Self.part($0, from: start + Self.length, to: .max) }
        }
        return periods
    }

    /// Returns the start of the first 24-hour period that reaches the minimum.
    ///
    /// The minutes in 24 hours, as a function of the start, have their maxima where a window begins at the start or
    /// ends at the end of the period. No other starts need to be tried.
    private func firstStart(_ windows: [Window]) -> Int64? {
        let ends = windows.lazy.map { $0.end - Self.length }
        let starts = Set(windows.map(\.start)).union(ends.filter { end in Self.holds(windows, end) }).sorted()
        let sums = Sums(windows)
        return starts.first { start in
            sums.minutes(until: start + Self.length) - sums.minutes(until: start) >= leastMinutes - Self.tolerance
        }
    }

    /// Whether the moment lies inside a window.
    private static func holds(_ windows: [Window], _ moment: Int64) -> Bool {
        let next = windows.partitioningIndex { $0.end > moment }
        return next < windows.endIndex && windows[next].start < moment
    }

    /// Cumulative minutes from the first window on.
    private struct Sums {
        private let windows: [Window]
        private var before: [Double] = []

        init(_ windows: [Window]) {
            self.windows = windows
            var sum = 0.0
            for window in windows {
                before.append(sum)
                sum += window.minutes
            }
            before.append(sum)
        }

        func minutes(until moment: Int64) -> Double {
            let index = windows.partitioningIndex { $0.end > moment }
            guard index < windows.endIndex, windows[index].start < moment else { return before[index] }
            return before[index] + (AnyDay.part(windows[index], from: .min, to: moment)?.minutes ?? 0)
        }
    }

    /// Returns the part of a window in a time span that excludes its end; `nil` when there is none.
    private static func part(_ window: Window, from start: Int64, to end: Int64) -> Window? {
        guard window.start < end, window.end > start || window.start == window.end && window.start == start else {
            return nil
        }
        var part = window
        part.start = max(window.start, start)
        part.end = min(window.end, end)
        let length = window.end - window.start
        if length > 0 { part.minutes *= Double(part.end - part.start) / Double(length) }
        return part
    }
}

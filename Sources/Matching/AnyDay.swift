import BeaconModel

/// Finds the 24 hours in which two people were together for as long as a policy asks, whenever they begin.
struct AnyDay {
    /// In a period; of fewer nothing follows.
    var leastMinutes: Double

    /// In seconds.
    static let length: Int64 = 86_400
    /// In minutes: what sums of fractions may be off.
    static let tolerance = 1e-9

    private typealias Window = Explanation.Window

    /// - Parameter windows: apart from each other, in the order of time.
    /// - Returns: what lies in 24 hours that reach the least minutes; each moment is in one of them at most. All 24 hours
    ///   that reach them share a moment with one that is returned.
    func periods(_ windows: [Explanation.Window]) -> [[Explanation.Window]] {
        var periods: [[Window]] = []
        var rest = windows
        while let start = firstStart(rest) {
            periods.append(rest.compactMap { Self.part($0, from: start, to: start + Self.length) })
            rest = rest.compactMap { Self.part($0, from: start + Self.length, to: .max) }
        }
        return periods
    }

    /// The minutes of 24 hours, as a function of when these begin, are greatest where a window begins with them or ends with
    /// them, so no other beginnings have to be tried.
    private func firstStart(_ windows: [Window]) -> Int64? {
        let ends = windows.lazy.map { $0.end - Self.length }
        let starts = Set(windows.map(\.start)).union(ends.filter { end in Self.holds(windows, end) }).sorted()
        let sums = Sums(windows)
        return starts.first { start in
            sums.minutes(until: start + Self.length) - sums.minutes(until: start) >= leastMinutes - Self.tolerance
        }
    }

    /// Whether they were together at that moment.
    private static func holds(_ windows: [Window], _ moment: Int64) -> Bool {
        let next = windows.partitioningIndex { $0.end > moment }
        return next < windows.endIndex && windows[next].start < moment
    }

    /// Minutes from the first window on.
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

    /// What of a window is in a time that doesn't include its end; `nil` when nothing is.
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

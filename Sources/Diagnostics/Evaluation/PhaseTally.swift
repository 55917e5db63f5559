package import BeaconModel
import Proximity

/// Running totals of a device's readings in one phase. The totals stay small however many readings arrive.
package struct PhaseTally: Sendable {
    package private(set) var readings: UInt64 = 0
    package private(set) var first: Timestamp?
    package private(set) var last: Timestamp?
    /// Longest time between two readings.
    package private(set) var longestPause: Duration = .zero
    private var histogram = RSSIHistogram()
    /// One bit for each window of the phase, set when the window has a reading.
    private var windows: [UInt64] = []

    package var rssi: Interaction.RSSISummary? { histogram.summary }

    /// Adds a reading.
    ///
    /// - Parameters:
    ///   - offset: time of the reading, relative to the beginning of the phase; not negative.
    ///   - window: length of a window.
    package mutating func add(at time: Timestamp, offset: Duration, window: Duration, rssi: RSSI?) {
        readings += 1
        first = first.map { min($0, time) } ?? time
        if let last { longestPause = max(longestPause, time - last) }
        last = last.map { max($0, time) } ?? time
        if let rssi { histogram.add(rssi) }
        let index = Int(offset / window)
        guard index < EvaluationSchedule.mostWindows else { return }
        while windows.count <= index / 64 { windows.append(0) }
        windows[index / 64] |= 1 << UInt64(index % 64)
    }

    package func isHeard(window index: Int) -> Bool {
        index / 64 < windows.count && windows[index / 64] & 1 << UInt64(index % 64) != 0
    }
}

/// Running totals of a device's readings while it was out of range: between two phases, before the first or after the
/// last.
package struct LeakTally: Equatable, Sendable {
    package private(set) var readings: UInt64 = 0
    package private(set) var strongest: RSSI?
    package private(set) var first: Timestamp?
    package private(set) var last: Timestamp?

    package mutating func add(at time: Timestamp, rssi: RSSI?) {
        readings += 1
        first = first.map { min($0, time) } ?? time
        last = last.map { max($0, time) } ?? time
        // Values that no receiver can measure are errors of the controller.
        if let rssi, rssi.isPlausible { strongest = strongest.map { max($0, rssi) } ?? rssi }
    }
}

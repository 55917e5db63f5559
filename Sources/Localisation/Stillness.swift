import RealModule

/// Whether a subject has moved lately, by how receivers hear it now and before.
package struct Stillness: Sendable {
    /// Smoothed RSSI of one receiver.
    private struct Level {
        var receiver: Int
        var fast: Double
        var slow: Double
        var lastHeard: Double
    }

    private var levels: [Level] = []
    private var movedAt: Double?
    private var startedAt: Double?

    private static let fastTime = 8.0
    private static let slowTime = 60.0
    /// Root mean square of the differences from which a subject has moved, in dB.
    ///
    /// Turning on the spot changes levels by less. Source: measured on simulated and recorded stays.
    private static let moved = 6.0
    /// Time after a movement until a subject is at rest, in seconds: until then the room in which it arrived can be found.
    private static let restAfter = 60.0
    private static let mostReceivers = 16
    /// Number of windows in a row with such differences, so that a single reflection is no movement.
    private static let windows = 2
    private var differing = 0

    package init() {}

    /// Takes what was heard in a window, and returns whether the subject is at rest.
    ///
    /// - Parameter time: end of the window in seconds; not before the last one.
    package mutating func update(_ signals: [HeardSignal], time: Double) -> Bool {
        if startedAt == nil { startedAt = time }
        levels.removeAll { time - $0.lastHeard > Self.slowTime }
        for signal in signals {
            guard let index = levels.firstIndex(where: { $0.receiver == signal.receiver }) else {
                if levels.count < Self.mostReceivers {
                    levels.append(
                        Level(receiver: signal.receiver, fast: signal.rssi, slow: signal.rssi, lastHeard: time))
                }
                continue
            }
            let seconds = time - levels[index].lastHeard
            levels[index].fast += (signal.rssi - levels[index].fast) * (1 - .exp(-seconds / Self.fastTime))
            levels[index].slow += (signal.rssi - levels[index].slow) * (1 - .exp(-seconds / Self.slowTime))
            levels[index].lastHeard = time
        }
        if levels.count > 1 {
            let differences = levels.map { $0.fast - $0.slow }
            // What is common to all receivers is the body or the battery.
            let mean = differences.reduce(0, +) / Double(differences.count)
            let square = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(differences.count - 1)
            differing = square.squareRoot() > Self.moved ? differing + 1 : 0
            if differing >= Self.windows {
                differing = 0
                movedAt = time
                for index in levels.indices { levels[index].slow = levels[index].fast }
            }
        }
        return time - (movedAt ?? startedAt ?? time) >= Self.restAfter
    }
}

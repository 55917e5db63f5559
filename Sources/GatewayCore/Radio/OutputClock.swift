package import Integrations

/// Schedule of the periodic outputs. Pure.
package struct OutputClock: Sendable {
    package enum Tick: Sendable {
        /// Presence is due.
        case present
        /// Decoding counts are due.
        case decodings
    }

    private var ticks: [(tick: Tick, interval: Duration, due: Duration)] = []

    package init(_ settings: OutputSettings) {
        if let interval = settings.roomPresence?.interval { ticks.append((.present, interval, interval)) }
        if let interval = settings.raddec?.interval { ticks.append((.decodings, interval, interval)) }
    }

    /// - Parameter now: time on a clock that begins with 0. A late tick is not made up for.
    package mutating func due(now: Duration) -> [Tick] {
        guard ticks.contains(where: { $0.due <= now }) else { return [] }
        var due: [Tick] = []
        for index in ticks.indices where ticks[index].due <= now {
            due.append(ticks[index].tick)
            // The next tick stays on the grid of its interval, so that small delays do not add up.
            let late = now - ticks[index].due
            ticks[index].due =
                late < ticks[index].interval ? ticks[index].due + ticks[index].interval : now + ticks[index].interval
        }
        return due
    }
}

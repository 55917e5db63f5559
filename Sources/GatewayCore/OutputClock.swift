package import Integrations

/// When it is time for what outputs say at intervals. Pure.
package struct OutputClock: Sendable {
    package enum Tick: Sendable {
        /// Who is here.
        case present
        /// What was decoded.
        case decodings
    }

    private var ticks: [(tick: Tick, interval: Duration, due: Duration)] = []

    package init(_ settings: OutputSettings) {
        if let interval = settings.roomPresence?.interval { ticks.append((.present, interval, interval)) }
        if let interval = settings.raddec?.interval { ticks.append((.decodings, interval, interval)) }
    }

    /// - Parameter now: by a clock that begins with 0. A tick that comes late isn't made up for.
    package mutating func due(now: Duration) -> [Tick] {
        guard ticks.contains(where: { $0.due <= now }) else { return [] }
        var due: [Tick] = []
        for index in ticks.indices where ticks[index].due <= now {
            due.append(ticks[index].tick)
            // On the grid of its interval, so that what is a little late doesn't add up.
            let late = now - ticks[index].due
            ticks[index].due =
                late < ticks[index].interval ? ticks[index].due + ticks[index].interval : now + ticks[index].interval
        }
        return due
    }
}

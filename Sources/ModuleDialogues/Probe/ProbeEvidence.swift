import BeaconModel

/// Counts of the experiments that support or contradict each assumption.
package struct ProbeEvidence: Equatable, Sendable {
    private struct Count: Equatable, Sendable {
        var holds = 0
        var fails = 0
    }

    private var counts: [RS9116Assumption: Count] = [:]

    package mutating func add(_ assumption: RS9116Assumption, holds: Bool) {
        var count = counts[assumption] ?? Count()
        if holds { count.holds += 1 } else { count.fails += 1 }
        counts[assumption] = count
    }

    /// The profile of all settled assumptions. An assumption with too little or contradictory evidence is not settled.
    package var profile: RS9116Profile {
        var profile = RS9116Profile()
        for (assumption, count) in counts { profile[assumption] = Self.verdict(assumption, count) }
        return profile
    }

    private static func verdict(_ assumption: RS9116Assumption, _ count: Count) -> Bool? {
        switch assumption {
        // A message received once proves that it is sent. A missing message may have been damaged in transit.
        case .handshakeWith7C, .bluetoothAnnounced, .loadingAnnounced:
            return count.holds > 0 ? true : count.fails > 1 ? false : nil
        // By coincidence the module may reset itself at that moment, once.
        case .controlLinesReset: return agreed(count, needed: (2, 1))
        // A damaged byte can look like the other form.
        case .commonErrorsInASCII: return agreed(count, needed: (1, 2))
        default: return agreed(count, needed: (1, 1))
        }
    }

    private static func agreed(_ count: Count, needed: (holds: Int, fails: Int)) -> Bool? {
        if count.fails == 0, count.holds >= needed.holds { return true }
        if count.holds == 0, count.fails >= needed.fails { return false }
        return nil
    }
}

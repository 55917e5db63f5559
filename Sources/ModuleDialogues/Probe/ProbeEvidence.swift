import BeaconModel

/// What experiments have shown for and against each assumption.
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

    /// The profile of everything that is certain. An assumption with too little evidence, or with evidence of both kinds, isn't
    /// settled.
    package var profile: RS9116Profile {
        var profile = RS9116Profile()
        for (assumption, count) in counts { profile[assumption] = Self.verdict(assumption, count) }
        return profile
    }

    private static func verdict(_ assumption: RS9116Assumption, _ count: Count) -> Bool? {
        switch assumption {
        // What is said once can be said. What is missing may have been damaged on its way.
        case .handshakeWith7C, .bluetoothAnnounced, .loadingAnnounced:
            return count.holds > 0 ? true : count.fails > 1 ? false : nil
        // A module may reset itself at that very moment, once.
        case .controlLinesReset: return agreed(count, needed: (2, 1))
        // A damaged byte makes another form.
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

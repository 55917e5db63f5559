import InteractionStore

/// Which missing records somebody has to be told of. Pure. Times in seconds since 1970.
struct GapWatch {
    /// For so long a gap may be: records overtake each other, and what a broker lost comes again.
    static let patience: Int64 = 3600
    /// How often it is looked for gaps.
    static let interval: Int64 = 600
    private static let most = 10_000

    private struct Open {
        var gap: InteractionStore.Gap
        var since: Int64
        var isSaid = false
    }

    private var open: [String: Open] = [:]
    private var lookedAt: Int64 = .min
    /// Records that are lost and of which nothing was said yet, and when something was said last.
    private var lost: [String: (count: UInt64, saidAt: Int64)] = [:]

    /// Whether it is time to look for gaps; then the next time is later.
    mutating func isDue(_ now: Int64) -> Bool {
        // A clock that was set back doesn't keep it from looking.
        guard lookedAt == .min || now < lookedAt || now - lookedAt >= Self.interval else { return false }
        lookedAt = now
        return true
    }

    /// - Parameter gaps: the first of each gateway.
    /// - Returns: those that stay, each once.
    mutating func stay(_ gaps: [String: InteractionStore.Gap], now: Int64) -> [(String, InteractionStore.Gap)] {
        open = open.filter { gaps[$0.key]?.after == $0.value.gap.after }
        var news: [(String, InteractionStore.Gap)] = []
        for (gateway, gap) in gaps.sorted(by: { $0.key < $1.key }) {
            guard var known = open[gateway] else {
                if open.count < Self.most { open[gateway] = Open(gap: gap, since: now) }
                continue
            }
            known.gap = gap
            if !known.isSaid, now - known.since >= Self.patience {
                known.isSaid = true
                news.append((gateway, gap))
            }
            open[gateway] = known
        }
        return news
    }

    /// Records of a gateway are lost.
    ///
    /// - Returns: how many since it was last said, when it is to be said now.
    mutating func lost(_ count: UInt64, of gateway: String, now: Int64) -> UInt64? {
        guard let before = lost[gateway] else {
            if lost.count >= Self.most { lost.removeAll() }
            lost[gateway] = (0, now)
            return count
        }
        let (sum, isTooMany) = before.count.addingReportingOverflow(count)
        let total = isTooMany ? .max : sum
        guard now - before.saidAt >= Self.patience || now < before.saidAt else {
            lost[gateway] = (total, before.saidAt)
            return nil
        }
        lost[gateway] = (0, now)
        return total
    }
}

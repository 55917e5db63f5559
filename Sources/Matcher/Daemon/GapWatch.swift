import RecordContract

/// Which missing records somebody has to be told of. Pure. Times in seconds since 1970.
struct GapWatch {
    /// For so long a gap may be: records overtake each other, and what a broker lost comes again.
    static let patience: Int64 = 3600
    /// How often it is looked for gaps.
    static let interval: Int64 = 600
    private static let most = 10_000

    /// A gateway whose records come says each half minute how it is: so long a silence is no accident.
    static let silence: Int64 = 900
    /// A silence that goes on is said again after so long.
    private static let repetition: Int64 = 21_600

    /// Records of one gateway that are missing.
    struct Missing: Equatable, Sendable {
        var gateway: String
        /// For `patience` at least.
        var records: UInt64
        /// Everything up to here is stored or settled.
        var through: RecordPosition?
    }

    private struct Watched {
        /// The highest record that was known at several times, ascending.
        var marks: [(at: Int64, highest: RecordPosition)] = []
        var said: UInt64 = 0
    }

    private struct Voice {
        var firstRecordAt: Int64
        var lastRecordAt: Int64
        var healthAt: Int64?
        var saidAt: Int64?
    }

    private var watched: [String: Watched] = [:]
    private var voices: [String: Voice] = [:]
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

    /// - Parameter progress: of each gateway.
    /// - Returns: gateways of which more records are missing for `patience` than was said.
    mutating func missing(_ progress: [String: StoredProgress], now: Int64) -> [Missing] {
        watched = watched.filter { progress[$0.key] != nil }
        var news: [Missing] = []
        for (gateway, progress) in progress.sorted(by: { $0.key < $1.key }) {
            guard let highest = progress.highest, watched[gateway] != nil || watched.count < Self.most else { continue }
            var entry = watched[gateway] ?? Watched()
            entry.marks.removeAll { $0.at > now }
            entry.marks.append((now, highest))
            if let old = entry.marks.lastIndex(where: { now - $0.at >= Self.patience }) {
                entry.marks.removeFirst(old)
                let mark = entry.marks[0].highest
                let missing = progress.missing(below: .init(boot: mark.boot, sequence: mark.sequence &+ 1))
                if missing > entry.said {
                    news.append(Missing(gateway: gateway, records: missing, through: progress.through))
                }
                entry.said = missing
            }
            watched[gateway] = entry
        }
        return news
    }

    /// Records and health messages that are believed came.
    mutating func heard(recordsOf gateways: Set<String>, healthOf healthy: some Sequence<String>, now: Int64) {
        for gateway in gateways {
            guard voices[gateway] != nil || voices.count < Self.most else { continue }
            voices[gateway, default: Voice(firstRecordAt: now, lastRecordAt: now)].lastRecordAt = now
        }
        for gateway in healthy { voices[gateway]?.healthAt = now }
    }

    /// Gateways whose records come, and whose health doesn't: whoever keeps it back hides the ends of what they keep back.
    mutating func silent(now: Int64) -> [String] {
        // Of those that have gone nothing is expected.
        voices = voices.filter { now - $0.value.lastRecordAt <= Self.repetition && $0.value.lastRecordAt <= now }
        var silent: [String] = []
        for (gateway, voice) in voices where now - voice.lastRecordAt <= Self.interval {
            guard now - max(voice.healthAt ?? .min, voice.firstRecordAt) > Self.silence,
                voice.saidAt.map({ now - $0 >= Self.repetition }) ?? true
            else { continue }
            voices[gateway]?.saidAt = now
            silent.append(gateway)
        }
        return silent.sorted()
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

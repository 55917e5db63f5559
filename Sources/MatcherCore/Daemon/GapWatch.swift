package import RecordContract

/// Detection of missing records to report. Pure. Times in seconds since 1970.
package struct GapWatch {
    /// Seconds for which a gap is tolerated: records overtake each other, and those that a broker lost are sent again.
    package static let patience: Int64 = 3600
    /// Seconds between two searches for gaps.
    package static let interval: Int64 = 600
    private static let most = 10_000

    /// Seconds without health messages after which a gateway is reported. A gateway that sends records publishes its
    /// health every half minute, so that such a silence is no accident.
    package static let silence: Int64 = 900
    /// Seconds after which a continuing silence is reported again.
    private static let repetition: Int64 = 21_600

    /// Missing records of one gateway.
    package struct Missing: Equatable, Sendable {
        package var gateway: String
        /// Number of records that have been missing for at least `patience`.
        package var records: UInt64
        /// Position up to which every record is stored or settled.
        package var through: RecordPosition?
    }

    private struct Watched {
        /// Highest known record at several times, ascending.
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
    /// Lost records that were not reported yet, and the time of the last report, by gateway.
    private var lost: [String: (count: UInt64, saidAt: Int64)] = [:]

    package init() {
    }

    /// Returns whether it is time to look for gaps, and if so, begins the next interval.
    package mutating func isDue(_ now: Int64) -> Bool {
        // A clock that was set back does not prevent the search.
        guard lookedAt == .min || now < lookedAt || now - lookedAt >= Self.interval else { return false }
        lookedAt = now
        return true
    }

    /// Returns the gaps to report.
    ///
    /// - Parameter progress: progress by gateway.
    /// - Returns: gateways with more records missing for `patience` than were reported.
    package mutating func missing(_ progress: [String: StoredProgress], now: Int64) -> [Missing] {
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

    /// Notes the arrival of trusted records and health messages.
    package mutating func heard(recordsOf gateways: Set<String>, healthOf healthy: some Sequence<String>, now: Int64) {
        for gateway in gateways {
            guard voices[gateway] != nil || voices.count < Self.most else { continue }
            voices[gateway, default: Voice(firstRecordAt: now, lastRecordAt: now)].lastRecordAt = now
        }
        for gateway in healthy { voices[gateway]?.healthAt = now }
    }

    /// Returns gateways whose records arrive, but not their health messages. An attacker who suppresses those hides the
    /// end of the records that are suppressed.
    package mutating func silent(now: Int64) -> [String] {
        // Nothing is expected of gateways that stopped sending records.
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

    /// Counts lost records of a gateway.
    ///
    /// - Returns: the number since the last report if it is time for another, otherwise `nil`.
    package mutating func lost(_ count: UInt64, of gateway: String, now: Int64) -> UInt64? {
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

import Matching

/// The SQL that reads stays for the search for encounters. Every database runs the same text, on integers alone.
///
/// Since interactions have a longest, whoever was there at a time began in a range that has two ends, and an index by place
/// and start finds them.
enum EncounterQuery {
    struct Limits {
        var window: Int64
        var longest: Int64
        /// Centimetres.
        var radius: Int64
        var placeRadius: Int64
        var sum: Int64

        init(rule: ContactRule, longest: Int64) {
            let unlimited: Int64 = 1_000_000_000
            window = rule.window
            self.longest = longest
            radius = rule.radius
            placeRadius = rule.placeRadius ?? unlimited
            sum = rule.nearness == .sumOfDistances ? rule.radius : unlimited
        }
    }

    /// Everybody's stays at a place within a time, and who tells of them.
    static func others(at place: Int64, during span: ClosedRange<Int64>, _ limits: Limits) -> String {
        """
        SELECT subject, place, started, ended, distance, lower_bound, upper_bound, origin FROM interaction
        WHERE place = \(place) AND started BETWEEN \(span.lowerBound - limits.longest) AND \(span.upperBound)
          AND ended >= \(span.lowerBound) AND COALESCE(distance, 0) <= \(limits.placeRadius)
        """
    }

    /// Stays of subjects within a time each, by the clocks of gateways that weren't synchronized.
    static func unsynchronized(
        _ spans: [InteractionStore.Positive], longest: Int64, rows: Int, _ dialect: SQLDialect
    ) -> String {
        stays(of: spans, longest: longest, dialect) + " AND i.clock = 0 LIMIT \(rows)"
    }

    /// Stays of subjects, each within a time that the stay may touch only.
    ///
    /// - Parameter origins: of which none are read.
    static func stays(
        _ spans: [InteractionStore.Positive], longest: Int64, without origins: [Int64], rows: Int,
        _ dialect: SQLDialect
    ) -> String {
        let list = origins.map(String.init).joined(separator: ", ")
        return stays(of: spans, longest: longest, dialect)
            + (origins.isEmpty ? "" : " AND i.origin NOT IN (\(list))") + " LIMIT \(rows)"
    }

    /// How many stays of subjects there are, by origin.
    static func counts(
        _ spans: [InteractionStore.Positive], longest: Int64, _ dialect: SQLDialect
    ) -> String {
        "SELECT s.origin, count(*) FROM (\(stays(of: spans, longest: longest, dialect))) AS s GROUP BY s.origin"
    }

    private static func stays(
        of spans: [InteractionStore.Positive], longest: Int64, _ dialect: SQLDialect
    ) -> String {
        """
        WITH q (subject, since, until) AS (VALUES \(values(spans)))
        SELECT i.subject, i.place, i.started, i.ended, i.distance, i.lower_bound, i.upper_bound,
          i.origin, q.since, q.until
        FROM q CROSS JOIN interaction i
        WHERE \(StoreSchema.isOfSubject("i", "q.subject", dialect))
          AND i.started BETWEEN q.since - \(longest) AND q.until AND i.ended >= q.since
        """
    }

    /// Within the times that a record can say, so that no number overflows.
    private static func values(_ spans: [InteractionStore.Positive]) -> String {
        spans.map { span in
            let times = [span.since, span.until].map { min(max($0, 0), RecordReader.latestTime) }
            return "(\(span.subject), \(times[0]), \(times[1]))"
        }.joined(separator: ", ")
    }
}

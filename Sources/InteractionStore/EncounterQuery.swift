import Matching

/// The search for encounters: one text that every database runs, on integers alone, so that all find the same.
///
/// It may find more than the contact rule admits, never less. Since interactions have a longest, whoever was there at a
/// time began in a range that has two ends, and an index by place and start finds them.
enum EncounterQuery {
    struct Limits {
        var window: Int64
        var longest: Int64
        /// Centimetres.
        var radius: Int64
        var placeRadius: Int64
        var sum: Int64
        /// More rows aren't given.
        var rows: Int

        init(rule: ContactRule, longest: Int64, rows: Int) {
            let unlimited: Int64 = 1_000_000_000
            window = rule.window
            self.longest = longest
            self.rows = rows
            radius = rule.radius
            placeRadius = rule.placeRadius ?? unlimited
            sum = rule.nearness == .sumOfDistances ? rule.radius : unlimited
        }
    }

    /// - Parameters:
    ///   - neighbours: of places side by side, instead of the same place.
    ///   - tellers: only of stays of positives of which some origins tell, and of others of which some do; `nil`: of all.
    static func text(
        _ positives: [InteractionStore.Positive], _ limits: Limits, neighbours: Bool,
        by tellers: (positive: [Int64], other: [Int64])? = nil, _ dialect: SQLDialect
    ) -> String {
        let values = Self.values(positives)
        let separation = neighbours ? "n.separation" : "0"
        let isTold = tellers.map { Self.isOneOf("p.origin", $0.positive) + Self.isOneOf("c.origin", $0.other) } ?? ""
        // What somebody else wrote there may be so late that no number holds what is added.
        let longest = RecordReader.longestInteraction
        let end = "CASE WHEN p.ended > p.started + \(longest) THEN p.started + \(longest) ELSE p.ended END"
        // SQLite joins in the order of CROSS JOIN; PostgreSQL in its own.
        return """
            WITH q (subject, since, until) AS (VALUES \(values))
            SELECT p.subject, p.place, p.started, p.ended, p.distance, p.lower_bound, p.upper_bound,
              c.subject, c.place, c.started, c.ended, c.distance, c.lower_bound, c.upper_bound, \(separation),
              q.since, q.until, p.origin, c.origin
            FROM q CROSS JOIN interaction p \(neighbours ? "CROSS JOIN neighbour n " : "")CROSS JOIN interaction c
            WHERE \(StoreSchema.isOfSubject("p", "q.subject", dialect))
              AND p.started BETWEEN q.since - \(limits.longest) AND q.until AND p.ended >= q.since
              AND p.ended <= p.started + \(RecordReader.longestInteraction)\(isTold)
              AND COALESCE(p.distance, 0) <= \(limits.placeRadius)
              AND \(neighbours ? "n.place = p.place AND c.place = n.other" : "c.place = p.place")
              AND c.started BETWEEN p.started - \(limits.window + limits.longest) AND \(end) + \(limits.window)
              AND c.ended >= p.started - \(limits.window)
              AND c.started <= q.until + \(limits.window) AND c.ended >= q.since - \(limits.window)
              AND c.subject <> p.subject
              AND COALESCE(c.distance, 0) <= \(limits.placeRadius)
              AND COALESCE(p.distance + c.distance + \(separation), 0) <= \(limits.sum)
              AND COALESCE(p.lower_bound - c.upper_bound - \(separation), 0) <= \(limits.radius)
              AND COALESCE(c.lower_bound - p.upper_bound - \(separation), 0) <= \(limits.radius)
              AND COALESCE(\(separation) - p.upper_bound - c.upper_bound, 0) <= \(limits.radius)
            LIMIT \(limits.rows)
            """
    }

    private static func isOneOf(_ column: String, _ numbers: [Int64]) -> String {
        " AND \(column) IN (\(numbers.map(String.init).joined(separator: ", ")))"
    }

    /// Who tells of stays at some places, or at those beside them, within a time: origins.
    ///
    /// - Parameter places: one at least.
    static func tellers(at places: [Int64], from start: Int64, to end: Int64) -> String {
        let list = places.map(String.init).joined(separator: ", ")
        return """
            SELECT DISTINCT origin FROM interaction WHERE started BETWEEN \(start) AND \(end) AND place IN
              (SELECT id FROM place WHERE id IN (\(list)) UNION SELECT other FROM neighbour WHERE place IN (\(list)))
            """
    }

    /// Stays of subjects within a time each, by the clocks of gateways that weren't synchronized.
    static func unsynchronized(
        _ spans: [InteractionStore.Positive], longest: Int64, rows: Int, _ dialect: SQLDialect
    ) -> String {
        stays(of: spans, longest: longest, dialect) + " AND i.clock = 0 LIMIT \(rows)"
    }

    /// Stays of subjects, each within a time that the stay may touch only.
    static func stays(
        _ spans: [InteractionStore.Positive], longest: Int64, rows: Int, _ dialect: SQLDialect
    ) -> String {
        stays(of: spans, longest: longest, dialect) + " LIMIT \(rows)"
    }

    private static func stays(
        of spans: [InteractionStore.Positive], longest: Int64, _ dialect: SQLDialect
    ) -> String {
        """
        WITH q (subject, since, until) AS (VALUES \(values(spans)))
        SELECT i.subject, i.place, i.started, i.ended, i.distance, i.lower_bound, i.upper_bound,
          i.origin
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

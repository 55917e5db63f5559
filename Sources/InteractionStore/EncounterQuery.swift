import Evidence
import Matching

/// The SQL that reads stays for the search for encounters. All databases run the same text, on integers only.
///
/// The length of interactions is bounded, so the stays at a given time began in a range with two ends, which an index
/// by place and start finds.
enum EncounterQuery {
    /// Returns the query for all stays at a place within a period, with their origins.
    static func others(at place: Int64, during span: ClosedRange<Int64>, _ limits: EncounterLimits) -> String {
        """
        SELECT subject, place, started, ended, distance, lower_bound, upper_bound, origin FROM interaction
        WHERE place = \(place) AND started BETWEEN \(span.lowerBound - limits.longest) AND \(span.upperBound)
          AND ended >= \(span.lowerBound) AND COALESCE(distance, 0) <= \(limits.placeRadius)
        """
    }

    /// Returns the query for subjects' stays that overlap the subject's period and were timed by an unsynchronized
    /// clock.
    static func unsynchronized(
        _ spans: [SubjectPeriod], longest: Int64, rows: Int, _ dialect: SQLDialect
    ) -> String {
        stays(of: spans, longest: longest, dialect) + " AND i.clock = 0 LIMIT \(rows)"
    }

    /// Returns the query for subjects' stays that overlap the subject's period.
    ///
    /// - Parameter origins: origins whose stays are not read.
    static func stays(
        _ spans: [SubjectPeriod], longest: Int64, without origins: [Int64], rows: Int,
        _ dialect: SQLDialect
    ) -> String {
        let list = origins.map(String.init).joined(separator: ", ")
        return stays(of: spans, longest: longest, dialect)
            + (origins.isEmpty ? "" : " AND i.origin NOT IN (\(list))") + " LIMIT \(rows)"
    }

    /// Returns the query for the number of subjects' stays, by origin.
    static func counts(
        _ spans: [SubjectPeriod], longest: Int64, _ dialect: SQLDialect
    ) -> String {
        "SELECT s.origin, count(*) FROM (\(stays(of: spans, longest: longest, dialect))) AS s GROUP BY s.origin"
    }

    private static func stays(
        of spans: [SubjectPeriod], longest: Int64, _ dialect: SQLDialect
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

    /// Returns the spans as SQL values, limited to times that a record can express, so that no number overflows.
    private static func values(_ spans: [SubjectPeriod]) -> String {
        spans.map { span in
            let times = [span.since, span.until].map { min(max($0, 0), RecordReader.latestTime) }
            return "(\(span.subject), \(times[0]), \(times[1]))"
        }.joined(separator: ", ")
    }
}

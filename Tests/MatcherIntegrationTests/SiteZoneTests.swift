import BeaconModel
import TestSupport
import Testing

/// What people read is in the site's time zone, which is named; programs get UTC.
@Suite("The site's time zone in text", .timeLimit(.minutes(10))) struct SiteZoneTests {
    @Test func `Exposures and reports name the zone of their times`() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            "m.toml",
            """
            [store]
            location = "\(directory.path)/s.sqlite"
            [site]
            time-zone = "Europe/Berlin"
            """)
        let lines = BadgeRecords.lines([
            .init(badge: 1, minutes: 0...20, metres: 1), .init(badge: 2, minutes: 10...20, metres: 1),
        ])
        let options = ["--config", file]
        let asOf = ["--as-of", "2026-11-02T12:00:00Z"]
        _ = try await TestMatcher.run(["import", try directory.write("r.jsonl", lines)] + options + asOf)
        let window = ["--from", "2026-11-02", "--to", "2026-11-02"] + options
        let table = try await TestMatcher.run(["exposures", "--positive", BadgeRecords.badge(1)] + window)
        #expect(table.output.first?.contains("  FROM (Europe/Berlin)  TO  ") == true, "\(table.output)")
        #expect(table.output.last?.contains("  2026-11-02 09:10      2026-11-02 09:20  ") == true, "\(table.output)")
        let json = try await TestMatcher.run(["exposures", "--json", "--positive", BadgeRecords.badge(1)] + window)
        #expect(json.output.first?.contains(#""start":"2026-11-02T08:10:00Z""#) == true)
        #expect(try await TestMatcher.run(["report", BadgeRecords.badge(1)] + options + asOf).status == 0)
        let reports = try await TestMatcher.run(["reports"] + options)
        #expect(reports.output.first?.contains("  RECEIVED (Europe/Berlin)  ") == true, "\(reports.output)")
        #expect(reports.output.last?.contains("  2026-11-02 13:00  ") == true, "\(reports.output)")
        let listed = try await TestMatcher.run(["reports", "--json"] + options)
        #expect(listed.output.first?.contains(#""received":"2026-11-02T12:00:00Z""#) == true)
    }
}

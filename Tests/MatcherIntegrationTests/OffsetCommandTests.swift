import BeaconModel
import InteractionStore
import TestSupport
import Testing

/// Offsets of receivers, by the command as people call it.
@Suite(.timeLimit(.minutes(10))) struct OffsetCommandTests {
    @Test func `Offsets are a table of versions, and one goes back to the version before`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s.sqlite"
        let store = try InteractionStore.open(.sqlite(path))
        let none = try await TestMatcher.run(["floors", "offsets", "--store", path])
        #expect(none.status == 0 && none.output.isEmpty)
        let morning = BadgeRecords.morning.microseconds / 1_000_000
        _ = try store.finish(
            night: 1, in: "campus/main",
            choosing: .version(["campus/main/1/east": -6.1, "campus/main/1/west": 3]), now: morning)
        _ = try store.finish(
            night: 2, in: "campus/main", choosing: .version(["campus/main/1/east": -6.4]), now: morning + 86_400)
        let table = try await TestMatcher.run(["floors", "offsets", "--store", path])
        #expect(
            table.output == [
                "LEARNT (UTC)      USED  RECEIVER             OFFSET",
                "2026-11-03 08:00  yes   campus/main/1/east  -6.4 dB",
                "2026-11-02 08:00  no    campus/main/1/east  -6.1 dB",
                "                        campus/main/1/west  +3.0 dB",
            ], "\(table.output)")
        let back = try await TestMatcher.run(["floors", "offsets", "--back", "campus/main", "--store", path])
        #expect(back.output == ["campus/main uses the offsets of 2026-11-02 08:00 UTC"])
        let before = try await TestMatcher.run(["floors", "offsets", "--back", "campus/main", "--store", path])
        #expect(before.output == ["campus/main uses no offsets"])
        let newest = try await TestMatcher.run(["floors", "offsets", "--newest", "campus/main", "--store", path])
        #expect(newest.output == ["campus/main uses the offsets of 2026-11-03 08:00 UTC"])
        let unknown = try await TestMatcher.run(["floors", "offsets", "--back", "campus/x", "--store", path])
        #expect(unknown.status == 64)
        #expect(unknown.errorOutput.contains { $0.contains("there are offsets of campus/main") })
    }

    @Test func `Below the table is said that somebody has gone back, and that a night chose none`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s.sqlite"
        let store = try InteractionStore.open(.sqlite(path))
        let morning = BadgeRecords.morning.microseconds / 1_000_000
        _ = try store.finish(
            night: 1, in: "campus/main", choosing: .version(["campus/main/1/east": -6.1]), now: morning)
        _ = try store.finish(night: 2, in: "campus/main", choosing: .noOffsets, now: morning + 86_400)
        let none = "campus/main: the look of 2026-11-03 08:00 UTC chose no offsets: they predict nothing"
        func remarks() async throws -> [String] {
            let (_, output, _) = try await TestMatcher.run(["floors", "offsets", "--store", path])
            return Array(output.dropFirst(2))
        }
        #expect(try await remarks() == [none])
        let back = try await TestMatcher.run(["floors", "offsets", "--back", "campus/main", "--store", path])
        #expect(back.output == ["campus/main uses the offsets of 2026-11-02 08:00 UTC"])
        let pinned = "campus/main: uses the offsets of 2026-11-02 08:00 UTC until --newest"
        #expect(try await remarks() == [none, pinned])
        let newest = try await TestMatcher.run(["floors", "offsets", "--newest", "campus/main", "--store", path])
        #expect(newest.output == ["campus/main uses no offsets"])
        #expect(try await remarks() == [none])
    }
}

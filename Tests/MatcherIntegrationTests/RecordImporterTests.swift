import BeaconModel
import InteractionStore
import TestSupport
import Testing

@testable import Matcher

@Suite("What an import says") struct RecordImporterTests {
    private static let morning = BadgeRecords.morning.microseconds / 1_000_000

    private func importer(
        _ lines: String, in directory: TemporaryDirectory, now: Int64 = morning + 7200,
        clockIsSynchronized: Bool = true
    ) throws -> RecordImporter {
        let store = try InteractionStore.open(.sqlite(directory.path + "/s.sqlite"))
        var importer = RecordImporter(store: store, now: now, clockIsSynchronized: clockIsSynchronized)
        for (index, line) in lines.split(separator: "\n").enumerated() {
            try importer.take(Array(line.utf8), number: index + 1)
        }
        try importer.flush()
        return importer
    }

    @Test func `Records of any age are taken by a clock that isn't synchronized, and that is said`() throws {
        let directory = try TemporaryDirectory()
        let lines = BadgeRecords.lines([.init(badge: 1, minutes: 0...20, metres: 1)])
        let old = try importer(
            lines, in: directory, now: Self.morning + 240 * 86_400, clockIsSynchronized: false)
        #expect(old.summary == "1 record: 1 new")
        #expect(old.notes.count == 1 && old.notes[0].hasPrefix("this machine's clock is not synchronized"))
        #expect(try importer(lines, in: directory).notes.isEmpty)
    }

    @Test func `Records that contradict others are counted`() throws {
        let directory = try TemporaryDirectory()
        let lines = BadgeRecords.lines([.init(badge: 1, minutes: 0...20, metres: 1)])
        let moved = lines.replacing("\"startedAt\":\"2026-11-02T08:00", with: "\"startedAt\":\"2026-11-02T08:05")
            .replacing("\"sequence\":1", with: "\"sequence\":2")
        let shorter = lines.replacing("\"lastSeenAt\":\"2026-11-02T08:20", with: "\"lastSeenAt\":\"2026-11-02T08:10")
        #expect(moved != lines && shorter != lines)
        #expect(
            try importer(lines + moved + shorter, in: directory).summary
                == "3 records: 1 new, 1 rejected, because they change the subject or start of an interaction, "
                + "1 rejected, because they contradict the first record with their boot and sequence")
    }

    @Test func `One boot and sequence on another interaction is counted, in one file and in two`() throws {
        let lines = BadgeRecords.lines([.init(badge: 1, minutes: 0...20, metres: 1)])
        let other = BadgeRecords.lines([.init(badge: 2, minutes: 5...30, metres: 1)])
            .replacing("/1/i1\"", with: "/1/i2\"")
        let said = "1 rejected, because they contradict the first record with their boot and sequence"
        let one = try TemporaryDirectory()
        #expect(try importer(lines + other, in: one).summary == "2 records: 1 new, " + said)
        let two = try TemporaryDirectory()
        #expect(try importer(lines, in: two).summary == "1 record: 1 new")
        #expect(try importer(other, in: two).summary == "1 record: 0 new, " + said)
    }

    @Test func `Of many damaged lines the first are named and all are counted by what is wrong`() throws {
        let directory = try TemporaryDirectory()
        let line = BadgeRecords.lines([.init(badge: 1, minutes: 0...20, metres: 1)])
        let lines =
            String(repeating: line.replacing("interaction.ended", with: "interaction.exploded"), count: 20)
            + String(repeating: line.replacing("endedAt", with: "finishedAt"), count: 5) + line
        let importer = try importer(lines, in: directory)
        #expect(importer.defects == 25 && importer.notes.count == 20)
        #expect(importer.notes[0].hasPrefix("line 1: has a type other than interaction.started"))
        #expect(
            importer.defectSummary
                == "25 lines in all: 20 has a type other than interaction.started, interaction.updated and "
                + "interaction.ended; 5 is of the type interaction.ended, but lacks endedAt or endReason")
        #expect(importer.summary == "1 record: 1 new")
    }
}

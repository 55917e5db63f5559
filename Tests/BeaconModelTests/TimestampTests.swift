import Glibc
import TestValues
import Testing

@testable import BeaconModel

@Suite("Timestamp")
struct TimestampTests {
    // `date -u -d @SECONDS +%FT%TZ` gives the texts.
    @Test(
        "A timestamp is printed as RFC 3339 in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (86_399, "1970-01-01T23:59:59.000Z"),
            (68_169_600, "1972-02-29T00:00:00.000Z"),
            (946_684_799, "1999-12-31T23:59:59.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (951_868_799, "2000-02-29T23:59:59.000Z"),
            (951_868_800, "2000-03-01T00:00:00.000Z"),
            (978_220_800, "2000-12-31T00:00:00.000Z"),
            (1_582_977_600, "2020-02-29T12:00:00.000Z"),
            (1_598_002_200, "2020-08-21T09:30:00.000Z"),
            (1_614_556_799, "2021-02-28T23:59:59.000Z"),
            (1_614_556_800, "2021-03-01T00:00:00.000Z"),
            (2_147_483_648, "2038-01-19T03:14:08.000Z"),
            (4_107_542_399, "2100-02-28T23:59:59.000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000Z"),
            (253_402_300_799, "9999-12-31T23:59:59.000Z"),
        ])
    func formatting(seconds: Int64, text: String) {
        #expect(Timestamp(microseconds: seconds * 1_000_000).rfc3339 == text)
    }

    @Test(
        "Microseconds are cut off, not rounded",
        arguments: [
            (999, "1970-01-01T00:00:00.000Z"), (1000, "1970-01-01T00:00:00.001Z"),
            (125_999, "1970-01-01T00:00:00.125Z"), (999_999, "1970-01-01T00:00:00.999Z"),
        ])
    func milliseconds(microseconds: Int64, text: String) {
        #expect(Timestamp(microseconds: microseconds).rfc3339 == text)
    }

    @Test("A day is printed without its time")
    func day() {
        #expect(Timestamp(microseconds: 951_868_799_999_999).day == "2000-02-29")
    }

    @Test("Any second is printed as the C library prints it")
    func againstTheCLibrary() {
        var generator = SeededGenerator("timestamps")
        var wrong: [String] = []
        for _ in 0..<20_000 {
            var seconds = time_t(generator.next() % 253_402_300_800)
            var parts = tm()
            gmtime_r(&seconds, &parts)
            var buffer = [CChar](repeating: 0, count: 64)
            strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%S.000Z", &parts)
            let expected = buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
            let found = Timestamp(microseconds: Int64(seconds) * 1_000_000).rfc3339
            if found != expected { wrong.append("\(seconds): \(found), not \(expected)") }
        }
        #expect(wrong.isEmpty, generator.comment)
    }

    @Test("A time before 1970 becomes 1970", arguments: [-1, -86_400_000_000, Int64.min])
    func clampedBelow(microseconds: Int64) {
        #expect(Timestamp(microseconds: microseconds) == .epoch)
    }

    @Test("A time after 9999 becomes the last microsecond of 9999", arguments: [253_402_300_800_000_000, Int64.max])
    func clampedAbove(microseconds: Int64) {
        #expect(Timestamp(microseconds: microseconds) == .latest)
    }

    @Test("The latest timestamp is the last microsecond of 9999")
    func latest() {
        #expect(Timestamp.latest.rfc3339 == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp.latest.microseconds == 253_402_300_799_999_999)
    }

    @Test("A duration is added to the microsecond")
    func addition() {
        let sum = Timestamp(microseconds: 1_000_001) + .seconds(2) + .microseconds(3)
        #expect(sum.microseconds == 3_000_004)
    }

    @Test("A negative duration leads back")
    func subtractionOfDuration() {
        #expect((Timestamp(microseconds: 5_000_000) + .milliseconds(-1500)).microseconds == 3_500_000)
    }

    @Test(
        "Too long a duration leads to the latest time",
        arguments: [Duration.seconds(253_402_300_800), .seconds(Int64.max), .microseconds(Int64.max)])
    func additionClampsAbove(duration: Duration) {
        #expect(Timestamp(microseconds: 1) + duration == .latest)
        #expect(.latest + duration == Timestamp.latest)
    }

    @Test(
        "Too long a negative duration leads to 1970",
        arguments: [Duration.seconds(-253_402_300_800), .seconds(Int64.min), .microseconds(Int64.min)])
    func additionClampsBelow(duration: Duration) {
        #expect(.latest + duration == Timestamp.epoch)
        #expect(.epoch + duration == Timestamp.epoch)
    }

    @Test("The difference of two timestamps is the time between them, with its sign")
    func difference() {
        let early = Timestamp(microseconds: 1_000_000)
        let late = Timestamp(microseconds: 3_500_000)
        #expect(late - early == .milliseconds(2500))
        #expect(early - late == .milliseconds(-2500))
        #expect(Timestamp.latest - .epoch == .microseconds(253_402_300_799_999_999))
    }

    @Test("The earlier timestamp is the smaller one")
    func order() {
        #expect(Timestamp(microseconds: 1) < Timestamp(microseconds: 2))
        #expect(!(Timestamp(microseconds: 2) < Timestamp(microseconds: 2)))
    }

    @Test("A duration is converted to seconds with its fraction")
    func inSeconds() {
        #expect(Duration.milliseconds(1250).inSeconds == 1.25)
        #expect(Duration.milliseconds(-1250).inSeconds == -1.25)
    }
}

import Matching
import Testing

@testable import MatcherCore

@Suite("Letters to people who were exposed") struct NoticeLetterTests {
    /// 2026-11-02T12:00:00Z
    private let noon: Int64 = 1_793_620_800

    /// Returns the letter of somebody who was exposed on each of some days before.
    private func letter(
        _ daysAgo: [Int64] = [2], name: String = "Anna Smith", policy: String = "en-v2", minutes: Double = 30,
        clockIsDoubtful: Bool = false
    ) throws -> NoticeLetter? {
        let policy = try #require(Policy.shipped(policy))
        let badge = try #require(SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/2"))
        let telling = ExposureTelling(policy: policy, retention: 14, phoneDelay: nil)
        let exposures = daysAgo.map { days in
            let start = noon - days * 86_400
            return ExposureSummary(
                subject: badge, place: 7, start: start, end: start + 1800, minutes: minutes,
                clockIsDoubtful: clockIsDoubtful)
        }
        let told = telling.told(exposures, to: badge, now: noon)
        return NoticeLetter(to: name, told: [told], sender: "Health office") { "day \($0)" }
    }

    @Test("A letter has the level, the days and what to do") func golden() throws {
        let letter = try #require(try letter([2, 4]))
        #expect(letter.subject == "Notice from Health office")
        #expect(
            letter.text == """
                Dear Anna Smith,

                You were exposed to somebody who tested positive. Your risk is high. The
                rules call this "alert".

                Days with exposures:
                - day 20757
                - day 20755

                What to do:
                - Stay at home, and avoid contact with others.
                - Contact the health office. It tells you when to get a test and how
                  long to stay at home.

                This notice follows from records of badges and phones. It names neither
                places nor people, because it may be read by others, and because they
                have a right to privacy.

                Health office
                """)
    }

    @Test("Doubts about clocks are a sentence of their own") func clocks() throws {
        let sentence = "A clock of a receiver was wrong at that time, so the days may be wrong."
        #expect(try letter(clockIsDoubtful: true)?.findings.last == sentence)
        #expect(try letter()?.findings.contains(sentence) == false)
    }

    @Test("Without an exposure that counts there is no letter") func nothing() throws {
        #expect(try letter([]) == nil)
        #expect(try letter([400]) == nil)
    }

    @Test(
        "A hostile name is one line, and lines stay short",
        arguments: ["a\r\nBcc: x@y.example", "a\nb", String(repeating: "name ", count: 40), "\u{202E}a"])
    func hostile(name: String) throws {
        let text = try #require(try letter(name: name)).text
        #expect(text.hasPrefix("Dear "))
        #expect(!text.unicodeScalars.contains { $0 == "\r" || $0 == "\u{202E}" })
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.count <= 78 })
        #expect(!lines.contains { $0.hasPrefix("Bcc") || $0.hasPrefix("b,") })
    }
}

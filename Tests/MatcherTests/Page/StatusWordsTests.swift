import MatcherCore
import Matching
import OperatorText
import Pages
import Testing

@testable import MatcherDaemon

@Suite("A person's own status in words") struct StatusWordsTests {
    /// 2026-11-02T12:00:00Z, a Monday.
    private static let noon: Int64 = 1_793_620_800
    private static let badge = "badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/2"

    /// Policy with minutes of an exposure that is told and low.
    private static let lowRisk = (name: "cwa-1.15", minutes: 7.0)

    /// Returns the status of a person with some badges and phones.
    ///
    /// - Parameters:
    ///   - exposures: number of exposures of each, all two days ago.
    ///   - silent: badges and phones that were not heard.
    private func status(
        _ exposures: [String: Int], heard: Int64? = StatusWordsTests.noon - 60, silent: Set<String> = [],
        policy name: String = "en-v2", minutes: Double = 30, delaysPhones: Bool = true,
        clockIsDoubtful: Bool = false, hasUnmatched: Bool = false
    ) throws -> MePage.Status {
        let policy = try #require(Policy.shipped(name))
        let telling = ExposureTelling(policy: policy, retention: 14, phoneDelay: delaysPhones ? 1200 : nil)
        let subjects = try exposures.keys.sorted().map { try #require(SubjectIdentity($0)) }
        let told = subjects.map { subject in
            let start = Self.noon - 2 * 86_400
            let exposure = ExposureSummary(
                subject: subject, place: 1, start: start, end: start + 1800, minutes: minutes,
                clockIsDoubtful: clockIsDoubtful)
            return telling.told(
                Array(repeating: exposure, count: exposures[subject.description] ?? 0), to: subject, now: Self.noon)
        }
        var times: [SubjectIdentity: Int64] = [:]
        for subject in subjects where !silent.contains(subject.description) { times[subject] = heard }
        return StatusWords(words: DayWords(days: .utc), policy: policy, telling: telling).status(
            told, subjects: subjects, heard: times, changed: Self.noon - 86_400, hasUnmatched: hasUnmatched,
            now: Self.noon)
    }

    @Test func `An exposure of one of several devices counts for the person`() throws {
        let status = try status([Self.badge: 1, "phone:ann": 0])
        #expect(status.word == StatusWord("High risk", tone: "bad"))
        #expect(status.days == ["Sat 2026-10-31"])
        #expect(status.since == "What is known about you last changed on Sun 2026-11-01.")
        #expect(status.advice.first?.contains("Stay at home") == true)
        #expect(status.sentence.hasSuffix("The rules call this \"alert\"."))
    }

    @Test func `Whoever was not heard for a day has no known status`() throws {
        for heard in [nil, Self.noon - 86_401] as [Int64?] {
            let status = try status([Self.badge: 0], heard: heard)
            #expect(status.word == StatusWord("Not known", tone: "warn"))
            #expect(
                status.doubts == ["Your badge was not heard in the last 24 hours. Contacts since then are not known."])
        }
        #expect(try status([Self.badge: 0]).word == StatusWord("No exposure known"))
    }

    @Test func `No level says that somebody is safe, or well`() throws {
        for count in 0...4 {
            let status = try status([Self.badge: count], policy: "further")
            let text = ([status.sentence, status.word.word] + status.advice + status.doubts).joined(separator: " ")
            for word in ["safe", "healthy", "not infected", "no risk", "all clear"] {
                #expect(!text.lowercased().contains(word), "\(text)")
            }
        }
    }

    @Test func `That there is nothing to do never stands while a doubt stands`() throws {
        let nothingToDo = try #require(RiskAdvice.steps(.low).first)
        var spoken = 0
        for count in [0, 1] {
            for devices in [[Self.badge], ["phone:ann"], [Self.badge, "phone:ann"]] {
                for silent in [[], [Self.badge], ["phone:ann"], [Self.badge, "phone:ann"]] as [Set<String>] {
                    for (hasUnmatched, clockIsDoubtful) in [(false, false), (true, false), (false, true)] {
                        for delaysPhones in [false, true] {
                            let status = try status(
                                Dictionary(uniqueKeysWithValues: devices.map { ($0, count) }), silent: silent,
                                policy: Self.lowRisk.name, minutes: Self.lowRisk.minutes, delaysPhones: delaysPhones,
                                clockIsDoubtful: clockIsDoubtful, hasUnmatched: hasUnmatched)
                            let isSaid = status.advice.contains(nothingToDo)
                            if isSaid { spoken += 1 }
                            #expect(!isSaid || status.doubts.isEmpty, "\(status)")
                            #expect(status.advice.last == RiskAdvice.ifIll, "\(status)")
                        }
                    }
                }
            }
        }
        #expect(spoken > 0)
    }

    @Test func `Whoever was not heard, or has a device that was not, is asked to check it`() throws {
        for count in [0, 1] {
            for silent in [[Self.badge], [Self.badge, "phone:ann"]] as [Set<String>] {
                let status = try status(
                    [Self.badge: count, "phone:ann": count], silent: silent, policy: Self.lowRisk.name,
                    minutes: Self.lowRisk.minutes)
                #expect(status.advice.first?.contains("check that its battery works") == true, "\(status)")
            }
        }
        let heard = try status([Self.badge: 0])
        #expect(heard.advice == ["Go on wearing your badge or carrying your phone.", RiskAdvice.ifIll])
    }

    @Test func `A report that is not matched yet is a doubt`() throws {
        #expect(try status([Self.badge: 0]).doubts.isEmpty)
        let status = try status([Self.badge: 0], hasUnmatched: true)
        #expect(
            status.doubts.count == 1 && status.doubts[0].hasPrefix("New reports of positive tests are not compared"))
    }

    @Test func `A phone is told that a day's contacts come later`() throws {
        let status = try status(["phone:ann": 0])
        #expect(status.doubts == ["For a phone, contacts of a day are told when the day is over."])
    }

    @Test func `A device has the day on which it was last heard, without a time`() throws {
        let policy = try #require(Policy.shipped("en-v2"))
        let words = StatusWords(
            words: DayWords(days: .utc), policy: policy, telling: ExposureTelling(policy: policy, retention: 14))
        let badge = try #require(SubjectIdentity(Self.badge))
        #expect(
            words.device(badge, heard: Self.noon, now: Self.noon).heard
                == "Your badge was last heard on Mon 2026-11-02.")
        #expect(words.device(badge, heard: nil, now: Self.noon).heard.hasPrefix("Your badge was not heard"))
    }
}

import Matching
import Testing

@testable import MatcherCore

@Suite("Rules of a policy in words") struct PolicyWordsTests {
    private func policy(_ name: String) throws -> Policy { try #require(Policy.shipped(name)) }

    @Test("Every shipped policy has sentences, and each ends", arguments: Policy.shippedNames)
    func sentences(_ name: String) throws {
        let policy = try policy(name)
        let sentences =
            PolicyWords.contacts(policy) + PolicyWords.weights(policy) + [PolicyWords.measure(policy.risk)]
        #expect(sentences.filter { !$0.hasSuffix(".") && !$0.hasSuffix(":") } == [])
        #expect(sentences.filter { $0.contains("?") } == [])
    }

    @Test("A contact has its similarity, its minutes, and what counts without readings") func contacts() throws {
        let sentences = try PolicyWords.contacts(policy("six-metre-five-minute"))
        #expect(
            sentences == [
                "Two people are near each other in a minute if all receivers in reach hear both alike: with a "
                    + "similarity of at least 0.86, where 1 means the same.",
                "They are close from a similarity of 0.92.", "It is an exposure from 5 minutes of one day.",
                "Where a floor has only one receiver, or readings are missing, distances from a beacon decide:",
                "Two people are near each other if their distances from a beacon add up to 6 m or less.",
                "Each of them is at most 3 m from the beacon.",
                "They need not be there at the same time: 5 minutes may pass between one leaving and the other "
                    + "arriving.",
                "Any time is enough for an exposure; what counts is the time of one meeting, which ends when 5 minutes "
                    + "pass without contact.",
            ])
    }

    @Test("Weights of attenuation, of days and of reports are said with their numbers") func weights() throws {
        let policy = try policy("en-v2")
        #expect(PolicyWords.contacts(policy).contains("A near minute counts 0.33, a close one 1."))
        #expect(
            PolicyWords.contacts(policy).contains(
                "Minutes count by the attenuation between the two: 1.75 below 55 dB, 1 below 67 dB, 0.33 below 75 dB, "
                    + "0 from there. It is derived from the distance, and not measured."))
        #expect(
            PolicyWords.weights(policy) == [
                "A confirmed report counts in full.", "Nothing follows from a self-reported test.",
                "Minutes count by the day, from the onset of symptoms or otherwise the test as day 0: 0.3 on days -4 "
                    + "to -3, 1 on days -2 to 3, 0.3 on days 4 to 5, and 0 on all others.",
                "If neither day is known, they count 1.",
            ])
    }

    @Test("A level says from what it applies") func steps() throws {
        let further = try policy("further").risk
        #expect(PolicyWords.measure(further) == "The level follows from the number of exposures of the last 14 days.")
        #expect(further.steps.map { PolicyWords.from($0, further) } == ["0 exposures", "1 exposure", "3 exposures"])
        let daily = try policy("en-v2").risk
        #expect(daily.steps.map { PolicyWords.from($0, daily) } == ["0 minutes", "5 minutes", "15 minutes"])
    }
}

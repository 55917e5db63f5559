import Matching
import TestValues
import Testing

@Suite("Any stays of any people") struct AssessmentPropertyTests {
    private static func stays(_ random: inout SeededGenerator) -> [Stay] {
        (0..<Int.random(in: 2...14, using: &random)).map { _ in
            let start = Int64.random(in: 0...40, using: &random)
            let length = Int64.random(in: 0...25, using: &random)
            let metres = ([0.3, 1, 2, 2.9, 3.2, 5] as [Double]).randomElement(using: &random) ?? 1
            return stay(
                Int64.random(in: 1...4, using: &random), start...start + length,
                place: Int64.random(in: 1...2, using: &random), Bool.random(using: &random) ? near(metres) : near(1))
        }
    }

    /// A minute counts once when, at some place, both are within 3 m.
    private static func sharedMinutes(_ stays: [Stay], with other: Int64) -> Int {
        (0..<80).count { minute in
            func present(_ subject: Int64) -> Set<Int64> {
                Set(
                    stays.filter {
                        $0.subject == subject && $0.start <= at(Int64(minute)) && $0.end >= at(Int64(minute) + 1)
                            && ($0.distance?.centimetres ?? 999) <= 300
                    }.map(\.place))
            }
            return !present(1).isDisjoint(with: present(other))
        }
    }

    @Test func `The time that two share is that of counting minute by minute`() {
        var random = SeededGenerator("stays")
        let policy = Policy.named("six-metre-five-minute")
        for _ in 0..<500 {
            let stays = Self.stays(&random)
            let exposures = policy.exposures(stays)
            for other in Int64(2)...4 {
                let minutes = exposures.filter { $0.subject == other }.reduce(0) { $0 + $1.minutes }
                #expect(Int(minutes) == Self.sharedMinutes(stays, with: other), random.comment)
            }
        }
    }

    @Test(arguments: Policy.shippedNames)
    func `The order of the encounters doesn't matter`(name: String) {
        var random = SeededGenerator("stays")
        let policy = Policy.named(name)
        let assessment = Assessment(policy: policy, positive: PositiveCase(reportType: .confirmed), own: [1])
        for _ in 0..<50 {
            let encounters = policy.encounters(Self.stays(&random), separation: [[1, 2]: 150])
            #expect(
                assessment.exposures(encounters) == assessment.exposures(encounters.shuffled(using: &random)),
                random.comment)
        }
    }

    @Test(arguments: Policy.shippedNames)
    func `Probabilities, ranges and minutes are what they can be`(name: String) {
        var random = SeededGenerator("stays")
        let policy = Policy.named(name)
        for _ in 0..<50 {
            for exposure in policy.exposures(Self.stays(&random), separation: [[1, 2]: 150]) {
                #expect((0...1).contains(exposure.probability), random.comment)
                #expect((exposure.range?.lowerBound ?? -1) >= 0)
                #expect(exposure.start <= exposure.end)
                #expect(exposure.sharedSeconds <= exposure.end - exposure.start)
                let windows = exposure.explanation.windows
                #expect(zip(windows, windows.dropFirst()).allSatisfy { $0.end <= $1.start })
                #expect(abs(windows.reduce(0) { $0 + $1.minutes } - exposure.minutes) < 1e-9)
            }
        }
    }
}

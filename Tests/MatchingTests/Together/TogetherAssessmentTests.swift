import Glibc
import Matching
import OperatorText
import Testing

@Suite struct TogetherAssessmentTests {
    private let policy = Policy.named("six-metre-five-minute")
    private let positive = PositiveCase(reportType: .confirmed)
    /// 2026-11-02T09:00:00Z.
    private let morning: Int64 = 1_793_610_000

    private func minutes(_ numbers: some Sequence<Int>, _ similarity: Double = 0.9) -> PairMinutes {
        PairMinutes(
            numbers.map { .init(start: morning + 60 * Int64($0), level: SimilarityLevel(similarity)) })
    }

    private func exposures(_ company: [Int64: PairMinutes], _ policy: Policy? = nil) -> [Exposure] {
        TogetherAssessment(policy: policy ?? self.policy, positive: positive)?.exposures(company) { _ in 7 } ?? []
    }

    @Test func `Five near minutes of a day are an exposure, and four aren't`() throws {
        let found = exposures([2: minutes([0, 3, 50, 51, 100]), 3: minutes([0, 1, 2, 3])])
        #expect(found.map(\.subject) == [2])
        let exposure = try #require(found.first)
        #expect(exposure.way == .together && exposure.range == nil)
        #expect((exposure.minutes, exposure.sharedSeconds, exposure.place) == (5, 300, 7))
        #expect((exposure.start, exposure.end) == (morning, morning + 101 * 60))
    }

    @Test func `Minutes that are less alike than near don't count`() {
        #expect(exposures([2: minutes(0..<60, 0.85)]).isEmpty)
        #expect(exposures([2: minutes(0..<5, 0.86)]).count == 1)
    }

    @Test func `Minutes on two days are two things, in the site's time zone`() {
        let midnight = (24 - 9) * 60
        let numbers = (midnight - 4)..<(midnight + 4)
        #expect(exposures([2: minutes(numbers)]).isEmpty)
        var policy = policy
        policy.days = CalendarDays(name: "Etc/GMT-1", offset: 3600)
        #expect(exposures([2: minutes(numbers)], policy).count == 1)
    }

    @Test func `A gap of a minute doesn't cut a window`() throws {
        let exposure = try #require(exposures([2: minutes([0, 1, 3, 4, 10, 11])]).first)
        #expect(exposure.explanation.windows.map { ($0.end - $0.start) / 60 } == [5, 2])
        #expect(exposure.explanation.windows.compactMap(\.together?.near) == [4, 2])
    }

    @Test func `Close minutes are told apart`() throws {
        let all = PairMinutes(minutes(0..<6, 0.87).minutes(from: .none) + minutes(6..<10, 0.93).minutes(from: .none))
        let window = try #require(exposures([2: all]).first?.explanation.windows.first?.together)
        #expect((window.near, window.close) == (10, 4))
        #expect(abs(window.similarity - (6 * 0.86 + 4 * 0.92) / 10) < 1e-9)
    }

    @Test func `By en-v2 a near minute counts a third of a close one`() throws {
        let policy = Policy.named("en-v2")
        let near = try #require(exposures([2: minutes(0..<60, 0.87)], policy).first)
        let close = try #require(exposures([2: minutes(0..<60, 0.95)], policy).first)
        #expect(abs(near.minutes - 60 * 0.33) < 1e-9 && abs(close.minutes - 60) < 1e-9)
    }

    @Test func `Nothing follows from what nobody vouches for`() {
        let assessment = TogetherAssessment(policy: policy, positive: PositiveCase(reportType: .selfReported))
        #expect(assessment?.exposures([2: minutes(0..<60)]) { _ in 7 } == [])
    }

    @Test func `The probability grows with the minutes`() throws {
        let few = try #require(exposures([2: minutes(0..<5)]).first)
        let many = try #require(exposures([2: minutes(0..<120)]).first)
        #expect(few.probability < many.probability && (0...1).contains(few.probability) && many.probability <= 1)
    }

    @Test("From the bend on a longer run says less, as the policy says")
    func bentRun() {
        func logit(_ minutes: Int, _ probability: TogetherRule.Probability) -> Double {
            let value = probability.value((0..<minutes).map { Int64(60 * $0) })
            return log(value / (1 - value))
        }
        let straight = TogetherRule.Probability(constant: -3, minutes: 0, run: 2)
        let bent = TogetherRule.Probability(constant: -3, minutes: 0, run: 2, bend: 4, beyond: 0.5)
        #expect(abs(logit(3, bent) - logit(3, straight)) < 1e-9)
        #expect(abs(logit(4, bent) - logit(4, straight)) < 1e-9)
        #expect(abs(logit(29, straight) - (-3 + 2 * log(30.0))) < 1e-9)
        #expect(abs(logit(29, bent) - (-3 + 2 * log(5.0) + 0.5 * log(6.0))) < 1e-9)
    }

    @Test func `Midnight divides nothing in a policy of 24 hours`() throws {
        let midnight = (24 - 9) * 60
        let found = exposures([2: minutes((midnight - 20)..<(midnight + 20), 0.95)], Policy.named("two-metre-thirty"))
        #expect(found.count == 1 && found.first?.minutes == 40)
    }
}

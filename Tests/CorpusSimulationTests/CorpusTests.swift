import BeaconModel
import SystemIO
import TestValues
import Testing

@testable import ParserChecks

/// The short form of `Fuzz/run.sh`: without coverage, but at every run of the tests.
@Suite("Corpus")
struct CorpusTests {
    /// A parser, and with how many variations of its corpus it is tried every day; in full with a hundred times as many.
    struct Trial: Sendable, CustomTestStringConvertible {
        var check: any ParserCheck.Type
        var variations: Int
        /// Bytes of an input.
        var longest: Int

        var testDescription: String { check.name }
    }

    static let trials = [
        Trial(check: AdvertisingDataCheck.self, variations: 10000, longest: 255),
        Trial(check: HCIEventCheck.self, variations: 6000, longest: 300),
        Trial(check: FragmentCheck.self, variations: 1000, longest: 1024),
        Trial(check: MonitorMessageCheck.self, variations: 4000, longest: 300),
        Trial(check: PseudonymCheck.self, variations: 60, longest: 300),
        Trial(check: ExchangeCheck.self, variations: 3000, longest: 300),
        Trial(check: BTSnoopCheck.self, variations: 400, longest: 1024),
        Trial(check: DayOrTimeCheck.self, variations: 4000, longest: 64),
        Trial(check: TOMLCheck.self, variations: 4000, longest: 1024),
        Trial(check: PlanFileCheck.self, variations: 2000, longest: 2048),
        Trial(check: CompanionPlanCheck.self, variations: 2000, longest: 2048),
        Trial(check: MultipartFormCheck.self, variations: 2000, longest: 2048),
        Trial(check: PeopleFileCheck.self, variations: 2000, longest: 2048),
        Trial(check: PictureCheck.self, variations: 2000, longest: 1024),
        Trial(check: PictureTextCheck.self, variations: 2000, longest: 1024),
        Trial(check: PictureReplyCheck.self, variations: 2000, longest: 1024),
    ]

    @Test("Every input of the corpus is parsed without a trap and keeps the parser's promises", arguments: trials)
    func replay(trial: Trial) async throws {
        let corpus = try Corpus(trial.check.name)
        #expect(corpus.inputs.count >= 5)
        let violations = try await DedicatedThread.run(name: "corpus") {
            corpus.inputs.compactMap(trial.check.violation)
        }
        #expect(violations == [])
    }

    @Test("So is every input that is like one of the corpus", arguments: trials)
    func vary(trial: Trial) async throws {
        let corpus = try Corpus(trial.check.name)
        let seeded = SeededGenerator("variations of \(trial.check.name)")
        let violation = try await DedicatedThread.run(name: "variations") {
            var generator = seeded
            for _ in 0..<TestScale.amount(trial.variations, full: trial.variations * 100) {
                let input = corpus.variation(longest: trial.longest, &generator)
                if let violation = trial.check.violation(for: input) { return "\(violation): \(input)" as String? }
            }
            return nil
        }
        #expect(violation == nil, seeded.comment)
    }
}

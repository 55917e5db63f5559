import Evidence
import InteractionStore
import Matching
import TestValues
import Testing

@testable import EvidenceTests

/// A gateway closes long interactions and continues them: what follows from them must not depend on where.
@Suite("Stays in parts, out of a store", .timeLimit(.minutes(10))) struct SeamPropertyTests {
    private static let rounds = 40
    private static let people = 4
    private let now = morning + 20 * 3600

    /// A person's time at one place, in seconds of the morning.
    private struct Visit {
        var person: Int
        var place: Int
        var span: ClosedRange<Int64>
        var centimetres: Int64?
    }

    /// Everybody is at one place at a time, for a moment or for hours, and some go on without a break.
    private static func visits(_ random: inout SeededGenerator) -> [Visit] {
        (1...people).flatMap { person in
            var time = Int64.random(in: 0...2000, using: &random)
            return (0..<Int.random(in: 1...4, using: &random)).map { _ in
                let length: ClosedRange<Int64> = Bool.random(using: &random) ? 0...600 : 0...9000
                let end = time + Int64.random(in: length, using: &random)
                let visit = Visit(
                    person: person, place: Int.random(in: 0...1, using: &random), span: time...end,
                    centimetres: Int.random(in: 0...9, using: &random) == 0
                        ? nil : Int64.random(in: 20...350, using: &random))
                time = end + Int64.random(in: 1...900, using: &random)
                return visit
            }
        }
    }

    /// The same visit in parts that meet.
    private static func parts(_ visit: Visit, _ random: inout SeededGenerator) -> [Visit] {
        let seams = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            Int64.random(in: visit.span, using: &random)
        }
        let moments = ([visit.span.lowerBound, visit.span.upperBound] + seams).sorted()
        if moments.first == moments.last { return [visit] }
        return zip(moments, moments.dropFirst()).filter { $0 < $1 }.map { start, end in
            var part = visit
            part.span = start...end
            return part
        }
    }

    private static func place(_ name: String) -> PlaceName {
        PlaceName(key: name, site: "s", building: "b", floor: "f", gateway: "s/b/f/\(name)")
    }

    private static func received(_ visit: Visit, _ group: String, _ sequence: inout UInt64) -> ReceivedRecord {
        sequence += 1
        let template = record(
            sequence, "\(group)-\(visit.person)", 0...0, at: place("\(group)-\(visit.place)"),
            centimetres: visit.centimetres, state: .continued)
        guard case .interaction(var interaction) = template else { return template }
        interaction.start = morning + visit.span.lowerBound
        interaction.end = morning + visit.span.upperBound
        return .interaction(interaction)
    }

    /// What follows, in words without the numbers that a store gives.
    private static func verdicts(
        of group: String, by policy: Policy, within span: ClosedRange<Int64>, in store: InteractionStore
    ) throws -> [String] {
        let identity = phone("\(group)-1")
        let number = try #require(try store.numbers(of: [identity])[identity])
        let encounters = try store.encounters(
            of: [
                .init(subject: number, since: morning + span.lowerBound, until: morning + span.upperBound)
            ], rule: policy.contact)
        let exposures = Assessment(
            policy: policy, positive: PositiveCase(reportType: .confirmed, onset: morning / 86_400), own: [number]
        ).exposures(encounters)
        let names = try store.subjects(Set(exposures.map(\.subject)))
        let places = try store.places(Set(exposures.map(\.place)))
        return exposures.map { exposure in
            let windows = exposure.explanation.windows.map { window in
                "\(window.start - morning)-\(window.end - morning) \(window.minutes) apart \(window.distances?.apart ?? -1)"
            }
            return [
                names[exposure.subject]?.id.dropFirst(group.count).description ?? "?",
                places[exposure.place]?.key.dropFirst(group.count).description ?? "?",
                "\(exposure.start - morning) \(exposure.end - morning) \(exposure.sharedSeconds) \(exposure.minutes)",
                "\(exposure.range.map(String.init(describing:)) ?? "-") \(exposure.probability) \(exposure.explanation.missing) \(windows)",
            ].joined(separator: " ")
        }.sorted()
    }

    @Test(arguments: Backend.installed)
    func `What follows from stays in parts is what follows from the stays`(backend: Backend) async throws {
        var random = SeededGenerator("stays in parts")
        try await backend.withStore { store in
            var sequence: UInt64 = 0
            var all: [[Visit]] = []
            var records: [ReceivedRecord] = []
            for round in 0..<Self.rounds {
                let visits = Self.visits(&random)
                all.append(visits)
                records += visits.map { Self.received($0, "w\(round)", &sequence) }
                records += visits.flatMap { Self.parts($0, &random) }
                    .map { Self.received($0, "p\(round)", &sequence) }
            }
            _ = try store.store(records.shuffled(using: &random), now: now)
            var found = 0
            for (round, visits) in all.enumerated() {
                let times = visits.flatMap { [$0.span.lowerBound, $0.span.upperBound] }
                for _ in 0..<4 {
                    // Now and then a bound is where somebody comes or leaves, or a second from it.
                    let bounds = (0..<2).map { _ in
                        (times.randomElement(using: &random) ?? 0)
                            + (Bool.random(using: &random)
                                ? Int64.random(in: -1...1, using: &random)
                                : Int64.random(in: -900...900, using: &random))
                    }.sorted()
                    for policy in Policy.shippedNames.compactMap(Policy.shipped) {
                        let whole = try Self.verdicts(
                            of: "w\(round)", by: policy, within: bounds[0]...bounds[1], in: store)
                        let parts = try Self.verdicts(
                            of: "p\(round)", by: policy, within: bounds[0]...bounds[1], in: store)
                        #expect(parts == whole, "round \(round), \(policy.name), \(bounds): \(random.comment)")
                        found += whole.count
                    }
                }
            }
            #expect(found > Self.rounds)
        }
    }
}

import Evidence
import InteractionStore
import Matching
import TestValues
import Testing

@testable import EvidenceTests

@Suite("The search for encounters") struct EncounterQueryTests {
    private let now = morning + 20 * 3600

    private static let rules: [ContactRule] = Policy.shippedNames.compactMap { Policy.shipped($0)?.contact }

    private func places(_ count: Int) -> [PlaceName] {
        (0..<count).map {
            PlaceName(key: "place-\($0)", site: "s", building: "b", floor: "f", gateway: "s/b/f/g\($0)")
        }
    }

    /// Some at no known distance, some for a moment, some for hours, some in the night.
    private func records(_ count: Int, _ random: inout SeededGenerator) -> [ReceivedRecord] {
        let places = places(4)
        return (1...count).map { index in
            let start = Int64.random(in: 0...600, using: &random)
            let length = Int64.random(in: 0...(Bool.random(using: &random) ? 10 : 300), using: &random)
            return record(
                UInt64(index), "p\(Int.random(in: 0...12, using: &random))", start...start + length,
                at: places[Int.random(in: 0..<4, using: &random)],
                centimetres: Int.random(in: 0...9, using: &random) == 0
                    ? nil : Int64.random(in: 20...900, using: &random))
        }
    }

    /// All stays beside all stays, without any database.
    private func bruteForce(
        _ records: [ReceivedRecord], of subject: SubjectIdentity, rule: ContactRule, apart: [Set<String>: Int64] = [:]
    ) -> Set<[Int64]> {
        let stays = records.compactMap { received -> (SubjectIdentity, String, Int64, Int64, Stay.Distance?)? in
            guard case .interaction(let record) = received else { return nil }
            return (record.subject, record.place.key, record.start, record.end, record.distance)
        }
        var found: Set<[Int64]> = []
        for own in stays where own.0 == subject {
            for other in stays where other.0 != subject {
                guard let apart = other.1 == own.1 ? 0 : apart[[own.1, other.1]] else { continue }
                guard other.2 <= own.3 + rule.window, other.3 >= own.2 - rule.window else { continue }
                guard let one = own.4, let two = other.4 else { continue }
                if let limit = rule.placeRadius, max(one.centimetres, two.centimetres) > limit { continue }
                switch rule.nearness {
                case .sumOfDistances: if one.centimetres + two.centimetres + apart > rule.radius { continue }
                case .probability:
                    let shortest = max(
                        one.lower - two.upper - apart, two.lower - one.upper - apart, apart - one.upper - two.upper)
                    if shortest > rule.radius { continue }
                }
                found.insert([own.2, own.3, one.centimetres, other.2, other.3, two.centimetres])
            }
        }
        return found
    }

    private func encounters(
        of subject: String, _ rule: ContactRule, in store: InteractionStore
    ) throws -> [Encounter] {
        let number = try #require(try store.numbers(of: [phone(subject)]).values.first)
        return try store.encounters(of: [.init(subject: number, since: morning, until: now)], rule: rule)
    }

    /// As `bruteForce` has them.
    private func admitted(_ encounters: [Encounter], by rule: ContactRule) -> Set<[Int64]> {
        Set(
            encounters.filter { rule.admits($0) == true }.map { encounter in
                [encounter.positive, encounter.other].flatMap { stay -> [Int64] in
                    [stay.start, stay.end, stay.distance?.centimetres ?? -1]
                }
            })
    }

    @Test(arguments: Backend.installed)
    func `It finds what comparing everyone with everyone finds, and the same in every database`(
        backend: Backend
    ) async throws {
        var random = SeededGenerator("encounters")
        let records = records(600, &random)
        try await backend.withStore { store in
            _ = try store.store(records, now: now)
            for rule in Self.rules {
                for subject in ["p1", "p2", "p3"] {
                    let found = try encounters(of: subject, rule, in: store)
                    #expect(
                        admitted(found, by: rule) == bruteForce(records, of: phone(subject), rule: rule), random.comment
                    )
                }
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `At places side by side it finds what comparing everyone with everyone finds`(
        backend: Backend
    ) async throws {
        var random = SeededGenerator("encounters at places side by side")
        let records = records(400, &random)
        let neighbours = [("place-0", "place-1", Int64(150)), ("place-2", "place-1", 700)]
        let apart = Dictionary(uniqueKeysWithValues: neighbours.map { (Set([$0.0, $0.1]), $0.2) })
        try await backend.withStore { store in
            try store.setNeighbours(neighbours.map { (one: $0.0, other: $0.1, centimetres: $0.2) })
            _ = try store.store(records, now: now)
            // Of one subject a strict rule may have nothing beside a place.
            var separations: Set<Int64> = []
            for rule in Self.rules {
                for subject in ["p1", "p2"] {
                    let found = try encounters(of: subject, rule, in: store)
                    let expected = bruteForce(records, of: phone(subject), rule: rule, apart: apart)
                    #expect(admitted(found, by: rule) == expected, random.comment)
                    separations.formUnion(found.map(\.separation))
                }
            }
            #expect(separations.contains(150) && !separations.contains(300), random.comment)
        }
    }

    @Test(arguments: Backend.installed)
    func `Only the time that is asked for counts`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store(
                [record(1, "ann", 0...20), record(2, "ann", 100...120), record(3, "ben", 0...200)], now: now)
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            func count(_ minutes: ClosedRange<Int64>) throws -> Int {
                try store.encounters(
                    of: [
                        .init(
                            subject: number, since: morning + minutes.lowerBound * 60,
                            until: morning + minutes.upperBound * 60)
                    ], rule: anywhere
                ).count
            }
            #expect(try count(0...200) == 2)
            #expect(try count(21...99) == 0)
            // A stay that only touches the time is none.
            #expect(try count(20...99) == 0)
            #expect(try count(19...99) == 1)
            #expect(try count(110...111) == 1)
        }
    }

    @Test(arguments: Backend.installed)
    func `A long stay is found however long ago it began`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store([record(1, "ann", 1200...1210), record(2, "ben", 0...1300)], now: now)
            #expect(try store.company(of: "ann") == ["ben 0-1300"])
        }
    }
}

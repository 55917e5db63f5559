import BeaconModel
import Evidence
import InteractionStore
import Matching
import Testing

@testable import EvidenceTests
@testable import RecordContract

@Suite("Encounters that a gateway or a phone invents") struct InventedEncounterTests {
    private let now = morning + 4 * 3600

    @Test(arguments: Backend.installed)
    func `More encounters than memory is for are refused`(backend: Backend) async throws {
        try await backend.withStore { store in
            let records = (1...10).map { record(UInt64($0), $0 % 2 == 0 ? "ann" : "ben", 0...20) }
            _ = try store.store(records, now: now)
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            let positive = [SubjectPeriod(subject: number, since: morning, until: now)]
            #expect(try store.encounters(of: positive, rule: anywhere, limit: 25).count == 25)
            let error = #expect(throws: StoreError.self) {
                try store.encounters(of: positive, rule: anywhere, limit: 24)
            }
            #expect(error?.what == "there are more than 24 encounters in this period")
        }
    }

    // With 2,001 records of a floor it made the search fail, and nobody was told of what others had heard.
    @Test(arguments: Backend.installed)
    func `A gateway that invents more encounters than anybody has is left out, which is said, and others aren't`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let now = morning + 3600
            _ = try store.store([record(1, "ann", 0...20), record(2, "ben", 5...25)], now: now)
            let thief = PlaceName(
                key: "campus/main/2/thief", site: "campus", building: "main", floor: "2", gateway: "campus/main/2/thief"
            )
            let invented = (0..<40).map { index -> ReceivedRecord in
                guard
                    case .interaction(var one) = record(
                        UInt64(index + 1), index % 4 == 0 ? "ann" : "nobody-\(index)", 0...20, at: thief)
                else { return record(1, "ann", 0...1) }
                (one.gateway, one.origin) = (thief.key, thief.key + "/1")
                return .interaction(one)
            }
            _ = try store.store(invented, now: now)
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            let positive = [SubjectPeriod(subject: number, since: morning, until: now)]
            #expect(try store.allEncounters(of: positive, rule: anywhere, limit: 401).leftOut.isEmpty)
            let found = try store.allEncounters(of: positive, rule: anywhere, limit: 100)
            #expect(found.leftOut == [EncounterSource(thief.key)])
            let ben = try #require(try store.numbers(of: [phone("ben")]).values.first)
            #expect(found.found.map(\.other.subject).contains(ben) && found.found.count <= 100)
            // What phones tell of other places counts.
            let cleo = PhoneStay(
                phone: phone("cleo"), beacon: room.key, start: morning, end: morning + 600, samples: 1, distance: nil)
            #expect(try store.store([cleo], now: now) == [.stored])
            let withPhones = try store.allEncounters(of: positive, rule: anywhere, limit: 100)
            let others = Set(withPhones.found.map(\.other.subject))
            #expect(others.isSuperset(of: try store.numbers(of: [phone("ben"), phone("cleo")]).values))
            #expect(withPhones.leftOut == [EncounterSource(thief.key)])
        }
    }

    // They were counted and left out by the positive's place: with a flood of one neighbour all were left out.
    @Test(arguments: Backend.installed)
    func `A gateway that floods a place beside the positive's hides nobody at another place beside it`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            func place(_ name: String) -> PlaceName {
                let path = "campus/main/2/" + name
                return PlaceName(key: path, site: "campus", building: "main", floor: "2", gateway: path)
            }
            func told(_ sequence: UInt64, _ subject: String, at place: PlaceName) -> ReceivedRecord {
                guard case .interaction(var one) = record(sequence, subject, 0...20, at: place) else {
                    return record(sequence, subject, 0...20, at: place)
                }
                (one.gateway, one.origin) = (place.key, place.key + "/1")
                return .interaction(one)
            }
            let (own, honest, thief) = (place("own"), place("honest"), place("thief"))
            let now = morning + 3600
            _ = try store.store([told(1, "ann", at: own)], now: now)
            _ = try store.store([told(1, "ben", at: honest)], now: now)
            _ = try store.store((1...40).map { told($0, "nobody-\($0)", at: thief) }, now: now)
            try store.setNeighbours([
                (one: own.key, other: honest.key, centimetres: 200), (one: own.key, other: thief.key, centimetres: 200),
            ])
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            let positive = [SubjectPeriod(subject: number, since: morning, until: now)]
            #expect(try store.allEncounters(of: positive, rule: anywhere, limit: 41).found.count == 41)
            let found = try store.allEncounters(of: positive, rule: anywhere, limit: 30)
            let ben = try #require(try store.numbers(of: [phone("ben")]).values.first)
            #expect(found.found.map(\.other.subject).contains(ben) && found.found.count <= 30)
            #expect(found.leftOut == [EncounterSource(positive: own.key, other: thief.key)])
        }
    }

    @Test(arguments: Backend.installed)
    func `Invented stays of phones don't hide what gateways tell of others`(backend: Backend) async throws {
        try await backend.withStore { store in
            let now = morning + 3600
            _ = try store.store([record(1, "ann", 0...20), record(2, "ben", 5...25)], now: now)
            let invented = (0..<30).map { index in
                PhoneStay(
                    phone: phone("invented-\(index)"), beacon: room.key, start: morning + Int64(index),
                    end: morning + 600, samples: 1, distance: nil)
            }
            #expect(try store.store(invented, now: now).allSatisfy { $0 == .stored })
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            let positive = [SubjectPeriod(subject: number, since: morning, until: now)]
            #expect(try store.encounters(of: positive, rule: anywhere, limit: 240).count == 31)
            let found = try store.allEncounters(of: positive, rule: anywhere, limit: 1)
            #expect(found.found.count == 1 && found.leftOut.allSatisfy { $0.other == EncounterSource.phones })
        }
    }

    // Nobody was found any more: whoever advertised for some hours had everything left out that an honest gateway told.
    @Test(arguments: Backend.installed)
    func `New identities without an end that a gateway tells of hide nobody whom it has known for longer`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let now = morning + 3600
            _ = try store.store([record(1, "ann", 0...20), record(2, "ben", 5...25)], now: now)
            let invented = (0..<200).map { record(UInt64(3 + $0), "advertised-\($0)", 5...6) }
            _ = try store.store(invented, now: now)
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            let ben = try #require(try store.numbers(of: [phone("ben")]).values.first)
            let positive = [SubjectPeriod(subject: number, since: morning, until: now)]
            let found = try store.allEncounters(of: positive, rule: anywhere, limit: 50)
            #expect(found.found.map(\.other.subject).contains(ben) && found.found.count <= 50)
            #expect(found.leftOut.count == 1 && !found.areAllLeftOut)
        }
    }

    // The lie was spread over all phones there, of which each said little.
    @Test(arguments: Backend.installed)
    func `What a gateway tells of the positive at its place hides no phone at another`(backend: Backend) async throws {
        try await backend.withStore { store in
            let now = morning + 3600
            let path = "campus/main/2/thief"
            let thief = PlaceName(
                key: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/9/9", site: "campus", building: "main", floor: "2",
                gateway: path, beacon: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/9/9")
            let lies = (1...4).map { index -> ReceivedRecord in
                guard
                    case .interaction(var one) = record(
                        UInt64(index), "ann", Int64(5 * index)...Int64(5 * index + 4), at: thief)
                else { return record(1, "ann", 0...1) }
                (one.gateway, one.origin) = (path, path + "/1")
                return .interaction(one)
            }
            _ = try store.store([record(1, "ann", 0...20)], now: now)
            _ = try store.store(lies, now: now)
            func stay(_ name: String, _ beacon: String) -> PhoneStay {
                PhoneStay(
                    phone: phone(name), beacon: beacon, start: morning, end: morning + 1800, samples: 1, distance: nil)
            }
            let stays = (1...20).map { stay("there-\($0)", thief.key) } + [stay("ben", room.key)]
            #expect(try store.store(stays, now: now).allSatisfy { $0 == .stored })
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            let ben = try #require(try store.numbers(of: [phone("ben")]).values.first)
            let positive = [SubjectPeriod(subject: number, since: morning, until: now)]
            let found = try store.allEncounters(of: positive, rule: anywhere, limit: 80)
            #expect(found.found.map(\.other.subject).contains(ben))
            #expect(!found.leftOut.isEmpty && found.leftOut.allSatisfy { $0.positive == path })
        }
    }

    // Phones were one: what sixty of them invented left all of them out.
    @Test(arguments: Backend.installed)
    func `A phone that invents much hides nothing that another phone says`(backend: Backend) async throws {
        try await backend.withStore { store in
            let now = morning + 3600
            func stay(_ name: String, _ seconds: ClosedRange<Int64>) -> PhoneStay {
                PhoneStay(
                    phone: phone(name), beacon: room.key, start: morning + seconds.lowerBound,
                    end: morning + seconds.upperBound, samples: 1, distance: nil)
            }
            _ = try store.store([record(1, "ann", 0...20)], now: now)
            let liar = (0..<40).map { stay("liar", 30 * $0...30 * $0 + 20) }
            let stays = liar + ["ben", "cleo"].map { stay($0, 0...1200) }
            #expect(try store.store(stays, now: now).allSatisfy { $0 == .stored })
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            let positive = [SubjectPeriod(subject: number, since: morning, until: now)]
            let found = try store.allEncounters(of: positive, rule: anywhere, limit: 40)
            let honest = try store.numbers(of: [phone("ben"), phone("cleo")]).values
            #expect(Set(found.found.map(\.other.subject)) == Set(honest), "\(found.leftOut)")
            #expect(found.leftOut.count == 1)
        }
    }
}

import Evidence
import InteractionStore
import Matching
import Testing

@testable import EvidenceTests

@Suite("Stays at places") struct StaysTests {
    private let now = morning + 20 * 3600
    private let other = PlaceName(
        key: "campus/main/1/west", site: "campus", building: "main", floor: "1", gateway: "campus/main/1/west",
        room: "102")

    /// Name, first and last minute, in the order in which they are given.
    private func described(_ stays: [Stay], _ store: InteractionStore) throws -> [String] {
        let names = try store.subjects(Set(stays.map(\.subject)))
        return stays.map {
            "\(names[$0.subject]?.id ?? "?") \(($0.start - morning) / 60)-\(($0.end - morning) / 60)"
        }
    }

    @Test(arguments: Backend.installed)
    func `Whoever was at a place in a time is found, however long ago they came`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store(
                [
                    record(1, "ann", 0...300), record(2, "ben", 10...20), record(3, "cid", 200...210),
                    record(4, "dan", 100...200, at: other),
                ], now: now)
            let places = try store.placeNumbers(named: [room.key])
            func found(_ minutes: ClosedRange<Int64>) throws -> [String] {
                try described(
                    store.stays(
                        at: places, from: morning + minutes.lowerBound * 60, to: morning + minutes.upperBound * 60),
                    store)
            }
            #expect(try found(100...200) == ["ann 0-300", "cid 200-210"])
            #expect(try found(20...30) == ["ann 0-300", "ben 10-20"])
            #expect(try found(301...400) == [])
        }
    }

    @Test(arguments: Backend.installed)
    func `Only the subjects that are asked for are given`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store([record(1, "ann", 0...10), record(2, "ben", 5...20)], now: now)
            let places = try store.placeNumbers(named: [room.key])
            let numbers = try store.numbers(of: [phone("ben")])
            let stays = try store.stays(at: places, from: morning, to: now, of: Set(numbers.values))
            #expect(try described(stays, store) == ["ben 5-20"])
            #expect(stays.first?.distance == .init(centimetres: 100, lower: 50, upper: 200))
            #expect(try store.stays(at: places, from: morning, to: now, of: []).isEmpty)
            #expect(try store.stays(at: [], from: morning, to: now).isEmpty)
            #expect(try store.stays(at: places, from: .min, to: .max).count == 2)
        }
    }

    @Test(arguments: Backend.installed)
    func `A place is known by its beacon, its receiver and its room`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store([record(1, "ann", 0...10), record(2, "ben", 5...20, at: other)], now: now)
            let one = try store.placeNumbers(named: [room.key])
            #expect(one.count == 1)
            #expect(try store.placeNumbers(named: ["campus/main/1/east"]) == one)
            #expect(try store.placeNumbers(named: [], room: "101") == one)
            let both = try store.placeNumbers(named: ["campus/main/1/east", "campus/main/1/west"], room: "102")
            #expect(both.count == 2)
            #expect(try store.placeNumbers(named: ["campus/main/1/north"], room: "103").isEmpty)
        }
    }
}

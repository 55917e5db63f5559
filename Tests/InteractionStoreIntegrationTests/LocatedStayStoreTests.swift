import Evidence
import FloorPlans
import Localisation
import Matching
import TestValues
import Testing

@testable import InteractionStore

@Suite("Located stays in a store", .timeLimit(.minutes(10))) struct LocatedStayStoreTests: ReadingsSuite {
    private static func stay(_ times: Range<Int64>, room: String = "lab") -> SettledStay {
        SettledStay(
            start: times.lowerBound, end: times.upperBound, floor: "campus/main/1", room: room, probability: 0.75,
            position: PlanPoint(x: 1.5, y: -2), radius: 3.25, isSurveyed: true, rooms: SettledSquares())
    }

    private static let building = "campus/main"

    /// The number of a subject of the simulation, whose readings are stored and settled.
    private func subject(_ store: InteractionStore) throws -> Int64 {
        var random = SeededGenerator("located stays")
        _ = try stored(simulation.records(&random), in: store)
        try settle(store)
        let badge = try #require(SyntheticReadings.badge(0))
        return try #require(try store.numbers(of: [badge])[badge])
    }

    private static func task(_ start: Int64, revision: Int64 = 0) -> InteractionStore.LocatingTask {
        .init(block: ReadingBlock(containing: start), revision: revision)
    }

    @Test(arguments: Backend.installed)
    func `A stay comes back as it was stored, and later ones of its time replace it`(backend: Backend) async throws {
        try await backend.withStore { store in
            let subject = try subject(store)
            let badge = try #require(SyntheticReadings.badge(0))
            let (first, second) = (Self.stay(900..<1800), Self.stay(1800..<2700, room: "office"))
            try store.setLocatedStays(
                [subject: (900, [first, second])], powers: [subject: TransmitPower(mean: -3.5, variance: 4)],
                of: [subject: badge], in: Self.building, Self.task(1800))
            #expect(try store.locatedStays(of: subject, from: 0, to: 9999) == [first, second])
            #expect(try store.locatedStays(of: subject, from: 1800, to: 9999) == [second])
            // Among more subjects than a statement takes.
            for subjects in [[subject], Set(subject - 70...subject), Set(subject...subject + 70)] as [Set<Int64>] {
                #expect(
                    try store.locatedStays(ofSubjects: subjects, from: 0, to: 9999) == [subject: [first, second]])
                #expect(try store.locatedStays(ofSubjects: subjects, from: 1800, to: 9999) == [subject: [second]])
            }
            #expect(try store.locatedStays(ofSubjects: [], from: 0, to: 9999).isEmpty)
            #expect(try store.locatedStays(on: "campus/main/1", from: 0, to: 900).isEmpty)
            let next = ReadingBlock(containing: 2700)
            #expect(try store.openStays(in: Self.building, endingAfter: 2600, before: next)[subject] == [second])
            #expect(try store.openStays(in: "campus/other", endingAfter: 2600, before: next).isEmpty)
            #expect(try store.powers(of: [subject])[subject] == TransmitPower(mean: -3.5, variance: 4))
            let longer = Self.stay(1800..<3600)
            try store.setLocatedStays(
                [subject: (1800, [longer])], powers: [:], of: [subject: badge], in: Self.building, Self.task(2700))
            #expect(try store.locatedStays(of: subject, from: 0, to: 9999) == [first, longer])
        }
    }

    @Test(arguments: Backend.installed)
    func `A number that stands for another subject by now gets nothing`(backend: Backend) async throws {
        try await backend.withStore { store in
            let subject = try subject(store)
            let other = try #require(SyntheticReadings.badge(1))
            for names in [[:], [subject: other]] {
                try store.setLocatedStays(
                    [subject: (900, [Self.stay(900..<1800)])], powers: [subject: TransmitPower(mean: 1, variance: 4)],
                    of: names, in: Self.building, Self.task(900))
            }
            #expect(try store.locatedStays(of: subject, from: 0, to: 9999).isEmpty)
            #expect(try store.powers(of: [subject]).isEmpty)
        }
    }

    @Test(arguments: Backend.installed)
    func `A block that is located anew cuts what reaches into it and out of it, and the next one follows`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let subject = try subject(store)
            let badge = try #require(SyntheticReadings.badge(0))
            func set(_ from: Int64, _ stays: [SettledStay], _ task: InteractionStore.LocatingTask) throws {
                try store.setLocatedStays(
                    [subject: (from, stays)], powers: [:], of: [subject: badge], in: Self.building, task)
            }
            try set(900, [Self.stay(900..<4500)], Self.task(3600))
            // Its readings of the third quarter say that the badge was in another building.
            try set(1800, [], Self.task(1800, revision: 1))
            #expect(try store.locatedStays(of: subject, from: 0, to: 9999) == [Self.stay(900..<1800)])
            let late = try store.nextBlock(toLocateIn: Self.building, from: 0, before: now, prefersLate: true)
            #expect(late == Self.task(2700, revision: 1))
        }
    }

    @Test(arguments: Backend.installed)
    func `Blocks are located in order, and again when readings come late`(backend: Backend) async throws {
        try await backend.withStore { store in
            var random = SeededGenerator("late for stays")
            var records = simulation.records(&random)
            let late = try #require(records.firstIndex { !$0.subjects.isEmpty })
            let record = records.remove(at: late)
            _ = try stored(records, in: store)
            let building = record.receiver.split(separator: "/").prefix(2).joined(separator: "/")
            // Nothing is settled yet.
            #expect(try store.nextBlock(toLocateIn: building, from: 0, before: now) == nil)
            try settle(store)
            let first = try #require(try store.nextBlock(toLocateIn: building, from: 0, before: now))
            #expect(first.block == ReadingBlock(containing: SyntheticReadings.morning))
            #expect(try store.nextBlock(toLocateIn: building, from: 0, before: first.block.end - 1) == nil)
            #expect(!(try store.heard(in: first.block, building: building).vectors.isEmpty))
            func locateAll() throws {
                while let task = try store.nextBlock(toLocateIn: building, from: 0, before: now) {
                    try store.setLocatedStays([:], powers: [:], of: [:], in: building, task)
                }
            }
            try locateAll()
            _ = try stored([record], in: store)
            try settle(store)
            let task = try #require(try store.nextBlock(toLocateIn: building, from: 0, before: now))
            #expect(task == Self.task(record.start, revision: 1), random.comment)
            // Readings that were settled while the block was read are not forgotten.
            try store.setLocatedStays([:], powers: [:], of: [:], in: building, Self.task(record.start))
            #expect(try store.nextBlock(toLocateIn: building, from: 0, before: now) == task)
            try locateAll()
            #expect(try store.nextBlock(toLocateIn: building, from: 0, before: now) == nil)
        }
    }

    @Test(arguments: Backend.installed)
    func `Stays have a retention of their own, and go with their subject`(backend: Backend) async throws {
        try await backend.withStore { store in
            let subject = try subject(store)
            let start = SyntheticReadings.morning
            let badge = try #require(SyntheticReadings.badge(0))
            try store.setLocatedStays(
                [subject: (start, [Self.stay(start..<start + 900)])],
                powers: [subject: TransmitPower(mean: 1, variance: 4)], of: [subject: badge], in: Self.building,
                Self.task(start))
            let later = start + 3 * Self.day
            #expect(try store.enforceRetention(days: 14, stayDays: 7, now: later).stays == 0)
            #expect(try store.enforceRetention(days: 14, stayDays: 2, now: later).stays == 1)
            #expect(try store.locatedStays(of: subject, from: 0, to: .max).isEmpty)
            try store.setLocatedStays(
                [subject: (start, [Self.stay(start..<start + 900)])], powers: [:], of: [subject: badge],
                in: Self.building,
                Self.task(start))
            #expect(try store.holdings(of: badge).stays == 1)
            let erasure = try store.erase(badge, now: later)
            #expect(erasure.stays == 1 && erasure.isComplete, "\(erasure)")
            #expect(erasure.remaining["located_stay"] == 0 && erasure.remaining["subject_power"] == 0)
        }
    }

    @Test(arguments: Backend.installed)
    func `A survey is kept by spot, and what a moved receiver heard before does not count`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let spot = SurveySpot(
                badge: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/99", floor: "campus/main/1",
                position: PlanPoint(x: 3.2, y: 4.05), startedAt: 1000, length: 30,
                signals: [
                    .init(receiver: "campus/main/1/a", rssi: -61.25, seconds: 30),
                    .init(receiver: "campus/main/1/b", rssi: -80, seconds: 12),
                ])
            let numbers = [try store.add(spot), try store.add(spot)]
            #expect(numbers == [1, 2])
            #expect(try store.surveySpots().map(\.spot) == [spot, spot])
            #expect(try store.usableSurvey(withModules: true) == [spot, spot])
            #expect(try store.removeSurveySpots([2, 77]) == [2])
            #expect(try store.surveySpots().map(\.number) == [1])
        }
    }

    @Test(arguments: Backend.installed)
    func `A part of the spots has the numbers of their receivers, and floors with spots are known`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            func spot(_ badge: String, _ floor: String, receivers: Int) -> SurveySpot {
                SurveySpot(
                    badge: badge, floor: floor, position: PlanPoint(x: 3.2, y: 4.05), startedAt: 1000, length: 30,
                    signals: (0..<receivers).map { .init(receiver: "\(floor)/\($0)", rssi: -60, seconds: 30) })
            }
            #expect(try store.surveySpotCount() == 0)
            #expect(try store.surveySpots(from: 0, limit: 2).isEmpty)
            let badge = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/99"
            _ = try store.add(spot(badge, "campus/main/2", receivers: 1))
            _ = try store.add(spot(badge, "campus/main/1", receivers: 0))
            _ = try store.add(spot("module:campus/main/3/a", "campus/main/3", receivers: 3))
            #expect(try store.surveySpotCount() == 3)
            #expect(try store.surveySpots(from: 0, limit: 2).map(\.number) == [1, 2])
            let last = try store.surveySpots(from: 1, limit: 2)
            #expect(last.map(\.number) == [2, 3] && last.map(\.receivers) == [0, 3])
            #expect(last.last?.spot == spot("module:campus/main/3/a", "campus/main/3", receivers: 0))
            #expect(
                try store.surveyedFloors(withModules: true) == ["campus/main/1", "campus/main/2", "campus/main/3"])
            #expect(try store.surveyedFloors(withModules: false) == ["campus/main/1", "campus/main/2"])
        }
    }

    @Test(arguments: Backend.installed)
    func `The spots of a building's modules are replaced, and those of others and of badges stay`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            func spot(_ badge: String, _ building: String, rssi: Double) -> SurveySpot {
                SurveySpot(
                    badge: badge, floor: "campus/\(building)/1", position: PlanPoint(x: 1, y: 2), startedAt: 1000,
                    length: 0, signals: [.init(receiver: "campus/\(building)/1/b", rssi: rssi, seconds: 30)])
            }
            let module = "module:campus/main/1/a"
            let walked = spot("e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/99", "main", rssi: -60)
            let other = spot("module:campus/mainz/1/a", "mainz", rssi: -70)
            _ = try store.add(walked)
            try store.setModuleSpots([other], in: "campus/mainz")
            try store.setModuleSpots([spot(module, "main", rssi: -80)], in: "campus/main")
            let newest = spot(module, "main", rssi: -75)
            try store.setModuleSpots([newest], in: "campus/main")
            #expect(try store.usableSurvey(withModules: true) == [walked, other, newest])
            #expect(try store.usableSurvey(withModules: false) == [walked])
            let level = InteractionStore.ModuleLevel(
                module: "campus/main/1/a", receiver: "campus/main/1/b", rssi: -75, at: 1000)
            #expect(try store.moduleLevels(around: "campus/main/1/a", limit: 10) == [level])
            #expect(try store.moduleLevels(around: "campus/main/1/b", limit: 10) == [level])
            #expect(try store.moduleLevels(around: "campus/main/1/c", limit: 10).isEmpty)
            #expect(try store.moduleLevels(around: "campus/main/1/b", limit: 0).isEmpty)
            #expect(try store.moduleLevels(on: "campus/main/1", limit: 10) == [level])
            #expect(try store.moduleLevels(on: "campus/main/10", limit: 10).isEmpty)
            #expect(try store.moduleLevels(on: "campus/mainz/1", limit: 10).map(\.rssi) == [-70])
            try store.setModuleSpots([], in: "campus/main")
            #expect(try store.surveySpots().map(\.spot) == [walked, other])
        }
    }
}

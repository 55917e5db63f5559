import BeaconModel
import Evidence
import FloorPlans
import Localisation
import Matching
import TestSupport
import Testing

@testable import EvidenceTests
@testable import InteractionStore

@Suite("Positions of receivers", .timeLimit(.minutes(10))) struct ReceiverPositionTests {
    private let now = morning + 20 * 3600

    /// An interaction of a receiver at a position.
    private func interaction(
        _ sequence: UInt64, _ minutes: ClosedRange<Int64>, x: Double?, room: String? = nil, gateway: String = "east"
    ) -> ReceivedRecord {
        guard case .interaction(var record) = record(sequence, "ann", minutes, at: Self.place(room, gateway)) else {
            return record(sequence, "ann", minutes)
        }
        record.gateway = record.place.gateway
        record.origin = record.gateway + "/1"
        record.coordinates = x.flatMap { ReceiverCoordinates(x: $0, y: 2, z: 2.5) }
        return .interaction(record)
    }

    private static func place(_ room: String?, _ gateway: String) -> PlaceName {
        let path = "campus/main/1/\(gateway)"
        return PlaceName(key: path, site: "campus", building: "main", floor: "1", gateway: path, room: room)
    }

    @Test(arguments: Backend.installed)
    func `The latest position, since when it holds, and the one before are kept`(backend: Backend) async throws {
        try await backend.with { location in
            let store = try InteractionStore.open(location)
            #expect(try store.receiverPositions() == [])
            _ = try store.store(
                [interaction(1, 0...10, x: 1, room: "a"), interaction(2, 11...20, x: 1, room: "a")], now: now)
            let first = InteractionStore.ReceiverPosition(
                path: "campus/main/1/east", position: Place.Position(x: 1, y: 2, z: 2.5), room: "a", since: morning,
                former: nil)
            #expect(try store.receiverPositions() == [first])
            _ = try store.store([interaction(4, 40...50, x: 7.25, room: "a")], now: now)
            // It waited out an outage.
            _ = try store.store([interaction(3, 30...35, x: 1, room: "a")], now: now)
            let second = InteractionStore.ReceiverPosition(
                path: "campus/main/1/east", position: Place.Position(x: 7.25, y: 2, z: 2.5), room: "a",
                since: morning + 40 * 60, former: Place.Position(x: 1, y: 2, z: 2.5))
            #expect(try store.receiverPositions() == [second])
            #expect(try InteractionStore.open(location).receiverPositions() == [second])
        }
    }

    @Test(arguments: Backend.installed)
    func `A module that was moved, and what a moved receiver heard, are no survey any more`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            _ = try store.store([interaction(1, 0...10, x: 1)], now: now)
            func spot(_ badge: String, receiver: String) -> SurveySpot {
                SurveySpot(
                    badge: badge, floor: "campus/main/1", position: PlanPoint(x: 1, y: 2), startedAt: morning + 1200,
                    length: 30, signals: [.init(receiver: receiver, rssi: -60, seconds: 30)])
            }
            let module = spot(SurveySpot.modulePrefix + "campus/main/1/east", receiver: "campus/main/1/west")
            var walked = spot("e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/99", receiver: "campus/main/1/east")
            try store.setModuleSpots([module], in: "campus/main")
            _ = try store.add(walked)
            #expect(try store.usableSurvey(withModules: true) == [module, walked])
            _ = try store.store([interaction(2, 40...50, x: 7.25)], now: now)
            walked.signals = []
            #expect(try store.usableSurvey(withModules: true) == [walked])
        }
    }

    @Test(arguments: Backend.installed)
    func `A receiver without a position has none, and a revoked one is not believed`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store([interaction(1, 0...10, x: nil)], now: now)
            #expect(try store.receiverPositions().map(\.position) == [nil])
            try store.revoke("campus/main/1/east", reason: "stolen", now: now)
            #expect(try store.receiverPositions() == [])
        }
    }

    @Test(arguments: Backend.installed)
    func `Where a revoked gateway hung is told to whoever asks for it, also after a long time`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            _ = try store.store([interaction(1, 0...10, x: 1, room: "a")], now: now)
            let hung = try store.receiverPositions()
            #expect(hung.map(\.room) == ["a"] && hung.map(\.position) == [Place.Position(x: 1, y: 2, z: 2.5)])
            try store.revoke("campus/main/1/east", reason: "stolen", now: now)
            #expect(try store.receiverPositions(withRevoked: true) == hung)
            let minutes: Int64 = 40 * 1440
            _ = try store.store(
                [interaction(1, minutes...minutes + 10, x: 7.25, gateway: "west")], now: now + 40 * 86_400)
            #expect(try store.receiverPositions().map(\.path) == ["campus/main/1/west"])
            #expect(
                try store.receiverPositions(withRevoked: true).map(\.path)
                    == ["campus/main/1/east", "campus/main/1/west"])
        }
    }

    @Test(arguments: Backend.installed)
    func `Positions are forgotten with the names of their receivers`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store([interaction(1, 0...10, x: 1)], now: now)
            _ = try store.enforceRetention(days: 14, now: now + 10 * 86_400)
            #expect(try store.receiverPositions().count == 1)
            _ = try store.enforceRetention(days: 14, now: now + 40 * 86_400)
            #expect(try store.receiverPositions() == [])
        }
    }

    @Test(arguments: Backend.installed)
    func `A receiver that was away for longer than the retention, and hangs elsewhere then, has moved`(
        backend: Backend
    ) async throws {
        try await backend.with { location in
            let days: Int64 = 40
            let later = now + days * 86_400
            let walked = SurveySpot(
                badge: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/99", floor: "campus/main/1",
                position: PlanPoint(x: 1, y: 2), startedAt: morning + 1200, length: 30,
                signals: [.init(receiver: "campus/main/1/east", rssi: -60, seconds: 30)])
            let store = try InteractionStore.open(location)
            _ = try store.store([interaction(1, 0...10, x: 1)], now: now)
            _ = try store.add(walked)
            _ = try store.enforceRetention(days: 14, now: later)
            #expect(try store.usableSurvey(withModules: true) == [walked])
            let minutes = days * 1440
            let restarted = try InteractionStore.open(location)
            _ = try restarted.store([interaction(2, minutes...minutes + 10, x: 7.25)], now: later)
            #expect(try restarted.receiverPositions().map(\.former) == [Place.Position(x: 1, y: 2, z: 2.5)])
            #expect(try restarted.usableSurvey(withModules: true).map(\.signals) == [[]])
        }
    }

    @Test(arguments: Backend.installed)
    func `A position is forgotten when no survey names its receiver any more`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store([interaction(1, 0...10, x: 1)], now: now)
            let spot = try #require(
                try store.add(
                    SurveySpot(
                        badge: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/99", floor: "campus/main/1",
                        position: PlanPoint(x: 1, y: 2), startedAt: morning, length: 30,
                        signals: [.init(receiver: "campus/main/1/east", rssi: -60, seconds: 30)])))
            _ = try store.enforceRetention(days: 14, now: now + 40 * 86_400)
            #expect(try store.receiverPositions().count == 1)
            _ = try store.removeSurveySpots([spot])
            _ = try store.enforceRetention(days: 14, now: now + 40 * 86_400)
            #expect(try store.receiverPositions() == [])
        }
    }

    @Test(arguments: Backend.installed)
    func `A transaction that fails leaves no position behind`(backend: Backend) async throws {
        try await backend.withStore { store in
            struct Failure: Error {}
            try? store.storing { session in
                guard case .interaction(let record) = interaction(1, 0...10, x: 1) else { return }
                try store.store(positionsOf: [record], [], now: now, today: now / 86_400, session)
                throw Failure()
            }
            #expect(try store.receiverPositions() == [])
            _ = try store.store([interaction(1, 0...10, x: 1)], now: now)
            #expect(try store.receiverPositions().count == 1)
        }
    }
}

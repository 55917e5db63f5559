import Evidence
import InteractionStore
import Matching
import RecordContract
import Testing

@testable import BeaconModel
@testable import EvidenceTests

@Suite("Revoked gateways", .timeLimit(.minutes(10))) struct RevokedGatewayTests {
    private let now = morning + 4 * 3600

    @Test(arguments: Backend.installed)
    func `What a revoked gateway has taken is free for the one that has it`(backend: Backend) async throws {
        try await backend.withStore { store in
            let beacon = try #require(room.beacon)
            let (thief, owner) = ("campus/main/2/thief", "campus/main/3/east")
            _ = try store.store([heard(1, phone("ann"), by: thief, beacon: beacon, 0...10)], now: now)
            let refused = try store.store([heard(1, phone("ben"), by: owner, beacon: beacon, 0...10)], now: now)
            #expect(refused.refusedClaims.map(\.reason) == [.ofAnother])
            try store.revoke(thief, reason: "stolen", now: now)
            let taken = try store.store([heard(2, phone("ben"), by: owner, beacon: beacon, 20...30)], now: now)
            #expect(taken.refusedClaims.isEmpty)
            #expect(try store.placeBeacons().map(\.receiver) == [owner])
        }
    }

    // The daemon saw that something had been decided by how many and when.
    @Test(arguments: Backend.installed)
    func `A gateway that is revoked in the second in which another is restored is revoked`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let (one, other) = ("campus/main/1/east", "campus/main/1/west")
            try store.revoke(one, reason: "by mistake", now: now)
            _ = try store.store([heard(1, phone("ann"), by: other, 0...10)], now: now)
            _ = try store.restore(one)
            try store.revoke(other, reason: "stolen", now: now)
            let outcome = try store.store(
                [heard(2, phone("ann"), by: other, 20...30), heard(1, phone("ann"), by: one, 20...30)], now: now)
            #expect(outcome.refused == [.revoked: 1] && outcome.stored == 1)
        }
    }

    // Its numbers count as seen, so that nothing waits for them.
    @Test(arguments: Backend.installed)
    func `Nothing of a revoked gateway is stored, in a daemon that runs as well`(backend: Backend) async throws {
        try await backend.with { location in
            let daemon = try InteractionStore.open(location)
            let gateway = "campus/main/2/thief"
            // It holds nothing of before.
            _ = try daemon.settle(gateway, below: RecordPosition(boot: 1, sequence: 1), now: now)
            _ = try daemon.store([heard(1, phone("ann"), by: gateway, 0...10)], now: now)
            let operators = try InteractionStore.open(location)
            try operators.revoke(gateway, reason: "stolen", now: now)
            let outcome = try daemon.store(
                [
                    heard(2, phone("ann"), by: gateway, 20...30),
                    heard(1, phone("ann"), by: "campus/main/1/east", 20...30),
                ], now: now)
            #expect(outcome.refused == [.revoked: 1] && outcome.stored == 1)
            #expect(outcome.progress[gateway] == RecordPosition(boot: 1, sequence: 2))
            #expect(
                try operators.gatewayStates().map(\.revocation?.reason) == [nil, "stolen"])
            #expect(try operators.restore(gateway))
            #expect(try daemon.store([heard(3, phone("ann"), by: gateway, 40...50)], now: now).stored == 1)
            #expect(try !operators.restore(gateway))
        }
    }
}

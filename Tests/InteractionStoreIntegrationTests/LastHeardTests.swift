import InteractionStore
import Matching
import TestSupport
import Testing

@testable import EvidenceTests

@Suite("What people are told of their own devices") struct LastHeardTests {
    private let now = morning + 4 * 3600

    @Test(arguments: Backend.installed)
    func `A subject was last heard at the end of its latest interaction`(backend: Backend) async throws {
        try await backend.withStore { store in
            let records = [record(1, "ann", 0...5), record(2, "ann", 30...40), record(3, "ben", 0...1)]
            _ = try store.store(records, now: now)
            #expect(
                try store.lastHeard(of: [phone("ann"), phone("cy")], now: now) == [phone("ann"): morning + 40 * 60])
        }
    }

    @Test(arguments: Backend.installed)
    func `Nobody is last heard in the future`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store([record(1, "ann", 0...5), record(2, "ben", 30...40)], now: now)
            let heard = try store.lastHeard(of: [phone("ann"), phone("ben")], now: morning + 60)
            #expect(heard == [phone("ann"): morning + 60])
        }
    }

    @Test(arguments: Backend.installed)
    func `A report of a gateway from a clock that was ahead does not count, and is replaced`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let east = "campus/main/1/east"
            _ = try store.store([heard(1, phone("ann"), by: east, 0...5)], now: now)
            try store.setHeard([east: now + 86_400])
            #expect(try store.gateways(heardSince: now - 90, until: now + 90).isEmpty)
            try store.setHeard([east: now])
            #expect(try store.gateways(heardSince: now - 90, until: now + 90) == [east])
            // Of two matchers that hear it, the later time stays.
            try store.setHeard([east: now - 30])
            #expect(try store.gateways(heardSince: now, until: now + 90) == [east])
        }
    }

    @Test(arguments: Backend.installed)
    func `Without exposures nothing has changed`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store([record(1, "ann", 0...5)], now: now)
            #expect(try store.noticesChanged(of: [phone("ann")]).isEmpty)
        }
    }
}

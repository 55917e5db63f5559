import Evidence
import Matching
import RecordContract
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import BeaconModel
@testable import EvidenceTests
@testable import InteractionStore

@Suite("Decisions about places and gateways", .timeLimit(.minutes(10))) struct PlaceDecisionTests {
    private let now = morning + 4 * 3600
    private let victim = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/7"

    private func audit(by name: String) -> AuditEntry {
        AuditEntry(
            at: now, account: Account(issuer: "i", subject: name, name: name, roles: [.operator]),
            action: .acceptedPlace, object: victim, detail: "campus/main/1/east")
    }

    @Test(arguments: Backend.installed)
    func `Who decides about a place after somebody else changes nothing, and sees who it was`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            try store.setFixedBeacons([victim: nil], now: now)
            let (east, west) = ("campus/main/1/east", "campus/main/1/west")
            let first = try store.decide(
                .accepted(receiver: east), on: victim, after: nil, audit: audit(by: "Olga"))
            #expect(first == .done)
            let present = InteractionStore.DecidedPlace(
                beacon: victim, decision: .accepted(receiver: east), since: now, name: "Olga")
            let second = try store.decide(
                .accepted(receiver: west), on: victim, after: nil, audit: audit(by: "Otto"))
            #expect(second == .changed(present))
            #expect(try store.placeDecisions() == [present])
            #expect(try store.audit(limit: 10).map { $0.entry.name } == ["Otto", "Olga"])
            let informed = try store.decide(
                .accepted(receiver: west), on: victim, after: now, audit: audit(by: "Otto"))
            #expect(informed == .done)
            #expect(try store.placeDecisions().map(\.name) == ["Otto"])
        }
    }

    @Test(arguments: Backend.installed)
    func `Who looked before a decision of the command line is told of it, with its name`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            try store.setFixedBeacons([victim: nil], now: now)
            let (east, west) = ("campus/main/1/east", "campus/main/1/west")
            var entry = audit(by: "command line, root")
            entry.action = .decidedBeacon
            try store.decide(.accepted(receiver: west), on: victim, now: now, audit: entry)
            let present = InteractionStore.DecidedPlace(
                beacon: victim, decision: .accepted(receiver: west), since: now, name: "command line, root")
            #expect(try store.placeDecisions() == [present])
            let late = try store.decide(.accepted(receiver: east), on: victim, after: nil, audit: audit(by: "Olga"))
            #expect(late == .changed(present))
            try store.decide(.undecided, on: victim, now: now, audit: entry)
            try store.setFixedBeacons([victim: nil], now: now)
            let later = try store.decide(.accepted(receiver: east), on: victim, after: now, audit: audit(by: "Olga"))
            #expect(later == .changed(nil))
            #expect(try store.audit(limit: 10).count == 4)
        }
    }

    // The time of the decision was carried on into the audit when a clock had been wrong once.
    @Test(arguments: Backend.installed)
    func `A clock that was wrong once changes no later times, neither of decisions nor in the audit`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            try store.setFixedBeacons([victim: nil], now: now)
            let east = "campus/main/1/east"
            var early = audit(by: "Olga")
            early.at = now + 10 * 365 * 86_400
            #expect(try store.decide(.accepted(receiver: east), on: victim, after: nil, audit: early) == .done)
            #expect(
                try store.decide(.accepted(receiver: east), on: victim, after: early.at, audit: audit(by: "Otto"))
                    == .done)
            // In the same second: who saw the earlier one has not seen this one.
            #expect(
                try store.decide(.accepted(receiver: east), on: victim, after: now, audit: audit(by: "Ina")) == .done)
            #expect(try store.audit(limit: 10).map { $0.entry.at } == [now, now, early.at])
            let decision = try #require(try store.placeDecisions().first)
            #expect(decision.since == now + 1 && decision.name == "Ina")
        }
    }

    @Test(arguments: Backend.installed)
    func `A decision whose entry is not kept any more has no name, whoever decided before`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            try store.setFixedBeacons([victim: nil], now: now)
            let east = "campus/main/1/east"
            var later = audit(by: "Otto")
            later.at = now + 3600
            #expect(
                try store.decide(.accepted(receiver: east), on: victim, after: nil, audit: audit(by: "Olga")) == .done)
            #expect(try store.decide(.accepted(receiver: east), on: victim, after: now, audit: later) == .done)
            #expect(try store.placeDecisions().map(\.name) == ["Otto"])
            try store.removeAudit(before: later.at + 1)
            try store.note(audit(by: "Olga"))
            #expect(try store.placeDecisions().map(\.name) == [nil])
        }
    }

    // The page named who revoked first, with the reason of the second.
    @Test(arguments: Backend.installed)
    func `Who revokes a revoked gateway on the command line changes nothing, and is told what holds`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let gateway = "campus/main/1/east"
            func entry(_ name: String) -> AuditEntry {
                AuditEntry(
                    at: now, account: Account(issuer: "i", subject: name, name: name, roles: [.operator]),
                    action: .revokedGateway, object: gateway)
            }
            #expect(try store.revoke(gateway, reason: "stolen", audit: entry("Olga")) == nil)
            let earlier = try store.revoke(
                gateway, reason: "lost", now: now + 5, audit: entry("command line, root"))
            #expect(
                earlier == InteractionStore.GatewayState.Revocation(since: now, reason: "stolen", name: "Olga"))
            #expect(try store.gatewayStates().map(\.revocation) == [earlier])
            #expect(try store.audit(limit: 10).map { $0.entry.name } == ["Olga"])
        }
    }

    @Test(arguments: Backend.installed)
    func `Of two who revoke a gateway on the page, the second changes nothing and sees who was first`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let gateway = "campus/main/1/east"
            func entry(_ action: AuditEntry.Action, by name: String, at time: Int64) -> AuditEntry {
                AuditEntry(
                    at: time, account: Account(issuer: "i", subject: name, name: name, roles: [.operator]),
                    action: action, object: gateway)
            }
            let first = try store.revoke(
                gateway, reason: "stolen", audit: entry(.revokedGateway, by: "Olga", at: now))
            #expect(first == nil)
            let second = try store.revoke(
                gateway, reason: "lost", audit: entry(.revokedGateway, by: "Otto", at: now + 1))
            #expect(
                second == InteractionStore.GatewayState.Revocation(since: now, reason: "stolen", name: "Olga"))
            #expect(try store.gatewayStates().map(\.revocation) == [second])
            let restored = entry(.restoredGateway, by: "Otto", at: now + 2)
            #expect(try !store.restore(gateway, revokedSince: now - 1, audit: restored))
            #expect(try store.restore(gateway, revokedSince: now, audit: restored))
            #expect(try !store.restore(gateway, revokedSince: now, audit: restored))
            #expect(try store.audit(limit: 10).map { $0.entry.action } == [.restoredGateway, .revokedGateway])
        }
    }
}

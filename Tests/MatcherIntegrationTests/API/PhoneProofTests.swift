import BeaconModel
import InteractionStore
import Matching
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore

@Suite("Proofs of phones that gateways heard", .timeLimit(.minutes(10))) struct PhoneProofTests {
    // Whoever had the database and the store's secret could see where the phone had been.
    @Test(arguments: Backend.installed)
    func `What was heard of a phone's proofs goes when the phone is erased`(backend: Backend) async throws {
        try await TestAPI.with(backend, phones: .proving) { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            try api.hear(ann.identity, 0...1, sequence: 1)
            let uuid = try #require(api.phones.proofUUID)
            let beacon = try ben.proof(at: 230)
            try api.hear(
                try #require(SubjectIdentity(kind: "badge", id: beacon.description)), 228...238, sequence: 2)
            let (now, secrets) = (api.clock.withLock { $0 }, api.secrets)
            let proofs = secrets.proofs(of: ben.identity, version: 0, uuid: uuid, now: now)
            #expect(proofs.contains(beacon.description))
            // Of somebody else here, so that Ben may still ask.
            let erasure = try api.store.use { try $0.erase(ann.identity, proofs: proofs, now: now) }
            #expect(erasure.isComplete)
            let text = try await api.post("/v1/interactions", ben.batch(228...238), secret: ben.secret).text
            #expect(text.contains("unproven"), "\(text)")
        }
    }

    // A phone that was lost couldn't be erased, and its proofs stayed.
    @Test(arguments: [[true], [false, false, false], [false, true]])
    func `A phone's proofs are found under its former secrets, also when the last was revoked`(
        revocations: [Bool]
    ) async throws {
        try await TestAPI.with(phones: .proving) { api in
            let ben = try await api.newPhone()
            let uuid = try #require(api.phones.proofUUID)
            let beacon = try ben.proof(at: 230)
            try api.hear(
                try #require(SubjectIdentity(kind: "badge", id: beacon.description)), 228...238, sequence: 2)
            let (now, secrets) = (api.clock.withLock { $0 }, api.secrets)
            var version: Int64 = 0
            for isRevoked in revocations {
                version = try api.store.use {
                    try $0.renewSecret(of: ben.identity, revoking: isRevoked, topicKey: "0a", now: now)
                }
            }
            #expect(try api.store.use { try $0.proofUUIDs() } == [uuid])
            let proofs = secrets.proofs(of: ben.identity, version: version, uuid: uuid, now: now)
            #expect(proofs.contains(beacon.description))
        }
    }

    // They had stayed for ever while the machine's clock wasn't synchronized.
    @Test(arguments: Backend.installed)
    func `Proofs that were heard are forgotten by the gateways' clocks too`(backend: Backend) async throws {
        try await TestAPI.with(backend, phones: .proving) { api in
            let (ann, uuid) = (try await api.newPhone(), try #require(api.phones.proofUUID))
            let beacon = try ann.proof(at: 0)
            try api.hear(try #require(SubjectIdentity(kind: "badge", id: beacon.description)), 0...5, sequence: 1)
            api.clock.withLock { $0 = morning + 5 * 86_400 }
            try api.hear(ann.identity, 4 * 1440...4 * 1440 + 5, sequence: 2)
            try api.store.use { store in
                #expect(try store.proofUUIDs() == [uuid])
                _ = try store.enforceRetention(days: 14, now: morning + 5 * 86_400, clockIsSynchronized: false)
                #expect(try store.proofUUIDs().isEmpty)
            }
        }
    }
}

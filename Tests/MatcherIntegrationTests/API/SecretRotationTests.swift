import InteractionStore
import MatcherCore
import Matching
import SystemIO
import TestSupport
import Testing

@Suite("Secrets that are made anew", .timeLimit(.minutes(10))) struct SecretRotationTests {
    private static let badge = "badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/5/6"

    private func ask(_ api: TestAPI, _ secret: String) async throws -> Int {
        try await api.get("/v1/subjects/\(Self.badge.replacing("/", with: "%2F"))/risk", secret: secret).status
    }

    // By another process, while this one answers.
    @Test(arguments: Backend.installed)
    func `A secret that was made anew is valid at once, and the former one isn't`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let badge = try #require(SubjectIdentity(Self.badge))
            let now = api.clock.withLock { $0 }
            let other = try InteractionStore.open(api.location)
            let first = api.secrets.secret(of: badge)
            #expect(try await ask(api, first) == 200)
            let version = try other.renewSecret(of: badge, topicKey: api.secrets.topicKey(of: badge), now: now)
            #expect(version == 1)
            let second = api.secrets.secret(of: badge, version: version)
            #expect(try await ask(api, first) == 401)
            #expect(try await ask(api, second) == 200)
            let report = { (secret: String) in
                #"{"subjects":[{"kind":"badge","id":"\#(badge.id)","secret":"\#(secret)"}]}"#
            }
            #expect(try await api.post("/v1/reports", report(first)).status == 403)
            #expect(try await api.post("/v1/reports", report(second)).status == 201)
            #expect(
                try api.store.use { try $0.withdrawals().keys.sorted() } == [api.secrets.topicKey(of: badge)])
            #expect(api.secrets.topicKey(of: badge) != api.secrets.topicKey(of: badge, version: 1))
            _ = try other.renewSecret(of: badge, revoking: true, topicKey: "k", now: now)
            for version in 0...2 {
                #expect(try await ask(api, api.secrets.secret(of: badge, version: Int64(version))) == 401)
                #expect(try await ask(api, api.secrets.secret(of: badge, version: -Int64(version))) == 401)
            }
            #expect(try other.renewSecret(of: badge, topicKey: "k", now: now) == 3)
            #expect(try await ask(api, api.secrets.secret(of: badge, version: 3)) == 200)
        }
    }

    @Test(arguments: Backend.installed)
    func `Whoever carried a badge before it was erased asks for it in vain`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let badge = try #require(SubjectIdentity(Self.badge))
            let erasure = try api.store.use { try $0.erase(badge, now: api.clock.withLock { $0 }) }
            #expect(erasure.isComplete)
            #expect(try await ask(api, api.secrets.secret(of: badge)) == 401)
            #expect(try await ask(api, api.secrets.secret(of: badge, version: 1)) == 200)
            // However long ago that was.
            _ = try api.store.use {
                try $0.enforceRetention(days: 14, now: api.clock.withLock { $0 } + 400 * 86_400)
            }
            #expect(try await ask(api, api.secrets.secret(of: badge)) == 401)
        }
    }

    @Test func `The command prints the same until it is told to make another`() async throws {
        let directory = try TemporaryDirectory()
        _ = try InteractionStore.open(.sqlite(directory.path + "/s.sqlite"))
        let command = ["secret", Self.badge, "--store", directory.path + "/s.sqlite"]
        let first = try await TestMatcher.run(command)
        #expect(first.status == 0 && first.output.count == 1)
        #expect(try await TestMatcher.run(command).output == first.output)
        let second = try await TestMatcher.run(command + ["--rotate"])
        #expect(second.status == 0 && second.output.count == 1 && second.output != first.output)
        #expect(try await TestMatcher.run(command).output == second.output)
        #expect(try await TestMatcher.run(command + ["--revoke"]).status == 0)
        let revoked = try await TestMatcher.run(command)
        #expect(revoked.status == 65 && revoked.output.isEmpty, "\(revoked)")
        #expect(try await TestMatcher.run(command + ["--rotate", "--revoke"]).status == 64)
    }
}

import BeaconModel
import HTTPClient
import HTTPTypes
import InteractionStore
import Logging
import Matching
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Notices to a webhook") struct WebhookTests {
    @Test func `A webhook that fails is told again, and then not any more`() async throws {
        let receiver = WebhookReceiver()
        receiver.answers.withLock { $0 = [.internalServerError, .serviceUnavailable] }
        try await receiver.with { address in
            try await TestBroker.with { broker in
                try await TestAPI.with { api in
                    try await api.withNotices(broker: broker, webhook: address) {
                        let ben = try await api.exposure()
                        #expect(
                            await eventually {
                                api.board.wake()
                                return receiver.calls.withLock { $0.count } >= 3
                            })
                        #expect(
                            try await eventually {
                                try api.store.use { try $0.notices(.undelivered) }.isEmpty
                            })
                        for _ in 0..<2 { try await api.waitForRound(toldTo: ben.identity) }
                        let calls = receiver.calls.withLock { $0 }
                        #expect(calls.count == 3)
                        #expect(Set(calls.map(\.body)).count == 1)
                        #expect(String(decoding: calls[0].body, as: UTF8.self).contains(ben.id))
                        for call in calls {
                            let time = try #require(
                                call.signature.split(separator: ",").first.flatMap { Int64($0.dropFirst(2)) })
                            #expect(abs(time - WallClock.now().microseconds / 1_000_000) < 600)
                            #expect(
                                call.signature
                                    == Webhook.signature(call.body, at: time, key: [UInt8](repeating: 3, count: 32)))
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `Of the matchers of a store one is the leader, and another once that is gone`(backend: Backend) async throws {
        try await backend.with { location, _, _ in
            var first: StoreLeader? = StoreLeader(store: location)
            let second = StoreLeader(store: location)
            for _ in 0..<2 {
                let isThis = try first?.isThis()
                #expect(isThis == true)
            }
            let isOther = try second.isThis()
            #expect(!isOther)
            first = nil
            // The server notices that a connection was closed when it next looks.
            let hasTakenOver = await eventually { (try? second.isThis()) == true }
            #expect(hasTakenOver)
        }
    }

    @Test func `A notice that the webhook refuses keeps no other from being told`() async throws {
        let receiver = WebhookReceiver()
        try await receiver.with { address in
            let webhook = Webhook(
                address: address, key: [1], client: HTTPClient(),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let ann = try #require(SubjectIdentity("phone:ann"))
            for (status, expected) in [
                (404, .refused), (422, .refused), (401, .unavailable), (429, .unavailable), (500, .unavailable),
                (302, .unavailable), (307, .unavailable),
                (204, .taken),
            ] as [(Int, WebhookAnswer)] {
                receiver.answers.withLock { $0 = [.init(code: status)] }
                #expect(await webhook.deliver(.days(1), of: ann) == expected, "\(status)")
            }
        }
    }

    // 10,001 whom a gateway had invented, and whom the webhook didn't know, had kept everybody else from being told for good.
    @Test func `Whom the webhook doesn't know is asked for again later, and the others are told`() async throws {
        let receiver = WebhookReceiver()
        receiver.answers.withLock { $0 = [.notFound] }
        try await receiver.with { address in
            try await TestBroker.with { broker in
                try await TestAPI.with { api in
                    let subjects = try await api.exposeThree()
                    try await api.withNotices(broker: broker, webhook: address, mostNotices: 1) {
                        #expect(
                            try await eventually {
                                try api.store.use { try $0.notices(.undelivered) }.map(\.subject) == [subjects[0]]
                            })
                        for _ in 0..<3 { try await api.waitForRound(toldTo: subjects[1]) }
                        #expect(receiver.calls.withLock { $0.count } == 3)
                    }
                }
            }
        }
    }

    @Test func `Who isn't the leader tells no webhook, but everybody who listens`() async throws {
        let receiver = WebhookReceiver()
        try await receiver.with { address in
            try await TestBroker.with { broker in
                try await TestAPI.with { api in
                    let other = StoreLeader(store: api.location)
                    #expect(try other.isThis())
                    try await api.withNotices(broker: broker, webhook: address) {
                        let ben = try await api.exposure()
                        for _ in 0..<2 { try await api.waitForRound(toldTo: ben.identity) }
                        #expect(try api.store.use { try $0.notices() }.map(\.isDelivered) == [false])
                        #expect(receiver.calls.withLock { $0.count } == 0)
                        #expect(try other.isThis())
                    }
                }
            }
        }
    }

    // A 302 became a GET elsewhere, whose 200 counted as delivered; a 307 would take the body there.
    @Test(arguments: [301, 302, 303, 307, 308])
    func `A webhook's redirection isn't followed, and the notice waits`(status: Int) async throws {
        let (receiver, elsewhere) = (WebhookReceiver(), WebhookReceiver())
        try await elsewhere.with { other in
            try await receiver.with { address in
                receiver.answers.withLock { $0 = [.init(code: status)] }
                receiver.location.withLock { $0 = other }
                let webhook = Webhook(
                    address: address, key: [1], client: HTTPClient(),
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
                let ann = try #require(SubjectIdentity("phone:ann"))
                #expect(await webhook.deliver(.days(1), of: ann) == .unavailable)
                #expect(receiver.calls.withLock { $0.count } == 1)
                #expect(elsewhere.calls.withLock { $0.isEmpty })
            }
        }
    }

    // By openssl: printf '1795600000.The quick brown fox jumps over the lazy dog' | openssl dgst -sha256 -hmac key
    @Test func `A webhook's signature is the HMAC of the time and of what is sent`() {
        #expect(
            Webhook.signature(
                Array("The quick brown fox jumps over the lazy dog".utf8), at: 1_795_600_000, key: Array("key".utf8))
                == "t=1795600000,v1=a88bbe6561b3469e4552b5ba1d880e0d9e05071982dab02136478d6e9b22b599")
    }

    @Test func `The guide's receiver knows a genuine notice from one that is altered, old or another's`() async throws {
        let guide = String(decoding: try Repository.read("docs/guide/matcher/reports.md"), as: UTF8.self)
        let code = try #require(
            guide.split(separator: "```python\n").compactMap { $0.split(separator: "```").first }
                .first { $0.contains("def is_genuine") })
        let now: Int64 = 1_795_600_000
        let header = Webhook.signature(Array("body".utf8), at: now, key: Array("key".utf8))
        let calls = [
            "is_genuine('\(header)', b'body', b'key', \(now))",
            "is_genuine('\(header)', b'body', b'key', \(now + 299))",
            "is_genuine('\(header)', b'bodY', b'key', \(now))", "is_genuine('\(header)', b'body', b'kez', \(now))",
            "is_genuine('\(header)', b'body', b'key', \(now + 301))",
            "is_genuine('\(header.replacing("t=17", with: "t=18"))', b'body', b'key', \(now + 100_000_000))",
        ]
        let result = try await ChildProcess.run("python3", ["-c", code + "\nprint([\(calls.joined(separator: ","))])"])
        #expect(result.output == ["[True, True, False, False, False, False]"], "\(result)")
    }
}

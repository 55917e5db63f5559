import CommandSupport
import InteractionStore
import Matching
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Notices on the topics of subjects") struct NoticeTopicTests {
    @Test func `A notice is retained on the subject's topic until it is read`() async throws {
        try await TestBroker.with { broker in
            try await TestAPI.with { api in
                try await api.withNotices(broker: broker) {
                    let messages = try await broker.subscribe(to: "beacons/v1/subject/+/exposure")
                    let ben = try await api.exposure()
                    let line = try #require(await messages.first { _ in true })
                    #expect(line.contains(api.secrets.topicKey(of: ben.identity)))
                    #expect(line.contains(#""exposures":1"#))
                    // Others may see the topic.
                    #expect(!line.contains(ben.id))
                    let later = try await broker.subscribe(to: "beacons/v1/subject/+/exposure")
                    #expect(await later.first { $0.hasPrefix("1 1 ") } != nil)
                    let read = try await api.post(ben.path + "/exposures/read", secret: ben.secret)
                    #expect(read.status == 204)
                    #expect(await messages.first { $0.hasSuffix("/exposure ") } != nil)
                }
            }
        }
    }

    // At each start of the matcher the topics of all were emptied whom the store had a row of: of those who would be told tomorrow.
    @Test func `A start says nothing to phones that aren't to be told yet`() async throws {
        var settings = PhoneSettings.permissive
        (settings.tellsNextDay, settings.uploadWithin) = (true, 8 * 3600)
        try await TestBroker.with { broker in
            try await TestAPI.with(phones: settings) { api in
                let ben = try await api.exposure()
                let badge = try #require(SubjectIdentity("badge:7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3/1/7"))
                try api.hear(badge, 0...20, sequence: 3)
                try api.match()
                #expect(try api.store.use { try $0.notice(for: ben.identity) } == nil)
                #expect(try api.store.use { try $0.notices() }.count == 2)
                let messages = try await broker.subscribe(to: "#")
                // A badge's carrier is told at once, and before topics are emptied.
                try await api.withNotices(broker: broker) {
                    #expect(await messages.first { _ in true }?.contains(#""exposures":1"#) == true)
                }
                try await broker.publish("end", "x")
                #expect(await messages.first { _ in true }?.hasSuffix("end x") == true)
            }
        }
    }

    private func erase(_ phone: TestAPI.Phone, _ api: TestAPI) throws {
        let key = api.secrets.topicKey(of: phone.identity)
        let erasure = try api.store.use {
            try $0.erase(phone.identity, topicKey: key, now: api.clock.withLock { $0 })
        }
        #expect(erasure.isComplete && erasure.withdrawsNotice, "\(erasure)")
    }

    @Test func `What somebody was told is withdrawn from the broker when they are erased`() async throws {
        try await TestBroker.with { broker in
            try await TestAPI.with { api in
                try await api.withNotices(broker: broker) {
                    let messages = try await broker.subscribe(to: "beacons/v1/subject/+/exposure")
                    let ben = try await api.exposure()
                    #expect(await messages.first { $0.contains(#""exposures":1"#) } != nil)
                    try erase(ben, api)
                    api.board.wake()
                    #expect(await messages.first { $0.hasSuffix("/exposure ") } != nil)
                }
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `What somebody was told is withdrawn when they were erased while nobody was there`(
        backend: Backend
    ) async throws {
        try await TestBroker.with { broker in
            try await TestAPI.with(backend) { api in
                let ben = try await api.exposure()
                try api.match()
                let topic = NoticeTopic.topic(prefix: "beacons", key: api.secrets.topicKey(of: ben.identity))
                try await broker.publish(topic, "what was told", isRetained: true)
                try erase(ben, api)
                let messages = try await broker.subscribe(to: "beacons/v1/subject/+/exposure")
                #expect(await messages.first { _ in true } == "1 1 \(topic) what was told")
                try await api.withNotices(broker: broker) {
                    #expect(await messages.first { _ in true } == "0 1 \(topic) ")
                }
            }
        }
    }

    @Test func `While the webhook is away everybody is told on their topic`() async throws {
        try await TestBroker.with { broker in
            try await TestAPI.with { api in
                _ = try await api.exposeThree()
                let messages = try await broker.subscribe(to: "beacons/v1/subject/+/exposure")
                try await api.withNotices(broker: broker, webhook: "http://127.0.0.1:1/x", mostNotices: 1) {
                    var told: Set<String> = []
                    while told.count < 3, let message = await messages.first(where: { $0.contains(#""exposures":1"#) })
                    {
                        told.insert(String(message.split(separator: " ")[2]))
                    }
                    #expect(told.count == 3)
                }
            }
        }
    }

    // /risk had said "high", and nobody was told.
    @Test func `When the policy is changed, everybody is told what follows by the new one`() async throws {
        try await TestBroker.with { broker in
            try await TestAPI.with { api in
                _ = try await api.exposeThree()
                let first = ReportMatching(policy: api.policy, phoneDelay: api.phones.tellingDelay)
                let matching = Reloadable(first)
                let messages = try await broker.subscribe(to: "beacons/v1/subject/+/exposure")
                try await api.withNotices(broker: broker, matching: matching) {
                    let version = #""version":"\#(api.policy.version)""#
                    #expect(await messages.first { $0.contains(version) } != nil)
                    var changed = first
                    changed.policy.version = "x9"
                    matching.replace(with: changed)
                    api.board.wake()
                    #expect(await messages.first { $0.contains(#""version":"x9""#) } != nil)
                    // By this one nothing follows from anything.
                    changed.policy.reportTypes.confirmed = 0
                    matching.replace(with: changed)
                    api.board.wake()
                    #expect(await messages.first { $0.hasSuffix("/exposure ") } != nil)
                }
            }
        }
    }

    private static var nextDay: PhoneSettings {
        var phones = PhoneSettings.permissive
        (phones.tellsNextDay, phones.uploadWithin) = (true, 900)
        return phones
    }

    // They were together at 8:00 to 8:20, and it is noon. Stays of the day are taken until 0:15, and matched five minutes later.
    @Test func `A phone is told when nobody can tell of the day any more, and which day`() async throws {
        try await TestBroker.with { broker in
            try await TestAPI.with(phones: Self.nextDay) { api in
                try await api.withNotices(broker: broker) {
                    let messages = try await broker.subscribe(to: "beacons/v1/subject/+/exposure")
                    let ben = try await api.exposure()
                    #expect(
                        try await eventually {
                            try api.store.use {
                                try !$0.exposures(of: ben.identity).isEmpty && $0.staleNotices().isEmpty
                            }
                        })
                    for seconds: Int64 in [0, 11 * 3600, 3600, 1199] {
                        api.clock.withLock { $0 += seconds }
                        api.board.wake()
                        try await Task.sleep(for: .milliseconds(300))
                        #expect(try api.store.use { try $0.notice(for: ben.identity) } == nil)
                    }
                    api.clock.withLock { $0 += 1 }
                    api.board.wake()
                    let line = try #require(await messages.first { _ in true })
                    #expect(line.contains(#""exposures":1"#), "\(line)")
                    #expect(line.contains(#""latest":"2026-11-02T00:00:00Z""#) && line.contains(#""missing":[]"#))
                }
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `A phone is told of a day that ended while nobody was there`(backend: Backend) async throws {
        try await TestBroker.with { broker in
            try await TestAPI.with(backend, phones: Self.nextDay) { api in
                let ben = try await api.exposure()
                try api.match()
                #expect(try api.store.use { try $0.staleNotices() } == [])
                #expect(try api.store.use { try $0.notice(for: ben.identity) } == nil)
                api.clock.withLock { $0 += 6 * 86_400 }
                try await api.withNotices(broker: broker) {
                    let messages = try await broker.subscribe(to: "beacons/v1/subject/+/exposure")
                    let line = try #require(await messages.first { _ in true })
                    #expect(line.contains(#""latest":"2026-11-02T00:00:00Z""#), "\(line)")
                }
            }
        }
    }
}

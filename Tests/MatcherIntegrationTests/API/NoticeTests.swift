import BeaconModel
import CommandSupport
import Glibc
import HTTPClient
import HTTPTypes
import InteractionStore
import Logging
import MQTTBridge
import Matching
import Publishing
import RecordContract
import RecordOutbox
import ServiceLifecycle
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Notices of exposures") struct NoticeTests {
    /// Runs `body` with the service that tells, on a broker of its own.
    private func withNotices(
        _ api: TestAPI, broker: TestBroker, webhook: String? = nil, spokesman: Spokesman? = nil,
        mostNotices: Int = 10_000, matching: Reloadable<ReportMatching>? = nil,
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
    ) async throws {
        var logger = Logger(label: "notices") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .critical
        let outbox = try await Outbox.open(nil, rules: OutboxRules(), now: .now())
        let publisher = MQTTPublisher(
            configuration: BrokerConfiguration(host: "127.0.0.1", port: broker.port, clientID: "m-notices"),
            outbox: outbox, logger: logger)
        let duty = Duty()
        duty.begin()
        let notices = NoticeService(
            store: api.store,
            matching: matching
                ?? Reloadable(ReportMatching(policy: api.policy, phoneDelay: api.phones.tellingDelay)),
            reportDays: 28, board: api.board,
            secrets: api.secrets, topicPrefix: "beacons", publisher: publisher,
            webhook: webhook.map {
                Webhook(address: $0, key: [UInt8](repeating: 3, count: 32), client: HTTPClient(), logger: logger)
            }, spokesman: spokesman ?? Spokesman(store: api.location), duty: duty,
            mostNotices: mostNotices, now: { api.clock.withLock { $0 } },
            logger: logger)
        let group = ServiceGroup(
            services: [PublisherService(publisher: publisher, duty: duty), notices], logger: logger)
        let running = Task { try await group.run() }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await running.value
        try result.get()
    }

    /// Ann, who reported, and Ben, who was near her.
    private func exposure(_ api: TestAPI) async throws -> TestAPI.Phone {
        let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
        try api.hear(ann.identity, 0...20, sequence: 1)
        try api.hear(ben.identity, 0...20, sequence: 2)
        let token = try await api.token(api.claims(of: ann))
        #expect(try await api.post("/v1/reports", api.reportBody(ann, verification: token)).status == 201)
        return ben
    }

    @Test func `A notice is retained on the subject's topic until it is read`() async throws {
        try await TestBroker.with { broker in
            try await TestAPI.with { api in
                try await withNotices(api, broker: broker) {
                    let messages = try await broker.subscribe(to: "beacons/v1/subject/+/exposure")
                    let ben = try await exposure(api)
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
                let ben = try await exposure(api)
                let badge = try #require(SubjectIdentity("badge:7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3/1/7"))
                try api.hear(badge, 0...20, sequence: 3)
                try api.match()
                #expect(try api.store.use { try $0.notice(for: ben.identity) } == nil)
                #expect(try api.store.use { try $0.notices() }.count == 2)
                let messages = try await broker.subscribe(to: "#")
                // A badge's carrier is told at once, and before topics are emptied.
                try await withNotices(api, broker: broker) {
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
                try await withNotices(api, broker: broker) {
                    let messages = try await broker.subscribe(to: "beacons/v1/subject/+/exposure")
                    let ben = try await exposure(api)
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
                let ben = try await exposure(api)
                try api.match()
                let topic = NoticeTopic.topic(prefix: "beacons", key: api.secrets.topicKey(of: ben.identity))
                try await broker.publish(topic, "what was told", isRetained: true)
                try erase(ben, api)
                let messages = try await broker.subscribe(to: "beacons/v1/subject/+/exposure")
                #expect(await messages.first { _ in true } == "1 1 \(topic) what was told")
                try await withNotices(api, broker: broker) {
                    #expect(await messages.first { _ in true } == "0 1 \(topic) ")
                }
            }
        }
    }

    @Test func `A page that listens is told as it happens, and one that comes later too`() async throws {
        try await TestBroker.with { broker in
            try await TestAPI.with { api in
                try await withNotices(api, broker: broker) {
                    let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
                    try api.hear(ann.identity, 0...20, sequence: 1)
                    try api.hear(ben.identity, 0...20, sequence: 2)
                    let events = try #require(api.board.events(for: ben.identity, to: "192.0.2.1"))
                    let others = try #require(api.board.events(for: ann.identity, to: "192.0.2.1"))
                    let token = try await api.token(api.claims(of: ann))
                    #expect(try await api.post("/v1/reports", api.reportBody(ann, verification: token)).status == 201)
                    var iterator = events.makeAsyncIterator()
                    #expect(await iterator.next() == ": listening\n\n")
                    var event = try #require(await iterator.next())
                    while event == ": still here\n\n" { event = try #require(await iterator.next()) }
                    #expect(event.hasPrefix("event: exposure\ndata: {"))
                    #expect(event.hasSuffix("}\n\n"))
                    // Over HTTP, after it happened.
                    let listener = try api.listen(ben)
                    #expect(
                        await listener.output.first { $0.lowercased().hasPrefix("content-type:") }?.lowercased()
                            .split(whereSeparator: \.isWhitespace) == ["content-type:", "text/event-stream"])
                    #expect(await listener.output.first { $0.contains("event: exposure") } != nil)
                    listener.send(signal: SIGKILL)
                    // Ann was exposed to nobody.
                    api.board.beat()
                    var other = others.makeAsyncIterator()
                    #expect(await other.next() == ": listening\n\n")
                    #expect(await other.next() == ": still here\n\n")
                }
            }
        }
    }

    @Test func `A webhook that fails is told again, and then not any more`() async throws {
        let receiver = WebhookReceiver()
        receiver.answers.withLock { $0 = [.internalServerError, .serviceUnavailable] }
        try await receiver.with { address in
            try await TestBroker.with { broker in
                try await TestAPI.with { api in
                    try await withNotices(api, broker: broker, webhook: address) {
                        let ben = try await exposure(api)
                        #expect(
                            await eventually {
                                api.board.wake()
                                return receiver.calls.withLock { $0.count } >= 3
                            })
                        #expect(
                            try await eventually {
                                try api.store.use { try $0.notices(.undelivered) }.isEmpty
                            })
                        for _ in 0..<2 { try await waitForRound(api, toldTo: ben.identity) }
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

    // Python: hmac.new(b"key", b"The quick brown fox jumps over the lazy dog", "sha256").hexdigest()
    @Test(arguments: Backend.installed)
    func `Of the matchers of a store one is the spokesman, and another once that is gone`(backend: Backend) async throws
    {
        try await backend.with { location, _, _ in
            var first: Spokesman? = Spokesman(store: location)
            let second = Spokesman(store: location)
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

    /// Three people who were exposed, the longest known first.
    private func exposeThree(_ api: TestAPI) async throws -> [SubjectIdentity] {
        var phones: [TestAPI.Phone] = []
        for sequence in UInt64(1)...4 {
            phones.append(try await api.newPhone())
            try api.hear(phones[phones.count - 1].identity, 0...20, sequence: sequence)
        }
        let token = try await api.token(api.claims(of: phones[0]))
        let body = api.reportBody(phones[0], verification: token)
        #expect(try await api.post("/v1/reports", body).status == 201)
        return phones.dropFirst().map(\.identity)
    }

    // 10,001 whom a gateway had invented, and whom the webhook didn't know, had kept everybody else from being told for good.
    @Test func `Whom the webhook doesn't know is asked for again later, and the others are told`() async throws {
        let receiver = WebhookReceiver()
        receiver.answers.withLock { $0 = [.notFound] }
        try await receiver.with { address in
            try await TestBroker.with { broker in
                try await TestAPI.with { api in
                    let subjects = try await exposeThree(api)
                    try await withNotices(api, broker: broker, webhook: address, mostNotices: 1) {
                        #expect(
                            try await eventually {
                                try api.store.use { try $0.notices(.undelivered) }.map(\.subject) == [subjects[0]]
                            })
                        for _ in 0..<3 { try await waitForRound(api, toldTo: subjects[1]) }
                        #expect(receiver.calls.withLock { $0.count } == 3)
                    }
                }
            }
        }
    }

    @Test func `While the webhook is away everybody is told on their topic`() async throws {
        try await TestBroker.with { broker in
            try await TestAPI.with { api in
                _ = try await exposeThree(api)
                let messages = try await broker.subscribe(to: "beacons/v1/subject/+/exposure")
                try await withNotices(api, broker: broker, webhook: "http://127.0.0.1:1/x", mostNotices: 1) {
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
                _ = try await exposeThree(api)
                let first = ReportMatching(policy: api.policy, phoneDelay: api.phones.tellingDelay)
                let matching = Reloadable(first)
                let messages = try await broker.subscribe(to: "beacons/v1/subject/+/exposure")
                try await withNotices(api, broker: broker, matching: matching) {
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

    @Test func `Who isn't the spokesman tells no webhook, but everybody who listens`() async throws {
        let receiver = WebhookReceiver()
        try await receiver.with { address in
            try await TestBroker.with { broker in
                try await TestAPI.with { api in
                    let other = Spokesman(store: api.location)
                    #expect(try other.isThis())
                    try await withNotices(api, broker: broker, webhook: address) {
                        let ben = try await exposure(api)
                        for _ in 0..<2 { try await waitForRound(api, toldTo: ben.identity) }
                        #expect(try api.store.use { try $0.notices() }.map(\.isDelivered) == [false])
                        #expect(receiver.calls.withLock { $0.count } == 0)
                        #expect(try other.isThis())
                    }
                }
            }
        }
    }

    /// Whoever comes is told in the next round; when two have been told one after the other, a whole round has passed.
    private func waitForRound(_ api: TestAPI, toldTo subject: SubjectIdentity) async throws {
        let events = try #require(api.board.events(for: subject, to: "192.0.2.9"))
        #expect(await events.first { $0.hasPrefix("event:") } != nil)
    }

    /// Writes down that somebody reported, and whom that exposed.
    ///
    /// - Returns: the report's number.
    private func report(
        _ positive: SubjectIdentity, exposing exposed: [SubjectIdentity], in store: InteractionStore
    ) throws -> Int64 {
        let number = try #require(
            try store.add(
                PositiveReport(
                    reference: "r", received: morning, positive: PositiveCase(reportType: .confirmed),
                    subjects: [.init(identity: positive, since: 0, until: morning)])
            ).number)
        let exposures = exposed.map {
            ExposureSummary(subject: $0, place: 1, start: morning, end: morning, minutes: 1)
        }
        _ = try store.setExposures(exposures, of: number)
        return number
    }

    // The newest had gone first, and of those the least name: 11,000 invented ones kept a real one from the webhook.
    @Test(arguments: Backend.installed)
    func `Notices of whom the store has known for longest come first`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let known = try #require(SubjectIdentity("badge:ffffffff-0a4d-4f6e-9c3a-7d2f18e65401/9/9"))
            let invented = try (1...3).map {
                try #require(SubjectIdentity("badge:00000000-0a4d-4f6e-9c3a-7d2f18e65401/0/\($0)"))
            }
            for (index, subject) in ([known] + invented).enumerated() {
                try api.hear(subject, 0...20, sequence: UInt64(index + 1))
            }
            try api.store.use { store in
                _ = try report(known, exposing: [known] + invented, in: store)
                for (index, subject) in ([known] + invented).enumerated() {
                    try store.setNotice(.days(1), for: .init(subject: subject, changes: 1), now: Int64(index + 1))
                }
                #expect(try store.notices(limit: 2).map(\.subject) == [known, invented[0]])
            }
        }
    }

    @Test func `What waits to be read stays retained, however many others were told since`() async throws {
        try await TestAPI.with { api in
            let (ann, ben) = (try #require(SubjectIdentity("phone:ann")), try #require(SubjectIdentity("phone:ben")))
            let phone = try #require(SubjectIdentity("phone:positive"))
            try api.store.use { store in
                let report = try self.report(phone, exposing: [ann, ben], in: store)
                try store.setNotice(.days(1), for: .init(subject: ann, changes: 1), now: 1)
                try store.setNotice(.days(1), for: .init(subject: ben, changes: 1), now: 2)
                #expect(try store.notices(.unread, limit: 1).map(\.subject) == [ann])
                #expect(try store.subjects(withUnreadNoticeAmong: [ann, ben]) == [ann, ben])
                #expect(try store.seen(ann))
                #expect(try store.subjects(withUnreadNoticeAmong: [ann, ben]) == [ben])
                _ = try store.setExposures([], of: report)
                let stale = try #require(try store.staleNotices().first { $0.subject == ben })
                try store.setNotice(nil, for: stale, now: 3)
                #expect(try store.subjects(withUnreadNoticeAmong: [ann, ben]) == [])
            }
        }
    }

    @Test func `Whoever listens is told that there is nothing to tell any more`() async throws {
        let board = NoticeBoard()
        let ben = try #require(SubjectIdentity("phone:ben"))
        let events = try #require(board.events(for: ben, to: "here"))
        for content in [nil, .days(1), .days(1), nil] as [NoticeContent?] {
            board.tell(Notice(subject: ben, content: content, changed: 1))
        }
        board.endStreams()
        var told: [String] = []
        for await event in events { told.append(event) }
        let exposure = "event: exposure\ndata: \(NoticeDocument(.days(1)).text)\n\n"
        #expect(told == [": listening\n\n", exposure, "event: withdrawn\ndata: {}\n\n"])
    }

    // A badge is handed on, and whoever had it before was told of the next carrier.
    @Test func `Whoever showed a secret that was renewed isn't told any more`() async throws {
        let board = NoticeBoard()
        let ben = try #require(SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/5/6"))
        let former = try #require(board.events(for: ben, version: 0, to: "here"))
        let present = try #require(board.events(for: ben, version: 1, to: "there"))
        #expect(board.subjects == [ben])
        board.endStreams(unless: [ben: 1])
        board.tell(Notice(subject: ben, content: .days(1), changed: 1))
        board.endStreams(unless: [ben: -2])
        var told: [[String]] = [[], []]
        for await event in former { told[0].append(event) }
        for await event in present { told[1].append(event) }
        let exposure = "event: exposure\ndata: \(NoticeDocument(.days(1)).text)\n\n"
        #expect(told == [[": listening\n\n"], [": listening\n\n", exposure]])
    }

    // 60,000 notices of invented badges, which nobody reads, had kept streams silent.
    @Test func `Whoever listens is told, however many notices of others wait`() async throws {
        try await TestBroker.with { broker in
            try await TestAPI.with { api in
                try await withNotices(api, broker: broker, mostNotices: 0) {
                    let ben = try await exposure(api)
                    let events = try #require(api.board.events(for: ben.identity, to: "192.0.2.1"))
                    #expect(await events.first { $0.hasPrefix("event: exposure") } != nil)
                }
            }
        }
    }

    @Test func `The stream of a secret that is renewed meanwhile ends before anything else is told`() async throws {
        try await TestBroker.with { broker in
            try await TestAPI.with { api in
                try await withNotices(api, broker: broker) {
                    let ben = try await api.newPhone()
                    let listener = try api.listen(ben)
                    #expect(await listener.output.first { $0.contains("listening") } != nil)
                    _ = try api.store.use { try $0.renewSecret(of: ben.identity, topicKey: "0a1b", now: 1) }
                    api.board.wake()
                    // curl ends with the stream.
                    #expect(await listener.exitStatus() == 0)
                }
            }
        }
    }

    @Test func `A notice that was withdrawn while others were delivered isn't delivered any more`() async throws {
        try await TestAPI.with { api in
            let ann = try #require(SubjectIdentity("phone:ann"))
            let notice = Notice(subject: ann, content: .days(1), changed: 1)
            try api.store.use { store in
                #expect(try !store.isToBeDelivered(notice))
                let phone = try #require(SubjectIdentity("phone:positive"))
                let report = try #require(
                    try store.add(
                        PositiveReport(
                            reference: "r", received: morning, positive: PositiveCase(reportType: .confirmed),
                            subjects: [.init(identity: phone, since: 0, until: morning)])
                    ).number)
                _ = try store.setExposures(
                    [.init(subject: ann, place: 1, start: morning, end: morning, minutes: 1)],
                    of: report)
                try store.setNotice(.days(1), for: .init(subject: ann, changes: 1), now: 1)
                #expect(try store.isToBeDelivered(notice))
                _ = try store.setExposures([], of: report)
                let stale = try #require(try store.staleNotices().first { $0.subject == ann })
                try store.setNotice(nil, for: stale, now: 3)
                #expect(try !store.isToBeDelivered(notice))
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

    @Test func `What somebody is told is what the document says`() async throws {
        struct Document: Decodable {
            var components: Components

            struct Components: Decodable { var schemas: [String: Schema] }

            struct Schema: Decodable {
                var properties: [String: Ignored]?
                var required: [String]?
            }

            struct Ignored: Decodable {}
        }
        let document = try JSON.decode(Document.self, from: OpenAPIDocument.bytes)
        let schema = try #require(document.components.schemas["Notice"])
        try await TestAPI.with { api in
            _ = try await exposure(api)
            try api.match()
            let notice = try #require(try api.store.use { try $0.notices().first?.content })
            let members = try JSON.decode([String: Document.Ignored].self, from: NoticeDocument(notice).bytes)
            #expect(members.keys.sorted() == schema.properties?.keys.sorted())
            #expect(Set(schema.required ?? []).isSubset(of: members.keys))
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
                try await withNotices(api, broker: broker) {
                    let messages = try await broker.subscribe(to: "beacons/v1/subject/+/exposure")
                    let ben = try await exposure(api)
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
                let ben = try await exposure(api)
                try api.match()
                #expect(try api.store.use { try $0.staleNotices() } == [])
                #expect(try api.store.use { try $0.notice(for: ben.identity) } == nil)
                api.clock.withLock { $0 += 6 * 86_400 }
                try await withNotices(api, broker: broker) {
                    let messages = try await broker.subscribe(to: "beacons/v1/subject/+/exposure")
                    let line = try #require(await messages.first { _ in true })
                    #expect(line.contains(#""latest":"2026-11-02T00:00:00Z""#), "\(line)")
                }
            }
        }
    }

    @Test func `A record that comes late changes the notice`() async throws {
        try await TestAPI.with { api in
            let ben = try await exposure(api)
            try api.match()
            let first = try #require(try api.store.use { try $0.notices().first })
            #expect(first.content?.days == 1)
            try api.store.use { try $0.delivered(first) }
            #expect(try api.store.use { try $0.seen(ben.identity) })
            #expect(try api.store.use { try $0.notices() }.allSatisfy { $0.isDelivered && $0.isSeen })
            // Nothing new: nothing is told.
            try api.match()
            #expect(try api.store.use { try $0.notices() }.allSatisfy { $0.isDelivered && $0.isSeen })
            let ann = try #require(try api.store.use { try $0.reports(since: 0).first?.subjects.first?.identity })
            try api.hear(ann, -1440...(-1420), sequence: 3)
            try api.hear(ben.identity, -1440...(-1420), sequence: 4)
            try api.match()
            let second = try #require(try api.store.use { try $0.notices().first })
            #expect(second.content?.days == 2)
            #expect(!second.isDelivered)
        }
    }

    @Test(arguments: Backend.installed)
    func `A notice that came after the one that was read stays unread`(backend: Backend) async throws {
        try await TestAPI.with(backend) { api in
            let ben = try await exposure(api)
            try api.match()
            let first = try #require(try api.store.use { try $0.notices().first?.content })
            let ann = try #require(try api.store.use { try $0.reports(since: 0).first?.subjects.first?.identity })
            try api.hear(ann, -1440...(-1420), sequence: 3)
            try api.hear(ben.identity, -1440...(-1420), sequence: 4)
            try api.match()
            let path = ben.path + "/exposures/read"
            #expect(try await api.post(path, NoticeDocument(first).text, secret: ben.secret).status == 204)
            let second = try #require(try api.store.use { try $0.notices().first })
            #expect(!second.isSeen && second.content?.days == 2)
            let content = try #require(second.content)
            #expect(try await api.post(path, NoticeDocument(content).text, secret: ben.secret).status == 204)
            #expect(try api.store.use { try $0.notices().filter { !$0.isSeen } } == [])
        }
    }

    @Test func `What was read is a level, a number and a time, or isn't taken`() async throws {
        try await TestAPI.with { api in
            let ben = try await exposure(api)
            try api.match()
            for body in [#"{"level":"none"}"#, #"{"latest":"yesterday"}"#] {
                let answer = try await api.post(ben.path + "/exposures/read", body, secret: ben.secret)
                #expect(answer.status == 422, "\(body)")
            }
            #expect(try api.store.use { try $0.notices().map(\.isSeen) } == [false])
            #expect(try await api.post(ben.path + "/exposures/read", "{}", secret: ben.secret).status == 204)
            #expect(try api.store.use { try $0.notices().map(\.isSeen) } == [true])
        }
    }

    // Nothing but a row says who is to be told: it is written with the exposures.
    @Test func `Whoever ends between finding and telling forgets nobody`() async throws {
        try await TestAPI.with { api in
            let ben = try await exposure(api)
            let now = api.clock.withLock { $0 }
            try api.store.use { store in
                for report in try store.reports(since: 0) {
                    _ = try ReportMatching(policy: api.policy, phoneDelay: nil).match(report, in: store, now: now)
                }
            }
            // Another process matches the same again and finds nothing new.
            try api.match()
            #expect(try api.store.use { try $0.notices() }.map(\.subject) == [ben.identity])
        }
    }

    // Two exposures on two days; 14 days after the first it doesn't count any more.
    @Test func `What grows old is no news`() async throws {
        try await TestAPI.with { api in
            let ben = try await exposure(api)
            let ann = try #require(try api.store.use { try $0.reports(since: 0).first?.subjects.first?.identity })
            try api.hear(ann, -1440...(-1420), sequence: 3)
            try api.hear(ben.identity, -1440...(-1420), sequence: 4)
            try api.match()
            try api.store.use { store in for notice in try store.notices() { try store.delivered(notice) } }
            #expect(try api.store.use { try $0.seen(ben.identity) })
            api.clock.withLock { $0 += 13 * 86_400 }
            try api.match()
            #expect(try api.store.use { try $0.notices() }.allSatisfy { $0.isDelivered && $0.isSeen })
            #expect(try api.store.use { try $0.notice(for: ben.identity) }?.days == 1)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `The server ends although somebody listens`() async throws {
        try await TestAPI.with(closesBoard: false) { api in
            let ann = try await api.newPhone()
            let listener = try api.listen(ann)
            #expect(await listener.output.first { $0 == ": listening" } != nil)
        }
    }

    @Test func `So many listen at one address, and no more`() throws {
        let board = NoticeBoard()
        var streams: [AsyncStream<String>] = []
        for number in 1...51 {
            let phone = try #require(SubjectIdentity("phone:p\(number)"))
            if let events = board.events(for: phone, to: "192.0.2.1") { streams.append(events) }
        }
        #expect(streams.count == 50)
        #expect(board.events(for: try #require(SubjectIdentity("phone:ben")), to: "192.0.2.2") != nil)
    }

    @Test func `So many listen to one subject, and no more`() throws {
        let board = NoticeBoard()
        let ann = try #require(SubjectIdentity("phone:ann"))
        var streams: [AsyncStream<String>] = []
        for _ in 0..<4 { streams.append(try #require(board.events(for: ann, to: "192.0.2.1"))) }
        #expect(board.events(for: ann, to: "192.0.2.1") == nil)
        #expect(board.events(for: try #require(SubjectIdentity("phone:ben")), to: "192.0.2.1") != nil)
        board.close()
        #expect(board.events(for: ann, to: "192.0.2.1") == nil)
    }
}

import CommandSupport
import HTTPClient
import Logging
import MQTTBridge
import Matching
import Publishing
import RecordOutbox
import ServiceLifecycle
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

extension TestAPI {
    /// Runs `body` with the service that tells, on a broker of its own.
    func withNotices(
        broker: TestBroker, webhook: String? = nil, leader: StoreLeader? = nil,
        mostNotices: Int = 10_000, matching: Reloadable<ReportMatching>? = nil,
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
    ) async throws {
        var logger = Logger(label: "notices") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .critical
        let outbox = try await Outbox.open(nil, rules: OutboxRules(), now: .now())
        let publisher = MQTTPublisher(
            configuration: BrokerConfiguration(host: "127.0.0.1", port: broker.port, clientID: "m-notices"),
            outbox: outbox, logger: logger)
        let activation = Activation()
        activation.begin()
        let notices = NoticeService(
            store: store,
            matching: matching
                ?? Reloadable(ReportMatching(policy: policy, phoneDelay: phones.tellingDelay)),
            reportDays: 28, streams: board,
            secrets: secrets, topicPrefix: "beacons", publisher: publisher,
            webhook: webhook.map {
                Webhook(address: $0, key: [UInt8](repeating: 3, count: 32), client: HTTPClient(), logger: logger)
            }, leader: leader ?? StoreLeader(store: location), activation: activation,
            mostNotices: mostNotices, now: { clock.withLock { $0 } },
            logger: logger)
        let group = ServiceGroup(
            services: [PublisherService(publisher: publisher, activation: activation), notices], logger: logger)
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
    func exposure() async throws -> Phone {
        let (ann, ben) = (try await newPhone(), try await newPhone())
        try hear(ann.identity, 0...20, sequence: 1)
        try hear(ben.identity, 0...20, sequence: 2)
        let token = try await token(claims(of: ann))
        #expect(try await post("/v1/reports", reportBody(ann, verification: token)).status == 201)
        return ben
    }

    /// Three people who were exposed, the longest known first.
    func exposeThree() async throws -> [SubjectIdentity] {
        var phones: [Phone] = []
        for sequence in UInt64(1)...4 {
            phones.append(try await newPhone())
            try hear(phones[phones.count - 1].identity, 0...20, sequence: sequence)
        }
        let token = try await token(claims(of: phones[0]))
        let body = reportBody(phones[0], verification: token)
        #expect(try await post("/v1/reports", body).status == 201)
        return phones.dropFirst().map(\.identity)
    }

    /// Whoever comes is told in the next round; when two have been told one after the other, a whole round has passed.
    func waitForRound(toldTo subject: SubjectIdentity) async throws {
        let events = try #require(board.events(for: subject, to: "192.0.2.9"))
        #expect(await events.first { $0.hasPrefix("event:") } != nil)
    }
}

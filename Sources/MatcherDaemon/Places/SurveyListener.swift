import BeaconModel
import Evidence
package import Logging
import MQTTBridge
package import MatcherCore
package import Matching
import Publishing
import RecordContract
import SystemIO

/// Hears a badge through the signals of all gateways, for a survey.
package struct SurveyListener: Sendable {
    private let configuration: MatcherConfiguration
    private let revoked: Set<String>
    private let tally: LockedValue<SurveyTally>
    private let logger: Logger

    /// Creates the listener.
    ///
    /// - Parameters:
    ///   - building: `site/building`.
    ///   - revoked: gateways that are no longer trusted.
    package init(
        _ configuration: MatcherConfiguration, badge: SubjectIdentity, building: String, revoked: Set<String>,
        logger: Logger
    ) {
        self.configuration = configuration
        self.revoked = revoked
        self.logger = logger
        tally = LockedValue(SurveyTally(badge: badge, building: building))
    }

    /// Begins a spot.
    package func begin() { tally.withLock { $0.begin() } }

    /// What was heard since the spot began.
    package var heard: SurveyTally { tally.withLock { $0 } }

    /// Time within which the broker must be reached.
    private static let patience: Duration = .seconds(15)

    /// Listens while `body` runs, which begins when the broker has confirmed the subscription.
    ///
    /// - Throws: errors of `body`; `SubscriptionRefused`, `BrokerUnreached`.
    package func listening(_ body: @escaping @Sendable () async throws -> Void) async throws {
        var broker = configuration.broker
        // Another connection needs another client identifier.
        broker.clientID += "-survey"
        let (tally, revoked) = (tally, revoked)
        let (prefix, verifier) = (configuration.topicPrefix, configuration.signing)
        let consumer = MQTTConsumer(
            configuration: broker, filters: configuration.signalFilters, session: .never, logger: logger,
            take: { messages in
                for message in messages {
                    guard !message.isRetained,
                        let topic = RecordTopic(message.topic, prefix: prefix, kind: .signals),
                        !revoked.contains(topic.gateway),
                        (try? RecordReader.checkSignature(
                            message.payload, of: topic.gateway, for: .signals, verifier)) != nil,
                        let record = try? RecordReader.signals(message.payload, gateway: topic.gateway)
                    else { continue }
                    tally.withLock { $0.add(record) }
                }
                return .stored([])
            })
        let (subscribed, subscribe) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await consumer.run {
                } subscribed: {
                    subscribe.yield()
                    return []
                }
            }
            group.addTask {
                guard await Self.isReached(subscribed) else { throw BrokerUnreached() }
                try await body()
            }
            try await group.next()
            group.cancelAll()
        }
    }

    private static func isReached(_ subscribed: AsyncStream<Void>) async -> Bool {
        await withTaskGroup(of: Bool.self) { waiting in
            waiting.addTask {
                for await _ in subscribed { return true }
                return false
            }
            waiting.addTask {
                try? await Task.sleep(for: patience)
                return false
            }
            let first = await waiting.next() ?? false
            waiting.cancelAll()
            return first
        }
    }
}

import BeaconModel
import CMosquitto
package import Logging
package import Publishing
package import RecordContract
import SystemIO

/// A client that receives messages in a session that the broker keeps, and acknowledges each message after it was
/// stored.
///
/// Each message is handed over before its acknowledgement leaves this process. If the process is killed in between, the
/// broker delivers the message again, so it may arrive twice.
package struct MQTTConsumer: Sendable {
    /// The result of storing a batch of messages.
    package enum Outcome: Sendable {
        /// The messages are stored; the associated messages report this and are published.
        case stored([MQTTMessage])
        /// The messages are not stored. The connection is left, so that the broker delivers them again.
        case failed
    }

    private let configuration: BrokerConfiguration
    private let filters: [String]
    private let share: String?
    private let formerShare: String?
    private let session: SessionKeeping
    private let logger: Logger
    private let backoff: Backoff
    private let take: @Sendable ([MQTTMessage]) -> Outcome

    /// Creates a consumer; `run` connects it.
    ///
    /// - Parameters:
    ///   - configuration: its client identifier names the session. Its `inFlight` is the number of messages that the
    ///     broker sends before it waits for an acknowledgement, and thus the number that is stored at once.
    ///   - filters: topic filters.
    ///   - share: the name of the shared subscription. Each message goes to one of its members if the broker supports
    ///     this (MQTT 5.0, section 4.8.2); otherwise every member receives all messages.
    ///   - formerShare: an earlier name of the share, to which the session may still be subscribed.
    ///   - session: whether the broker keeps messages while the client is not connected.
    ///   - take: stores messages. Called on the connection's thread, which it blocks.
    package init(
        configuration: BrokerConfiguration, filters: [String], share: String? = nil, formerShare: String? = nil,
        session: SessionKeeping = .always, backoff: Backoff = Backoff(), logger: Logger,
        take: @escaping @Sendable ([MQTTMessage]) -> Outcome
    ) {
        self.configuration = configuration
        self.filters = filters
        self.share = share
        self.formerShare = formerShare
        self.session = session
        self.backoff = backoff
        self.logger = logger
        self.take = take
    }

    /// Connects and receives until the task is cancelled. Reconnects whenever the connection breaks.
    ///
    /// - Parameters:
    ///   - prepare: called before each connection attempt.
    ///   - subscribed: called when the broker has confirmed all subscriptions. The messages that it returns are
    ///     published.
    ///   - ended: called when a connection or an attempt has ended, with its error.
    /// - Throws: errors of `prepare`; `SubscriptionRefused`.
    package func run(
        prepare: () async throws -> Void, subscribed: () async -> [MQTTMessage],
        ended: ((any Error)?) -> Void = { _ in }
    ) async throws {
        var failover = BrokerFailover(
            endpoints: configuration.endpoints, choice: configuration.version, now: WallClock.now())
        var backoff = backoff
        var history = ConnectionHistory()
        var generator = SystemRandomNumberGenerator()
        // Consecutive connections that ended because of a message that no client can read.
        var unreadable = 0
        var wasEverSubscribed = false
        while !Task.isCancelled {
            try await prepare()
            if Task.isCancelled { return }
            var since: ContinuousClock.Instant?
            var isSubscribed = false
            var failure: (any Error)?
            do {
                try await serve(&failover) {
                    isSubscribed = true
                    return await subscribed()
                } connected: {
                    since = .now
                }
            } catch let error as SubscriptionRefused {
                // At first this is a configuration error. Later it is a fault of the broker, and no reason to exit.
                guard wasEverSubscribed else { throw error }
                failure = error
            } catch {
                failure = error
            }
            wasEverSubscribed = wasEverSubscribed || isSubscribed
            if Task.isCancelled { return }
            var reason = failure as? MQTTError
            if since != nil, reason.map(Self.isUnreadable) ?? false {
                unreadable += 1
            } else if since.map({ ContinuousClock.now - $0 >= ConnectionHistory.good }) ?? false {
                // Attempts in between that failed for other reasons prove nothing.
                unreadable = 0
            }
            if unreadable >= Self.mostUnreadable {
                unreadable = 0
                await giveUpSession(&failover)
            }
            let conclusion = history.ended(
                reason?.cause, after: since.map { .init(held: ContinuousClock.now - $0, wasAnswered: isSubscribed) })
            if let cause = conclusion.cause { reason?.cause = cause }
            if let failure {
                logger.warning("broker connection failed", metadata: .init(describing: reason ?? failure))
            }
            ended(reason ?? failure)
            backoff.heed(conclusion.pace)
            guard failover.failed(reason, wasConnected: since != nil) else { continue }
            let time = backoff.next(using: &generator)
            logger.info("next attempt to reach the broker", metadata: ["in": "\(time)"])
            try? await Task.sleep(for: time)
        }
    }

    /// Number of connections ended by an unreadable message after which the session is discarded, with everything that
    /// waits in it.
    private static let mostUnreadable = 5

    /// Whether the error came from a message whose topic or form no client accepts. Such a message ends each connection
    /// and arrives again with the next one.
    private static func isUnreadable(_ error: MQTTError) -> Bool {
        let statuses: [LibraryStatus] = [.malformedUTF8, .protocolError, .malformedPacket]
        return statuses.contains { error.cause == .library($0) }
    }

    private func giveUpSession(_ failover: inout BrokerFailover) async {
        logger.error(
            "unreadable message in the broker's session, discarding the session and its messages",
            metadata: [
                "broker": "\(failover.endpoint)", "session": "\(configuration.clientID)",
                "remedy":
                    "check who can publish on malformed topics; gateways with confirm = \"consumer\" re-deliver",
            ])
        do {
            try await BrokerProbe.discardSession(
                configuration, failover.endpoint, failover.version(at: WallClock.now()),
                within: configuration.connectTimeout)
        } catch {
            logger.warning("session not discarded", metadata: ["because": "\(error.inOneLine)"])
        }
    }

    private func serve(
        _ failover: inout BrokerFailover, subscribed: () async -> [MQTTMessage], connected: () -> Void
    ) async throws {
        let version = failover.version(at: WallClock.now())
        let filters = await sharedFilters(failover.endpoint, version)
        let box = LockedValue<MQTTConnection?>(nil)
        let connection = try MQTTConnection(
            configuration: configuration, endpoint: failover.endpoint, version: version, will: nil, session: session,
            take: { [take] messages in
                switch take(messages) {
                case .failed: return false
                case .stored(let replies):
                    // A reply that cannot be published is not lost for good: the messages of `subscribed` report what
                    // is stored whenever all subscriptions have been confirmed.
                    let connection = box.withLock { $0 }
                    for reply in replies { _ = try? connection?.publish(reply) }
                    return true
                }
            })
        box.withLock { $0 = connection }
        // The connection retains `take`, which retains the connection through the box.
        defer { box.withLock { $0 = nil } }
        let limit = Task { [configuration] in
            try await Task.sleep(for: configuration.connectTimeout)
            connection.abandon(.timedOut)
        }
        defer { limit.cancel() }
        try await connection.use {
            try await receive(connection, filters, &failover, subscribed: subscribed) {
                limit.cancel()
                connected()
            }
        }
    }

    private func receive(
        _ connection: MQTTConnection, _ filters: [String], _ failover: inout BrokerFailover,
        subscribed: () async -> [MQTTMessage], connected: () -> Void
    ) async throws {
        let metadata: Logger.Metadata = ["broker": "\(failover.endpoint)", "mqtt": "\(connection.version.rawValue)"]
        try await withTaskCancellationHandler {
            var awaited: [Int32: String] = [:]
            for try await event in connection.events {
                switch event {
                case .connected:
                    connected()
                    _ = failover.connected(at: WallClock.now())
                    logger.info("connected to the broker", metadata: metadata)
                    for filter in filters { awaited[try connection.subscribe(to: filter)] = filter }
                case .subscribed(let number, let isGranted):
                    guard let filter = awaited.removeValue(forKey: number) else { break }
                    guard isGranted else {
                        connection.disconnect()
                        throw SubscriptionRefused(broker: connection.endpoint.description, filter: filter)
                    }
                    guard awaited.isEmpty else { break }
                    // The old subscriptions are removed after the new ones are granted, so that no message is missed in
                    // between.
                    for filter in otherForm(filters) { try connection.unsubscribe(from: filter) }
                    for message in await subscribed() { _ = try? connection.publish(message) }
                case .rejected(let number, let reason):
                    logger.error(
                        "message rejected by the broker", metadata: ["number": "\(number)", "reason": "\(reason)"])
                case .acknowledged: _ = connection.takeAcknowledged()
                case .message: break
                }
            }
        } onCancel: {
            connection.disconnect()
        }
    }

    /// Returns the filters to which the session may still be subscribed because the broker's support for shared
    /// subscriptions has changed.
    private func otherForm(_ subscribed: [String]) -> [String] {
        guard let share else { return [] }
        let shares = [share, formerShare].compactMap(\.self)
        return (filters + shares.flatMap { name in filters.map { Self.shared($0, by: name) } })
            .filter { !subscribed.contains($0) }
    }

    private static func shared(_ filter: String, by share: String) -> String { "$share/\(share)/\(filter)" }

    /// Returns the filters to subscribe to. A broker without shared subscriptions accepts the subscription and then
    /// sends nothing, so support is tested first.
    private func sharedFilters(_ endpoint: BrokerEndpoint, _ version: MQTTVersion) async -> [String] {
        guard let share else { return filters }
        switch await SharedSubscriptionProbe.works(configuration, endpoint, version) {
        case true?: return filters.map { Self.shared($0, by: share) }
        case false?:
            logger.warning(
                "shared subscriptions not supported by the broker, every matcher receives every record",
                metadata: ["broker": "\(endpoint)"])
            return filters
        // The connection itself fails and reports the cause.
        case nil: return filters
        }
    }
}

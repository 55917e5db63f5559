import BeaconModel
import CMosquitto
package import Logging
package import Publishing
package import RecordContract
import SystemIO

/// Receives what others publish in a session that the broker keeps, and acknowledges it after it was stored.
///
/// A message that comes is handed over before its acknowledgement leaves this process: whoever is killed in between gets
/// it again, and may get it twice.
package struct MQTTConsumer: Sendable {
    /// What became of a batch of messages.
    package enum Outcome: Sendable {
        /// They are stored; these messages say so.
        case stored([MQTTMessage])
        /// They aren't, and shall come again: the connection is left.
        case failed
    }

    private let configuration: BrokerConfiguration
    private let filters: [String]
    private let share: String?
    private let formerShare: String?
    private let logger: Logger
    private let backoff: Backoff
    private let take: @Sendable ([MQTTMessage]) -> Outcome

    /// - Parameters:
    ///   - configuration: its client identifier names the session; its `inFlight` is how many messages the broker sends
    ///     before it waits for an acknowledgement, which is what is stored at once.
    ///   - filters: of topics.
    ///   - share: with whom the messages are shared, each going to one of them, where the broker can do that (MQTT 5.0,
    ///     section 4.8.2); else everybody gets all of them.
    ///   - formerShare: the share's name in an earlier time, which a session may still be subscribed to.
    ///   - take: stores messages. Blocks the thread of the connection, on which it is called.
    package init(
        configuration: BrokerConfiguration, filters: [String], share: String? = nil, formerShare: String? = nil,
        backoff: Backoff = Backoff(), logger: Logger, take: @escaping @Sendable ([MQTTMessage]) -> Outcome
    ) {
        self.configuration = configuration
        self.filters = filters
        self.share = share
        self.formerShare = formerShare
        self.backoff = backoff
        self.logger = logger
        self.take = take
    }

    /// Connects and receives, again whenever the connection breaks, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - prepare: called before each attempt to connect.
    ///   - subscribed: called when the broker has confirmed all subscriptions; what it gives is published.
    /// - Throws: what `prepare` throws; `SubscriptionRefused`.
    package func run(
        prepare: () async throws -> Void, subscribed: () async -> [MQTTMessage]
    ) async throws {
        var ladder = BrokerLadder(
            endpoints: configuration.endpoints, choice: configuration.version, now: WallClock.now())
        var backoff = backoff
        var history = ConnectionHistory()
        var generator = SystemRandomNumberGenerator()
        // Connections in a row that ended at something that no client can read.
        var unreadable = 0
        var wasEverSubscribed = false
        while !Task.isCancelled {
            try await prepare()
            if Task.isCancelled { return }
            var since: ContinuousClock.Instant?
            var isSubscribed = false
            var failure: (any Error)?
            do {
                try await serve(&ladder) {
                    isSubscribed = true
                    return await subscribed()
                } connected: {
                    since = .now
                }
            } catch let error as SubscriptionRefused {
                // At first it is a mistake of the configuration. Later it is the broker's trouble, and no reason to end.
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
                // Nothing is concluded from attempts that failed for something else in between.
                unreadable = 0
            }
            if unreadable >= Self.mostUnreadable {
                unreadable = 0
                await giveUpSession(&ladder)
            }
            let conclusion = history.ended(
                reason?.cause, after: since.map { .init(held: ContinuousClock.now - $0, wasAnswered: isSubscribed) })
            if let cause = conclusion.cause { reason?.cause = cause }
            if let failure {
                logger.warning("broker connection failed", metadata: .init(describing: reason ?? failure))
            }
            backoff.heed(conclusion.pace)
            guard ladder.failed(reason, wasConnected: since != nil) else { continue }
            let time = backoff.next(using: &generator)
            logger.info("next attempt to reach the broker", metadata: ["in": "\(time)"])
            try? await Task.sleep(for: time)
        }
    }

    /// After so many connections that one message ended, it is given up with all that waits behind it.
    private static let mostUnreadable = 5

    /// A message whose topic or form no client takes ends each connection, and comes again with the next one.
    private static func isUnreadable(_ error: MQTTError) -> Bool {
        let statuses: [LibraryStatus] = [.malformedUTF8, .protocolError, .malformedPacket]
        return statuses.contains { error.cause == .library($0) }
    }

    private func giveUpSession(_ ladder: inout BrokerLadder) async {
        logger.error(
            "the broker holds a message that no client can read: the session is given up with what waits in it",
            metadata: [
                "broker": "\(ladder.endpoint)", "session": "\(configuration.clientID)",
                "remedy":
                    "look who may publish on topics of other characters; gateways with outbox.confirm = \"consumer\" send again",
            ])
        do {
            try await BrokerProbe.discardSession(
                configuration, ladder.endpoint, ladder.version(at: WallClock.now()),
                within: configuration.connectTimeout)
        } catch {
            logger.warning("can't give the session up", metadata: ["because": "\(error.inOneLine)"])
        }
    }

    private func serve(
        _ ladder: inout BrokerLadder, subscribed: () async -> [MQTTMessage], connected: () -> Void
    ) async throws {
        let version = ladder.version(at: WallClock.now())
        let filters = await sharedFilters(ladder.endpoint, version)
        let box = LockedValue<MQTTConnection?>(nil)
        let connection = try MQTTConnection(
            configuration: configuration, endpoint: ladder.endpoint, version: version, will: nil, session: .always,
            take: { [take] messages in
                switch take(messages) {
                case .failed: return false
                case .stored(let replies):
                    // It says so once all of them have come: until then nobody waits.
                    let connection = box.withLock { $0 }
                    for reply in replies { _ = try? connection?.publish(reply) }
                    return true
                }
            })
        box.withLock { $0 = connection }
        // The connection keeps what takes, and that keeps the connection.
        defer { box.withLock { $0 = nil } }
        let limit = Task { [configuration] in
            try await Task.sleep(for: configuration.connectTimeout)
            connection.abandon(.timedOut)
        }
        defer { limit.cancel() }
        try await connection.use {
            try await receive(connection, filters, &ladder, subscribed: subscribed) {
                limit.cancel()
                connected()
            }
        }
    }

    private func receive(
        _ connection: MQTTConnection, _ filters: [String], _ ladder: inout BrokerLadder,
        subscribed: () async -> [MQTTMessage], connected: () -> Void
    ) async throws {
        let metadata: Logger.Metadata = ["broker": "\(ladder.endpoint)", "mqtt": "\(connection.version.rawValue)"]
        try await withTaskCancellationHandler {
            var awaited: [Int32: String] = [:]
            for try await event in connection.events {
                switch event {
                case .connected:
                    connected()
                    _ = ladder.connected(at: WallClock.now())
                    logger.info("connected to the broker", metadata: metadata)
                    for filter in filters { awaited[try connection.subscribe(to: filter)] = filter }
                case .subscribed(let number, let isGranted):
                    guard let filter = awaited.removeValue(forKey: number) else { break }
                    guard isGranted else {
                        connection.disconnect()
                        throw SubscriptionRefused(broker: connection.endpoint.description, filter: filter)
                    }
                    guard awaited.isEmpty else { break }
                    // After the new ones, so that nothing is missed in between.
                    for filter in otherForm(filters) { try connection.unsubscribe(from: filter) }
                    for message in await subscribed() { _ = try? connection.publish(message) }
                case .rejected(let number, let reason):
                    logger.error(
                        "the broker doesn't take a message", metadata: ["number": "\(number)", "reason": "\(reason)"])
                case .acknowledged: _ = connection.takeAcknowledged()
                case .message: break
                }
            }
        } onCancel: {
            connection.disconnect()
        }
    }

    /// What the session may be subscribed to from a time when the broker had shared subscriptions, or hadn't.
    private func otherForm(_ subscribed: [String]) -> [String] {
        guard let share else { return [] }
        let shares = [share, formerShare].compactMap(\.self)
        return (filters + shares.flatMap { name in filters.map { Self.shared($0, by: name) } })
            .filter { !subscribed.contains($0) }
    }

    private static func shared(_ filter: String, by share: String) -> String { "$share/\(share)/\(filter)" }

    /// The filters as they are subscribed. A broker that has no shared subscriptions takes the subscription all the same and
    /// sends nothing, so it is tried.
    private func sharedFilters(_ endpoint: BrokerEndpoint, _ version: MQTTVersion) async -> [String] {
        guard let share else { return filters }
        switch await SharedSubscriptionProbe.works(configuration, endpoint, version) {
        case true?: return filters.map { Self.shared($0, by: share) }
        case false?:
            logger.warning(
                "this broker has no shared subscriptions: every matcher gets every record, which one store has once",
                metadata: ["broker": "\(endpoint)"])
            return filters
        // The connection itself fails, and says why.
        case nil: return filters
        }
    }
}

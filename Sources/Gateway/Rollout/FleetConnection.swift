import BeaconModel
import MQTTBridge
import OperatorText
import Publishing
import RecordContract
import Rollout
import SystemIO

/// A connection to the broker for the time of a command, which is renewed when it breaks.
actor FleetConnection {
    enum Event: Sendable {
        /// The broker has confirmed the subscriptions, at first or again.
        case subscribed
        case heard(GatewayPath, HeardMessage)
        /// - Parameter retryIn: the time until the next attempt.
        case lost(reason: String, retryIn: Duration)
        case timePassed
        case interrupted
    }

    /// What happens, in order. Ends with an error if the broker cannot be reached at first.
    nonisolated let events: AsyncThrowingStream<Event, any Error>
    private nonisolated let happened: AsyncThrowingStream<Event, any Error>.Continuation
    private var broker: BrokerConfiguration
    private let prefix: String
    private let filters: [String]
    private var subscriber: MQTTSubscriber?
    private var wasSubscribed = false
    private var timer: Task<Void, Never>?

    /// Time limit for connecting and for the confirmation of the subscriptions.
    private static let patience: Duration = .seconds(15)

    private init(_ broker: BrokerConfiguration, prefix: String, filters: [String]) {
        self.broker = broker
        self.prefix = prefix
        self.filters = filters
        (events, happened) = AsyncThrowingStream.makeStream()
    }

    /// Connects, runs `body`, and ends the connection.
    static func use<Value: Sendable>(
        _ broker: BrokerConfiguration, prefix: String, filters: [String],
        _ body: @Sendable (FleetConnection) async throws -> Value
    ) async throws -> Value {
        let connection = FleetConnection(broker, prefix: prefix, filters: filters)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await connection.run() }
            do {
                let value = try await body(connection)
                group.cancelAll()
                return value
            } catch {
                group.cancelAll()
                throw error
            }
        }
    }

    /// Adds an event that does not come from the broker.
    nonisolated func add(_ event: Event) { happened.yield(event) }

    /// Adds `timePassed` after a time, in place of an earlier one.
    func wake(after time: Duration?) {
        timer?.cancel()
        timer = time.map { time in
            Task { [happened] in
                guard (try? await Task.sleep(for: time)) != nil else { return }
                happened.yield(.timePassed)
            }
        }
    }

    /// Sends a message, if there is a connection.
    ///
    /// - Returns: whether it was sent.
    func publish(_ message: MQTTMessage) -> Bool {
        guard let subscriber else { return false }
        do {
            try subscriber.publish(message)
            return true
        } catch {
            return false
        }
    }

    private func run() async {
        defer { timer?.cancel() }
        var backoff = Backoff()
        var generator = SystemRandomNumberGenerator()
        while !Task.isCancelled {
            var reason = "it closed the connection"
            do {
                try await serve()
            } catch {
                if Task.isCancelled { break }
                guard wasSubscribed else {
                    if let renamed = broker.namedAsUser(after: error) {
                        broker = renamed
                        continue
                    }
                    happened.finish(throwing: error)
                    return
                }
                reason = error.inOneLine
            }
            subscriber = nil
            if Task.isCancelled { break }
            guard wasSubscribed else {
                happened.finish(throwing: MuteBroker(broker: "\(broker.preferred)"))
                return
            }
            let wait = backoff.next(using: &generator)
            happened.yield(.lost(reason: reason, retryIn: wait))
            try? await Task.sleep(for: wait)
        }
        happened.finish()
    }

    private func serve() async throws {
        let version: MQTTVersion = broker.version == .five ? .five : .threeOneOne
        let subscriber = try MQTTSubscriber(configuration: broker, version: version, filters: filters)
        let isSubscribed = LockedValue(false)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { [happened, prefix] in
                try await subscriber.run {
                    isSubscribed.withLock { $0 = true }
                    await self.connected(subscriber)
                } _: { message in
                    if let (gateway, message) = HeardMessage.read(message, prefix: prefix) {
                        happened.yield(.heard(gateway, message))
                    }
                    return true
                }
                return true
            }
            group.addTask { [broker] in
                try await Task.sleep(for: Self.patience)
                guard isSubscribed.withLock({ $0 }) else { throw MuteBroker(broker: "\(broker.preferred)") }
                return false
            }
            while let isOver = try await group.next() {
                if isOver { group.cancelAll() }
            }
        }
    }

    private func connected(_ subscriber: MQTTSubscriber) {
        self.subscriber = subscriber
        wasSubscribed = true
        happened.yield(.subscribed)
    }

    // MARK: Survey

    /// Collects what the broker has kept of the gateways.
    ///
    /// A broker does not say when it has sent everything, so the end is when nothing more comes.
    ///
    /// - Parameters:
    ///   - quiet: time without a message after which nothing more is expected.
    ///   - limit: maximum time.
    ///   - isComplete: whether enough was heard.
    func survey(
        quiet: Duration, limit: Duration, until isComplete: (HeardFleet) -> Bool = { _ in true }
    ) async throws -> HeardFleet {
        var fleet = HeardFleet()
        let start = ContinuousClock.now
        var last = start
        for try await event in events {
            let now = ContinuousClock.now
            switch event {
            case .subscribed: last = now
            case .heard(let gateway, let message):
                fleet.take(message, of: gateway)
                last = now
            case .lost, .timePassed: break
            case .interrupted: throw CancellationError()
            }
            if wasSubscribed, now - start >= limit || now - last >= quiet && isComplete(fleet) { return fleet }
            wake(after: max(.milliseconds(20), min(quiet - (now - last), limit - (now - start))))
        }
        return fleet
    }
}

private struct MuteBroker: OperatorError {
    var broker: String

    var what: String { "\(broker) does not answer like an MQTT broker" }
    var remedy: String? { "correct host, port and tls in [broker] of fleet.toml" }
    var exitStatus: ExitStatus { .unavailable }
}

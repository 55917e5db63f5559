import BeaconModel
public import Logging
import SystemIO

/// Keeps a connection to the broker and publishes what it is given: records, each until the broker has
/// acknowledged it; states, of which only the latest matters; the gateway's status.
public actor MQTTPublisher {
    private let configuration: BrokerConfiguration
    private let topics: Topics
    private let status: GatewayStatus
    private let logger: Logger

    private var outbox: Outbox
    /// Retained messages by topic; all are published again after a reconnect.
    private var states: [String: [UInt8]] = [:]
    private var dirtyStates: Set<String> = []
    /// Only while the broker has accepted the connection.
    private var connection: MQTTConnection?
    private var attempt: MQTTConnection?
    private var awaited: [Int32: Awaited] = [:]
    private var pause: Task<Void, Never>?
    private var isFinishing = false
    private var progressWaiter: CheckedContinuation<Void, Never>?

    /// What an acknowledgement is about.
    private enum Awaited {
        case record(UInt64)
        case state
        case farewell
    }

    /// States that are kept at most; each comes from configuration or from a listed beacon that was heard.
    private static let mostStates = 8192

    public init(
        configuration: BrokerConfiguration, topics: Topics, boot: UInt64, outboxCapacity: Int, logger: Logger
    ) {
        self.configuration = configuration
        self.topics = topics
        self.logger = logger
        status = GatewayStatus(boot: boot)
        outbox = Outbox(capacity: outboxCapacity)
    }

    /// Records that the broker hasn't acknowledged.
    public var outboxDepth: Int { outbox.count }
    /// Records that were given up for lack of room.
    public var evictedRecords: UInt64 { outbox.evicted.values.reduce(0, +) }
    public var isConnected: Bool { connection != nil }

    /// Takes records over.
    public func publish(_ records: [Record]) {
        for record in records { outbox.append(record, online: connection != nil) }
        offer()
    }

    /// Sets what is retained on `topic`.
    public func setState(_ payload: [UInt8], topic: String) {
        guard states[topic] != nil || states.count < Self.mostStates else { return }
        guard states[topic] != payload else { return }
        states[topic] = payload
        dirtyStates.insert(topic)
        offer()
    }

    /// Sends a message for those who listen now; without a connection it is dropped.
    public func publishOnce(_ payload: [UInt8], topic: String) {
        guard let connection else { return }
        _ = try? connection.publish(MQTTMessage(topic: topic, payload: payload, qualityOfService: .atMostOnce))
    }

    /// Serves the connection, and makes a new one whenever it breaks, until `finish`.
    public func run() async {
        var backoff = Backoff()
        var generator = SystemRandomNumberGenerator()
        while !isFinishing, !Task.isCancelled {
            do {
                try await serve { backoff.reset() }
            } catch {
                logger.warning("broker connection failed", metadata: ["error": "\(error)"])
            }
            connectionLost()
            guard !isFinishing, !Task.isCancelled else { return }
            let wait = backoff.next(using: &generator)
            logger.info("next attempt to reach the broker", metadata: ["in": "\(wait)"])
            let pause = Task { _ = try? await Task.sleep(for: wait) }
            self.pause = pause
            await withTaskCancellationHandler {
                await pause.value
            } onCancel: {
                pause.cancel()
            }
        }
    }

    /// Waits until the broker has acknowledged everything, however often the connection breaks, or until the time is
    /// over.
    public func waitUntilDelivered(within limit: Duration) async {
        let deadline = ContinuousClock.now + limit
        await waitForProgress(until: deadline) { $0.outbox.count == 0 }
    }

    /// Delivers what waits, says `stopping` and closes the connection; `run` returns then.
    ///
    /// - Parameter limit: how long it may take at most. Without a connection it takes no time.
    /// - Returns: how many records remain undelivered.
    public func finish(within limit: Duration) async -> Int {
        isFinishing = true
        pause?.cancel()
        let deadline = ContinuousClock.now + limit
        if connection != nil {
            await waitForProgress(until: deadline) {
                $0.connection == nil || ($0.outbox.count == 0 && $0.awaited.isEmpty)
            }
            if send(status.message(.stopping, topic: topics.status, at: WallClock.now()), awaiting: .farewell) {
                await waitForProgress(until: deadline) { $0.connection == nil || $0.awaited.isEmpty }
            }
            connection?.disconnect()
            // Gone too early, the broker would take it for a loss and publish the will.
            await waitForProgress(until: deadline) { $0.connection == nil }
        }
        let undelivered = outbox.count
        attempt?.abandon()
        return undelivered
    }

    private func serve(onConnect: () -> Void) async throws {
        let will = status.message(.lost, topic: topics.status, at: nil)
        let connection = try MQTTConnection(configuration: configuration, will: will)
        attempt = connection
        try connection.start()
        for try await event in connection.events {
            switch event {
            case .connected:
                logger.info(
                    "connected to the broker",
                    metadata: ["broker": "\(configuration.host):\(configuration.port)"])
                onConnect()
                self.connection = connection
                send(status.message(.online, topic: topics.status, at: WallClock.now()), awaiting: .state)
                dirtyStates = Set(states.keys)
                offer()
            case .acknowledged(let number):
                if case .record(let sequence)? = awaited.removeValue(forKey: number) { outbox.acknowledge(sequence) }
                offer()
                progressWaiter?.resume()
                progressWaiter = nil
            case .subscribed, .message: break
            }
        }
    }

    private func connectionLost() {
        connection = nil
        attempt = nil
        awaited.removeAll()
        outbox.connectionLost()
        progressWaiter?.resume()
        progressWaiter = nil
    }

    /// Hands to the connection what waits, as far as the window allows.
    private func offer() {
        guard connection != nil else { return }
        for topic in dirtyStates.sorted() {
            guard let payload = states[topic] else { continue }
            send(MQTTMessage(topic: topic, payload: payload, isRetained: true), awaiting: .state)
        }
        dirtyStates.removeAll()
        while connection != nil, outbox.offeredCount < MQTTConnection.window, let entry = outbox.offerNext() {
            let message = MQTTMessage(
                topic: entry.record.topic, payload: entry.record.encoded(historical: entry.isHistorical))
            if !send(message, awaiting: .record(entry.record.sequence)) {
                // It would be refused again for ever, and hold up all others.
                outbox.acknowledge(entry.record.sequence)
            }
        }
    }

    @discardableResult
    private func send(_ message: MQTTMessage, awaiting: Awaited) -> Bool {
        guard let connection else { return false }
        do throws(MQTTError) {
            awaited[try connection.publish(message)] = awaiting
            return true
        } catch {
            logger.error("can't publish", metadata: ["topic": "\(message.topic)", "error": "\(error)"])
            return false
        }
    }

    private func waitForProgress(
        until deadline: ContinuousClock.Instant, _ isDone: (isolated MQTTPublisher) -> Bool
    ) async {
        while !isDone(self), ContinuousClock.now < deadline {
            let alarm = Task {
                guard (try? await Task.sleep(until: deadline, clock: .continuous)) != nil else { return }
                self.wakeWaiter()
            }
            await withCheckedContinuation { progressWaiter = $0 }
            alarm.cancel()
        }
    }

    private func wakeWaiter() {
        progressWaiter?.resume()
        progressWaiter = nil
    }
}

import BeaconModel
public import Logging
import SystemIO

/// Keeps a connection to the broker and publishes what it is given: records, each until the broker has
/// acknowledged it; states, of which only the latest matters; the gateway's status.
public actor MQTTPublisher {
    private let configuration: BrokerConfiguration
    private var status: Status?
    private let subscription: String?
    private let logger: Logger

    /// What others publish on the subscribed topics; the newest 64 for a slow reader.
    public nonisolated let messages: AsyncStream<MQTTMessage>
    private nonisolated let received: AsyncStream<MQTTMessage>.Continuation

    private var outbox: Outbox
    /// Retained messages by topic; all are published again after a reconnect. An empty one is forgotten once the
    /// broker has it. Bounded by those who set them.
    private var states: [String: [UInt8]] = [:]
    private var dirtyStates: Set<String> = []
    /// Only while the broker has accepted the connection.
    private var connection: MQTTConnection?
    private var attempt: MQTTConnection?
    private var awaited: [Int32: Awaited] = [:]
    private var pause: Task<Void, Never>?
    private var isFinishing = false
    private var saidGoodbye = false
    private var waiters: [CheckedContinuation<Void, Never>] = []
    /// Counts acknowledgements.
    private var progress = 0

    /// Where and with which boot number the gateway's state is published.
    public struct Status: Sendable {
        fileprivate var topic: String
        fileprivate var messages: GatewayStatus

        public init(topic: String, boot: UInt64) {
            self.topic = topic
            messages = GatewayStatus(boot: boot)
        }
    }

    /// What an acknowledgement is about.
    private enum Awaited {
        case record(UInt64)
        case state(String)
        case status
        case farewell
        /// A message that isn't sent again.
        case once
    }

    /// - Parameters:
    ///   - status: `nil` for somebody who isn't the gateway itself.
    ///   - subscription: a topic filter; what comes on it is in `messages`.
    public init(
        configuration: BrokerConfiguration, status: Status?, subscription: String? = nil, outboxCapacity: Int,
        logger: Logger
    ) {
        self.configuration = configuration
        self.status = status
        self.subscription = subscription
        (messages, received) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
        self.logger = logger
        outbox = Outbox(capacity: outboxCapacity)
    }

    /// Records that the broker hasn't acknowledged.
    public var outboxDepth: Int { outbox.count }
    /// Records that were given up for lack of room.
    public var evictedRecords: UInt64 { outbox.evicted.values.reduce(0, +) }
    /// Records that libmosquitto didn't take.
    public private(set) var refusedRecords: UInt64 = 0
    /// Why the last connection failed.
    public private(set) var lastError: MQTTError?
    public var isConnected: Bool { connection != nil }

    /// Takes records over.
    public func publish(_ records: [Record]) {
        for record in records { outbox.append(record, online: connection != nil) }
        offer()
    }

    /// Sets what is retained on `topic`; nothing, to have it forgotten.
    public func setState(_ payload: [UInt8], topic: String) {
        guard states[topic] != payload else { return }
        states[topic] = payload
        dirtyStates.insert(topic)
        offer()
    }

    /// Says on the status topic how the radio is, now and after each reconnect.
    public func setHearing(_ hearing: GatewayStatus.Hearing, adapters: [GatewayStatus.Adapter]) {
        guard let before = status, before.messages.hearing != hearing || before.messages.adapters != adapters else {
            return
        }
        status?.messages.hearing = hearing
        status?.messages.adapters = adapters
        sayOnline()
    }

    private func sayOnline() {
        guard let status, connection != nil, !isFinishing else { return }
        send(status.messages.message(.online, topic: status.topic, at: WallClock.now()), awaiting: .status)
    }

    /// Sends a message for those who listen now; without a connection it is dropped.
    public func publishOnce(
        _ payload: [UInt8], topic: String, qualityOfService: MQTTMessage.QualityOfService = .atMostOnce
    ) {
        let message = MQTTMessage(topic: topic, payload: payload, qualityOfService: qualityOfService)
        switch qualityOfService {
        case .atMostOnce: _ = try? connection?.publish(message)
        case .atLeastOnce: send(message, awaiting: .once)
        }
    }

    /// Serves the connection, and makes a new one whenever it breaks, until `finish`.
    public func run() async {
        var backoff = Backoff()
        var generator = SystemRandomNumberGenerator()
        while !isFinishing, !Task.isCancelled {
            do {
                try await serve { backoff.reset() }
            } catch {
                lastError = error as? MQTTError
                logger.warning("broker connection failed", metadata: .init(describing: error))
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

    /// Waits until the broker has acknowledged everything, however often the connection breaks, or until nothing was
    /// acknowledged for `patience`.
    public func waitUntilDelivered(patience: Duration) async {
        while outbox.count > 0, !Task.isCancelled {
            let before = progress
            await wait(until: .now + patience) { $0.progress != before || $0.outbox.count == 0 }
            if progress == before { return }
        }
    }

    /// Delivers what waits, says `stopping` and closes the connection; `run` returns then.
    ///
    /// When there isn't time enough for `stopping`, the connection is dropped instead, and the broker says `lost`.
    ///
    /// - Parameter limit: how long it may take at most. Without a connection it takes no time.
    /// - Returns: how many records remain undelivered.
    public func finish(within limit: Duration) async -> Int {
        isFinishing = true
        pause?.cancel()
        let deadline = ContinuousClock.now + limit
        if connection != nil {
            await wait(until: deadline - limit / 3) {
                $0.connection == nil || ($0.outbox.count == 0 && $0.awaited.isEmpty && $0.dirtyStates.isEmpty)
            }
            if let status {
                send(status.messages.message(.stopping, topic: status.topic, at: WallClock.now()), awaiting: .farewell)
                await wait(until: deadline - limit / 10) { $0.connection == nil || $0.saidGoodbye }
            }
            if status == nil || saidGoodbye {
                connection?.disconnect()
                // Gone too early, the broker would take it for a loss and publish the will.
                await wait(until: deadline) { $0.connection == nil }
            }
        }
        let undelivered = outbox.count
        attempt?.abandon()
        return undelivered
    }

    private func serve(onConnect: () -> Void) async throws {
        let will = status.map { $0.messages.message(.lost, topic: $0.topic, at: nil) }
        let connection = try MQTTConnection(configuration: configuration, will: will)
        attempt = connection
        logger.info(
            "connecting to the broker", metadata: ["broker": "\(configuration.preferred)"])
        try connection.start()
        for try await event in connection.events {
            switch event {
            case .connected:
                logger.info(
                    "connected to the broker",
                    metadata: ["broker": "\(configuration.preferred)"])
                onConnect()
                self.connection = connection
                if let subscription { try connection.subscribe(to: subscription) }
                sayOnline()
                dirtyStates = Set(states.keys)
                offer()
            case .acknowledged(let number): acknowledged(number)
            case .message(let message): received.yield(message)
            case .subscribed: break
            }
        }
    }

    private func acknowledged(_ number: Int32) {
        switch awaited.removeValue(forKey: number) {
        case .record(let sequence): outbox.acknowledge(sequence)
        case .state(let topic):
            if states[topic]?.isEmpty == true, !dirtyStates.contains(topic) { states.removeValue(forKey: topic) }
        case .farewell: saidGoodbye = true
        case .status, .once, nil: break
        }
        progress += 1
        offer()
        wakeWaiters()
    }

    private func connectionLost() {
        connection = nil
        attempt = nil
        awaited.removeAll()
        outbox.connectionLost()
        wakeWaiters()
    }

    /// Hands to the connection what waits, as far as the window allows; states take no more than half of it.
    private func offer() {
        while connection != nil, awaited.count < MQTTConnection.window / 2, let topic = dirtyStates.popFirst() {
            guard let payload = states[topic] else { continue }
            send(MQTTMessage(topic: topic, payload: payload, isRetained: true), awaiting: .state(topic))
        }
        while connection != nil, awaited.count < MQTTConnection.window, let entry = outbox.offerNext() {
            let message = MQTTMessage(
                topic: entry.record.topic, payload: entry.record.encoded(historical: entry.isHistorical))
            if !send(message, awaiting: .record(entry.record.sequence)) {
                // It would be refused again for ever, and hold up all others.
                outbox.acknowledge(entry.record.sequence)
                refusedRecords += 1
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
            logger.error("can't publish", metadata: ["topic": "\(message.topic)", "error": "\(error.what)"])
            return false
        }
    }

    /// Waits until `isDone`, which is looked at whenever something has changed.
    private func wait(
        until deadline: ContinuousClock.Instant, _ isDone: (isolated MQTTPublisher) -> Bool
    ) async {
        while !isDone(self), ContinuousClock.now < deadline {
            let alarm = Task {
                guard (try? await Task.sleep(until: deadline, clock: .continuous)) != nil else { return }
                self.wakeWaiters()
            }
            await withCheckedContinuation { waiters.append($0) }
            alarm.cancel()
        }
    }

    private func wakeWaiters() {
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.resume() }
    }
}

package import BeaconModel
package import Logging
package import Publishing
package import RecordContract
package import RecordOutbox
import SystemIO

/// A client that keeps a connection to the broker and publishes records, states and this client's announcement. Each
/// record is sent until it is confirmed; of a state, only the latest value matters.
///
/// `PublisherMachine` decides. This actor carries its outputs out.
package actor MQTTPublisher {
    private let configuration: BrokerConfiguration
    private let outbox: Outbox
    private let signer: SigningKey?
    private let memory: BrokerMemory?
    private let logger: Logger
    private var machine: PublisherMachine
    private var connection: MQTTConnection?
    private var readers = MessageReaders()
    /// Begin of the present connection, or end of the last one; `nil` before the first.
    package private(set) var connectionChangedAt: Timestamp?
    private var live = LiveAdmission()
    private var serving: Task<Void, Never>?
    private var probing: Task<Void, Never>?
    private var timer: (instant: ContinuousClock.Instant, task: Task<Void, Never>)?
    private var waiters: [CheckedContinuation<Void, Never>] = []

    private static let probeLimit: Duration = .seconds(10)

    /// Creates a publisher; `run` connects it.
    ///
    /// - Parameters:
    ///   - announcement: `nil` for a client other than the gateway.
    ///   - storedTopic: the topic on which the consumer reports what it has stored.
    ///   - signer: signs records when they are sent, so that records that waited in the outbox for a key, or for
    ///     another key, are signed too. `nil`: records are not signed.
    ///   - memory: remembers over a restart which brokers speak which version.
    ///   - certificateInterval: interval of the check for renewed certificates.
    ///   - preferredInterval: interval of attempts to reach a broker that is preferred to the present one.
    ///   - backoff: the time between attempts.
    package init(
        configuration: BrokerConfiguration, announcement: Announcement? = nil, outbox: Outbox,
        storedTopic: String? = nil, signer: SigningKey? = nil, memory: BrokerMemory? = nil,
        certificateInterval: Duration = .seconds(60),
        preferredInterval: Duration = .seconds(300), backoff: Backoff = Backoff(), logger: Logger
    ) {
        self.configuration = configuration
        self.outbox = outbox
        self.signer = signer
        self.memory = memory
        self.logger = logger
        (takeoverChanges, takeoversChanged) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        machine = PublisherMachine(
            configuration: configuration, announcement: announcement, storedTopic: storedTopic,
            memory: memory?.read() ?? [], certificateInterval: certificateInterval,
            preferredInterval: preferredInterval, backoff: backoff, generator: SystemRandomNumberGenerator(),
            now: WallClock.now())
    }

    /// Records acknowledged since the start.
    package var acknowledgedRecords: UInt64 { machine.acknowledgedRecords }
    /// Why the last connection failed, or the last record was rejected.
    package var lastError: MQTTError? { machine.lastError }
    package var isConnected: Bool { machine.connectedTo != nil }
    /// Number of attempts to connect since the start.
    package var connectionAttempts: Int { machine.connections }
    /// Takeovers of the session by another client; `nil` if there were none.
    package var takeovers: SessionTakeovers? { machine.takeovers }
    /// Yields whenever `takeovers` changes.
    package nonisolated let takeoverChanges: AsyncStream<Void>
    private nonisolated let takeoversChanged: AsyncStream<Void>.Continuation
    /// Why the broker does not accept what it is offered although it is reachable: one sentence without a full stop.
    package var trouble: String? {
        get async {
            let refusal = await outbox.isRefused ? machine.refusal : nil
            return machine.complaint ?? refusal
        }
    }
    /// The broker and the MQTT version of the present connection.
    package var connectedTo: (broker: BrokerEndpoint, version: MQTTVersion)? { machine.connectedTo }

    /// Adds records to the outbox. When this returns, they are on disk, or it is known that they cannot be written.
    package nonisolated func publish(_ records: [Record]) async {
        if records.isEmpty { return }
        await outbox.append(records.map(\.outboxRecord), at: .now())
    }

    /// Sets the retained message on `topic`. An empty payload clears it.
    ///
    /// - Parameter expiry: how long a broker that speaks MQTT 5 keeps the message unless it is replaced.
    package func setState(_ payload: [UInt8], topic: String, expiry: Duration? = nil) async {
        await handle(.setState(payload, topic: topic, expiry: expiry))
    }

    /// Publishes the retained messages again whose topics satisfy `isWanted`.
    package func publishAgain(where isWanted: (String) -> Bool) async {
        machine.queueStates(where: isWanted)
        await handle(.statesQueued)
    }

    /// Replaces the announcement of this client and publishes it, now and at each reconnect.
    package func announce(_ announcement: Announcement) async { await handle(.announce(announcement)) }

    /// Returns the messages that are published on the topics of `filter` from now on, also after reconnects. A slow
    /// reader receives the newest 64.
    package func subscribe(to filter: String) async -> AsyncStream<MQTTMessage> {
        let messages = readers.add(filter)
        await handle(.subscribe(filter: filter))
        return messages
    }

    /// Sends a message to the present subscribers. Without a connection the message is dropped.
    package func publishOnce(_ message: MQTTMessage) async { await handle(.publishOnce(message)) }

    /// Sends a message that is worthless when it is late. It is not queued: it is dropped without a connection, while
    /// the network takes nothing, and while the connection has had something to write for a second.
    ///
    /// - Returns: whether the message was handed over for sending.
    package func publishLive(_ message: MQTTMessage) -> Bool {
        guard machine.connectedTo != nil, let connection, !connection.isStalled,
            live.admits(hasBacklog: connection.hasBacklog, at: .now)
        else { return false }
        return (try? connection.publish(message)) != nil
    }

    /// Serves the connection, and reconnects whenever it breaks, until `finish`.
    package func run() async {
        let changes = Task {
            for await _ in outbox.changes { await handle(.outboxChanged) }
        }
        defer { changes.cancel() }
        await withTaskCancellationHandler {
            await handle(.start)
            await wait(until: nil) { $0.machine.isOver }
            await serving?.value
        } onCancel: {
            Task { await self.handle(.cancel) }
        }
    }

    /// Waits until the broker has acknowledged everything, however often the connection breaks, or until nothing was
    /// acknowledged for `patience`.
    package func waitUntilDelivered(patience: Duration) async {
        while !Task.isCancelled {
            let before = machine.progress
            if await outbox.waiting == 0 { return }
            await wait(until: .now + patience) { $0.machine.progress != before }
            if machine.progress == before { return }
        }
    }

    /// Delivers what waits, sends the farewell and closes the connection; `run` then returns.
    ///
    /// If there is not enough time for the farewell, the connection is dropped instead, and the broker publishes the
    /// will.
    ///
    /// - Parameter limit: the maximum time. Without a connection, this returns at once.
    /// - Returns: the number of records that remain undelivered.
    package func finish(within limit: Duration) async -> Int {
        let deadline = ContinuousClock.now + limit
        await handle(.finish(within: limit))
        await wait(until: deadline) { $0.machine.isOver }
        readers.finish()
        return await outbox.waiting
    }

    // MARK: Decisions

    private func handle(_ input: PublisherMachine.Input) async {
        // The last output is the next. What follows from its answer comes before the others.
        var outputs = decide(input)
        while let output = outputs.popLast() {
            if let answer = await carryOut(output) { outputs += decide(answer) }
        }
    }

    private func decide(_ input: PublisherMachine.Input) -> [PublisherMachine.Output] {
        let (progress, wasOver, wasConnected) = (machine.progress, machine.isOver, isConnected)
        defer {
            if isConnected != wasConnected { connectionChangedAt = WallClock.now() }
            schedule()
            // Nobody waits for anything else.
            if machine.progress != progress || machine.isOver != wasOver { wakeWaiters() }
        }
        return machine.handle(input, now: .now()).reversed()
    }

    /// Carries out an output. Returns the answer to it.
    private func carryOut(_ output: PublisherMachine.Output) async -> PublisherMachine.Input? {
        switch output {
        case .connect(let attempt): return connect(attempt)
        case .disconnect: connection?.disconnect()
        case .abandon(let cause): connection?.abandon(cause)
        case .send(let message, let awaited): return connection?.send(message, as: awaited)
        case .sendUnawaited(let message): _ = try? connection?.publish(message)
        case .sendRecords(let entries, let number):
            guard let connection, machine.isConnected(number) else { return .recordsSent([], []) }
            return connection.send(entries, signer: signer)
        case .request(let subscription, let filter): return connection?.request(subscription, filter)
        case .setOnline(let isOnline):
            await outbox.setOnline(isOnline)
            return isOnline ? .outboxChanged : .outboxOffline
        case .fetch(let limit, let number):
            // What the outbox offers to a lost connection would wait for the end of the next one.
            guard machine.isConnected(number) else { return .fetched(OutboxOffer(), connection: number) }
            return .fetched(await outbox.next(limit, now: .now), connection: number)
        case .confirm(let records, let answers):
            await outbox.acknowledge(records, at: .now())
            return .confirmed(answers: answers)
        case .refuse(let records): for record in records { await outbox.refuse(record) }
        case .withhold(let records):
            for record in records { await outbox.withhold(record, at: .now) }
            return .outboxChanged
        case .stored(let position, let isRetained):
            await outbox.stored(through: position, isRetained: isRetained, at: .now())
            return .outboxChanged
        case .countUndelivered:
            let waiting = await outbox.waiting
            return .undelivered(waiting - (await outbox.withheld))
        case .deliver(let message): readers.deliver(message)
        case .readCertificates: return .certificates(CertificateFiles(reading: configuration.tls))
        case .probe(let probe): carryOut(probe)
        case .remember(let brokers): remember(brokers)
        case .takeoversChanged: takeoversChanged.yield()
        case .log(let notice): notice.log(to: logger)
        }
        return nil
    }

    private func connect(_ attempt: PublisherMachine.Attempt) -> PublisherMachine.Input? {
        do throws(ConnectionFailure) {
            let connection = try MQTTConnection.open(attempt, configuration, logger: logger)
            self.connection = connection
            serving = Task { await serve(connection, attempt.number) }
            return nil
        } catch {
            return .connection(attempt.number, .ended(error))
        }
    }

    private func serve(_ connection: MQTTConnection, _ number: Int) async {
        var failure: ConnectionFailure?
        do {
            for try await event in connection.events { await handle(.connection(number, connection.take(event))) }
        } catch {
            failure = (error as? MQTTError).map(ConnectionFailure.broker)
        }
        if self.connection === connection { self.connection = nil }
        probing?.cancel()
        await handle(.connection(number, .ended(failure)))
    }

    private func carryOut(_ probe: PublisherMachine.Probe) {
        probing = Task {
            var failure: MQTTError?
            do throws(MQTTError) {
                _ = try await BrokerProbe.connect(
                    configuration, endpoint: probe.endpoint, version: probe.version, within: Self.probeLimit)
            } catch {
                failure = error
            }
            await handle(.probed(probe, failure))
        }
    }

    private func remember(_ brokers: [KnownBroker]) {
        do {
            try memory?.write(brokers)
        } catch {
            PublisherNotice.versionNotSaved(reason: error.what).log(to: logger)
        }
    }

    // MARK: Waiting

    private func schedule() {
        let instant = machine.wakesAt
        guard instant != timer?.instant else { return }
        timer?.task.cancel()
        timer = instant.map { instant in
            let task = Task {
                try? await Task.sleep(until: instant, clock: .continuous)
                // Another timer may have been set after this one has ended.
                if Task.isCancelled { return }
                timer = nil
                await handle(.timeReached)
            }
            return (instant, task)
        }
    }

    /// Waits until `isDone`, which is evaluated when messages were acknowledged and when the machine is over, or until
    /// `deadline`.
    private func wait(
        until deadline: ContinuousClock.Instant?, _ isDone: (isolated MQTTPublisher) -> Bool
    ) async {
        let alarm = Task {
            guard let deadline, (try? await Task.sleep(until: deadline, clock: .continuous)) != nil else { return }
            wakeWaiters()
        }
        defer { alarm.cancel() }
        while !isDone(self), deadline.map({ ContinuousClock.now < $0 }) ?? true {
            await withCheckedContinuation { waiters.append($0) }
        }
    }

    private func wakeWaiters() {
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.resume() }
    }
}

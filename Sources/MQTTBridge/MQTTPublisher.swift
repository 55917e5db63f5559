import BeaconModel
import CMosquitto
package import Logging
package import Publishing
package import RecordContract
package import RecordOutbox
import SystemIO

/// A client that keeps a connection to the broker and publishes records, states and this client's announcement. Each
/// record is sent until it is confirmed; of a state, only the latest value matters.
package actor MQTTPublisher {
    private let configuration: BrokerConfiguration
    private let outbox: Outbox
    private var announcement: Announcement?
    /// The topic on which the consumer reports what it has stored.
    private let storedTopic: String?
    /// The number under which the broker's answer to the `storedTopic` subscription arrives.
    private var storedNumber: Int32?
    private let signer: SigningKey?
    private let memory: BrokerMemory?
    private let logger: Logger

    private var ladder: BrokerLadder
    private var states = RetainedStates()
    private var subscriptions: [Subscription] = []
    /// The connection, while the broker has accepted it.
    private var link: Link?
    private var attempt: MQTTConnection?
    private var awaited = AwaitedMessages()
    private var pause: Task<Void, Never>?
    private var isFinishing = false
    private var saidGoodbye = false
    /// Whether the connection is being given up for a better one.
    private var isDeparting = false
    private var isOffering = false
    private var offersAgain = false
    private var paced: Task<Void, Never>?
    /// The time at which `paced` ends.
    private var resumesAt = ContinuousClock.now
    private var waiters: [CheckedContinuation<Void, Never>] = []
    /// Dropped messages of other clients, and the time of the latest log message about them.
    private var dropped: (count: UInt64, saidAt: ContinuousClock.Instant?) = (0, nil)
    /// Messages of the consumer on `storedTopic` that could not be parsed, and the time of the latest log message about
    /// them.
    private var notUnderstood: (count: UInt64, saidAt: ContinuousClock.Instant?) = (0, nil)
    /// Number of acknowledgements.
    private var progress = 0
    private var history = ConnectionHistory()
    /// Why sent messages are not acknowledged, and whether there were records among them.
    private var undelivered: (text: String, hasRecords: Bool)?
    /// Why the broker rejected the most recently rejected record.
    private var refusal: String?
    private var refusalNotes = RefusalNotes()
    /// Brokers about which the MQTT 3.1.1 warning was logged.
    private var saidToBeOld: Set<BrokerEndpoint> = []

    private struct Link {
        var connection: MQTTConnection
        var session: MQTTSession
        var since = ContinuousClock.now
        /// Whether the broker has acknowledged anything.
        var hasAnswered = false
    }

    private struct Subscription {
        var filter: String
        var messages: AsyncStream<MQTTMessage>.Continuation
        /// The number under which the broker's answer arrives.
        var number: Int32?
    }

    /// Interval of the check for renewed certificates.
    private let certificateInterval: Duration
    /// Interval of attempts to reach a broker that is preferred to the present one.
    private let preferredInterval: Duration
    private let backoff: Backoff
    private static let probeLimit: Duration = .seconds(10)
    /// Minimum time between two log messages about dropped messages, so that a flood of messages does not flood the
    /// log.
    private static let droppedInterval: Duration = .seconds(30)

    /// Creates a publisher; `run` connects it.
    ///
    /// - Parameters:
    ///   - announcement: `nil` for a client other than the gateway.
    ///   - storedTopic: the topic on which the consumer reports what it has stored.
    ///   - signer: signs records when they are sent, so that records that waited in the outbox for a key, or for
    ///     another key, are signed too. `nil`: records are not signed.
    ///   - memory: remembers over a restart which brokers speak which version.
    ///   - backoff: the time between attempts.
    package init(
        configuration: BrokerConfiguration, announcement: Announcement? = nil, outbox: Outbox,
        storedTopic: String? = nil, signer: SigningKey? = nil, memory: BrokerMemory? = nil,
        certificateInterval: Duration = .seconds(60),
        preferredInterval: Duration = .seconds(300), backoff: Backoff = Backoff(), logger: Logger
    ) {
        self.configuration = configuration
        self.announcement = announcement
        self.outbox = outbox
        self.storedTopic = storedTopic
        self.signer = signer
        self.memory = memory
        self.certificateInterval = certificateInterval
        self.preferredInterval = preferredInterval
        self.backoff = backoff
        self.logger = logger
        (takeoverChanges, takeoversChanged) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        ladder = BrokerLadder(
            endpoints: configuration.endpoints, choice: configuration.version, memory: memory?.read() ?? [],
            now: WallClock.now())
    }

    /// Records acknowledged since the start.
    package private(set) var acknowledgedRecords: UInt64 = 0
    /// Why the last connection failed, or the last record was rejected.
    package private(set) var lastError: MQTTError?
    package var isConnected: Bool { link != nil }
    /// Takeovers of the session by another client; `nil` if there were none.
    package private(set) var takeovers: SessionTakeovers?
    /// Yields whenever `takeovers` changes.
    package nonisolated let takeoverChanges: AsyncStream<Void>
    private nonisolated let takeoversChanged: AsyncStream<Void>.Continuation
    /// Why the broker does not accept what it is offered although it is reachable: one sentence without a full stop.
    package var trouble: String? {
        get async {
            let refusal = await outbox.isRefused ? refusal : nil
            return undelivered?.text ?? refusal
        }
    }
    /// The broker and the MQTT version of the present connection.
    package var connectedTo: (broker: BrokerEndpoint, version: MQTTVersion)? {
        link.map { ($0.connection.endpoint, $0.session.version) }
    }

    /// Adds records to the outbox. When this returns, they are on disk, or it is known that they cannot be written.
    package nonisolated func publish(_ records: [Record]) async {
        if records.isEmpty { return }
        await outbox.append(records.map(\.outboxRecord), at: .now())
    }

    /// Sets the retained message on `topic`. An empty payload clears it.
    ///
    /// - Parameter expiry: how long a broker that speaks MQTT 5 keeps the message unless it is replaced.
    package func setState(_ payload: [UInt8], topic: String, expiry: Duration? = nil) {
        if states.set(payload, topic: topic, expiry: expiry) { offerStates() }
    }

    /// Publishes the retained messages again whose topics satisfy `isWanted`.
    package func publishAgain(where isWanted: (String) -> Bool) {
        states.repeatAll(where: isWanted)
        offerStates()
    }

    /// Replaces the announcement of this client and publishes it, now and at each reconnect.
    package func announce(_ announcement: Announcement) {
        self.announcement = announcement
        sayOnline()
    }

    /// Returns the messages that are published on the topics of `filter` from now on, also after reconnects. A slow
    /// reader receives the newest 64.
    package func subscribe(to filter: String) -> AsyncStream<MQTTMessage> {
        let (messages, continuation) = AsyncStream<MQTTMessage>.makeStream(bufferingPolicy: .bufferingNewest(64))
        subscriptions.append(Subscription(filter: filter, messages: continuation))
        request(subscriptions.count - 1)
        return messages
    }

    /// Sends a message to the present subscribers. Without a connection the message is dropped.
    package func publishOnce(_ message: MQTTMessage) {
        switch message.qualityOfService {
        case .atMostOnce: _ = try? link?.connection.publish(message)
        case .atLeastOnce: send(message, awaiting: .once(topic: message.topic))
        }
    }

    /// Serves the connection, and reconnects whenever it breaks, until `finish`.
    package func run() async {
        var backoff = backoff
        var generator = SystemRandomNumberGenerator()
        let changes = Task {
            for await _ in outbox.changes { await offer() }
        }
        defer { changes.cancel() }
        while !isFinishing, !Task.isCancelled {
            var failure: (any Error)?
            do {
                try await serve()
            } catch {
                failure = error
            }
            let connection = link.map {
                ConnectionHistory.Connection(held: ContinuousClock.now - $0.since, wasAnswered: $0.hasAnswered)
            }
            // A connection that this client ended itself says nothing about the broker.
            let isOwnEnd = isFinishing || isDeparting || Task.isCancelled
            var error = failure as? MQTTError
            if !isOwnEnd, connection != nil, let error { suspectStates(after: error) }
            let conclusion = isOwnEnd ? nil : history.ended(error?.cause, after: connection)
            if let cause = conclusion?.cause { error?.cause = cause }
            if let failure {
                lastError = error
                note(error ?? failure, takeover: conclusion?.takeover)
            }
            await connectionLost()
            if isFinishing || Task.isCancelled { break }
            if isDeparting {
                isDeparting = false
                continue
            }
            if let conclusion { backoff.heed(conclusion.pace) }
            guard ladder.failed(error, wasConnected: connection != nil) else { continue }
            await wait(for: backoff.next(using: &generator))
        }
    }

    /// Waits until the broker has acknowledged everything, however often the connection breaks, or until nothing was
    /// acknowledged for `patience`.
    package func waitUntilDelivered(patience: Duration) async {
        while !Task.isCancelled {
            let before = progress
            if await outbox.waiting == 0 { return }
            await wait(until: .now + patience) { $0.progress != before }
            if progress == before { return }
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
        isFinishing = true
        pause?.cancel()
        let deadline = ContinuousClock.now + limit
        if link != nil {
            await deliver(until: deadline - limit / 3)
            if let announcement {
                send(announcement.farewell(WallClock.now()), awaiting: .farewell)
                await wait(until: deadline - limit / 10) { $0.link == nil || $0.saidGoodbye }
            }
            if announcement == nil || saidGoodbye {
                link?.connection.disconnect()
                // If the process exited too early, the broker would treat it as a lost connection and publish the will.
                await wait(until: deadline) { $0.link == nil }
            }
        }
        attempt?.abandon()
        for subscription in subscriptions { subscription.messages.finish() }
        return await outbox.waiting
    }

    private func deliver(until deadline: ContinuousClock.Instant) async {
        while link != nil, ContinuousClock.now < deadline {
            let before = progress
            // Records that the broker rejects will not be accepted within this time.
            if await outbox.waiting <= outbox.withheld, awaited.isEmpty, states.areGiven { return }
            await wait(until: deadline) { $0.link == nil || $0.progress != before }
        }
    }

    // MARK: Connections

    private func serve() async throws {
        let version = ladder.version(at: WallClock.now())
        let connection = try MQTTConnection(
            configuration: configuration, endpoint: ladder.endpoint, version: version, will: announcement?.will,
            session: announcement == nil ? .never : .whereItExpires)
        attempt = connection
        let metadata: Logger.Metadata = ["broker": "\(ladder.endpoint)", "mqtt": "\(version.rawValue)"]
        logger.info("connecting to the broker", metadata: metadata)
        try connection.start()
        let limit = Task { [configuration] in
            try await Task.sleep(for: configuration.connectTimeout)
            connection.abandon(.timedOut)
        }
        var watch: Task<Void, Never>?
        defer {
            limit.cancel()
            watch?.cancel()
        }
        for try await event in connection.events {
            switch event {
            case .connected(let session):
                limit.cancel()
                logger.info("connected to the broker", metadata: metadata)
                await connected(connection, session)
                watch = Task { await watchForBetter(than: connection) }
            case .acknowledged: await acknowledged(connection.takeAcknowledged())
            case .rejected(let number, let reason): try await rejected(number, reason: reason)
            case .message(let message):
                noteDropped(connection.taken(message))
                await received(message)
            case .subscribed(let number, let isGranted):
                let filter =
                    number == storedNumber ? storedTopic : subscriptions.first { $0.number == number }?.filter
                guard !isGranted, let filter else { break }
                logger.error(
                    "subscription rejected by the broker",
                    metadata: ["topics": "\(filter)", "remedy": "let this gateway's user read there"])
            }
        }
    }

    private func connected(_ connection: MQTTConnection, _ session: MQTTSession) async {
        link = Link(connection: connection, session: session)
        if ladder.connected(at: WallClock.now()), let memory {
            do {
                try memory.write(ladder.memory)
            } catch {
                logger.warning("broker version not saved", metadata: ["because": "\(error.what)"])
            }
        }
        warnOfOldVersion(connection)
        for index in subscriptions.indices { request(index) }
        storedNumber = storedTopic.flatMap { try? connection.subscribe(to: $0) }
        sayOnline()
        states.beginAnew()
        await outbox.setOnline(true)
        offerStates()
        await offer()
    }

    /// Logs, once for each broker, what is lost if the broker does not speak MQTT 5.
    private func warnOfOldVersion(_ connection: MQTTConnection) {
        guard configuration.version == .automatic, connection.version == .threeOneOne,
            saidToBeOld.insert(connection.endpoint).inserted
        else { return }
        logger.warning(
            "using MQTT 3.1.1, records that the broker rejects are lost without notice",
            metadata: [
                "broker": "\(connection.endpoint)",
                "remedy":
                    "use a broker of MQTT 5, or test this one's access list; it is asked for MQTT 5 again after a day",
            ])
    }

    private func note(_ error: any Error, takeover: ConnectionHistory.Takeover?) {
        switch (error as? MQTTError)?.cause {
        case .unanswered, .rejected: undelivered = (error.inOneLine, hasRecords: awaited.records > 0)
        default: break
        }
        guard let takeover else {
            logger.warning("broker connection failed", metadata: .init(describing: error))
            return
        }
        let times = (takeovers?.times ?? 0) + 1
        takeovers = SessionTakeovers(
            times: times, lastAt: WallClock.now(), isCertain: takeover == .said || takeovers?.isCertain ?? false)
        takeoversChanged.yield()
        var metadata = Logger.Metadata(describing: error)
        metadata["client-id"] = "\(configuration.clientID)"
        metadata["times"] = "\(times)"
        logger.error(
            takeover == .said
                ? "another client took this one's session" : "another client seems to take this one's session",
            metadata: metadata)
    }

    /// Suspends a state that may have made the broker end the connection, so that it is not sent at each connection.
    private func suspectStates(after error: MQTTError) {
        guard ConnectionHistory.mayBeRefusal(error.cause),
            let topic = states.connectionClosed(own: announcement?.will.topic, at: .now)
        else { return }
        logger.error(
            "connection probably closed by the broker because of a topic",
            metadata: [
                "broker": "\(error.broker)", "topic": "\(topic)",
                "remedy": "let this program's user write there; until then it is tried again less and less often",
            ])
    }

    private func connectionLost() async {
        link = nil
        attempt = nil
        awaited = AwaitedMessages()
        paced?.cancel()
        paced = nil
        await outbox.setOnline(false)
        wakeWaiters()
    }

    private func wait(for time: Duration) async {
        logger.info("next attempt to reach the broker", metadata: ["in": "\(time)"])
        let pause = Task { _ = try? await Task.sleep(for: time) }
        self.pause = pause
        await withTaskCancellationHandler {
            await pause.value
        } onCancel: {
            pause.cancel()
        }
    }

    /// Leaves the connection for another one when certificates were renewed, or when a preferred broker is available
    /// again, but only after the other connection has been seen to work.
    private func watchForBetter(than connection: MQTTConnection) async {
        var files = TLSFiles(configuration.tls)
        var triedAt = ContinuousClock.now
        while (try? await Task.sleep(for: min(certificateInterval, preferredInterval))) != nil {
            guard link?.connection === connection, !isFinishing else { return }
            let present = TLSFiles(configuration.tls)
            if present != files {
                files = present
                if await works(connection.endpoint, connection.version, "the renewed certificates") {
                    logger.notice("certificates renewed")
                    await depart(from: connection)
                    return
                }
            }
            if !ladder.isPreferred, ContinuousClock.now - triedAt >= preferredInterval {
                triedAt = .now
                let preferred = ladder.preferred
                if await works(preferred, ladder.probeVersion(at: WallClock.now()), nil) {
                    logger.notice("reconnecting to the preferred broker", metadata: ["broker": "\(preferred)"])
                    ladder.prefer()
                    // Subscribers of that broker must not believe that this gateway is still connected there.
                    if let will = announcement?.will { send(will, awaiting: .farewell) }
                    await depart(from: connection)
                    return
                }
            }
        }
    }

    private func works(_ endpoint: BrokerEndpoint, _ version: MQTTVersion?, _ name: Logger.Message?) async -> Bool {
        do {
            _ = try await BrokerProbe.connect(
                configuration, endpoint: endpoint, version: version, within: Self.probeLimit)
            return true
        } catch {
            if let name { logger.error(name, metadata: .init(describing: error)) }
            if version != .threeOneOne { ladder.probeFailed(endpoint, error, at: WallClock.now()) }
            return false
        }
    }

    private func depart(from connection: MQTTConnection) async {
        guard link?.connection === connection, !isFinishing else { return }
        isDeparting = true
        await wait(until: .now + .seconds(2)) { $0.awaited.isEmpty || $0.link?.connection !== connection }
        connection.disconnect()
        // Does not wait for a broker that fails to close the connection.
        try? await Task.sleep(for: .seconds(1))
        connection.abandon()
    }

    // MARK: Answers

    private func acknowledged(_ numbers: [Int32]) async {
        link?.hasAnswered = true
        var records: [Int64] = []
        records.reserveCapacity(numbers.count)
        for number in numbers {
            switch awaited.remove(number) {
            case .record(let id, _): records.append(id)
            case .state(let topic): states.acknowledge(topic)
            case .farewell: saidGoodbye = true
            case .announcement, .once, nil: break
            }
        }
        acknowledgedRecords += UInt64(records.count)
        if undelivered.map({ !$0.hasRecords }) ?? false || !records.isEmpty { undelivered = nil }
        if !records.isEmpty { await outbox.acknowledge(records, at: .now()) }
        // Progress is counted after the outbox has been updated, because callers that wait for progress check the
        // outbox.
        progress += numbers.count
        offerStates()
        // Offering a few records at a time would cost a wake-up each. The rest of the window is acknowledged soon.
        if awaited.count <= window - window / MQTTConnection.shares { await offer() }
        wakeWaiters()
    }

    /// Handles a rejected message. A rejected record may be accepted later, and does not hold up records of other
    /// topics.
    private func rejected(_ number: Int32, reason: Int32) async throws {
        let entry = awaited.remove(number)
        defer { wakeWaiters() }
        guard let link else { return }
        let broker = link.connection.endpoint.description
        switch entry {
        case .record(let id, let topic):
            await withhold(id, because: MQTTError(broker: broker, cause: .rejected(reason, topic: topic)), reason)
        case .state(let topic), .once(let topic):
            progress += 1
            if case .state = entry {
                states.refuse(topic, own: announcement?.will.topic, at: .now)
            }
            logger.error(
                "message not published",
                metadata: .init(describing: MQTTError(broker: broker, cause: .notTaken(reason, topic: topic))))
        case .announcement, .farewell:
            guard let topic = announcement?.will.topic else { break }
            link.connection.abandon()
            throw MQTTError(broker: broker, cause: .rejected(reason, topic: topic))
        case nil: break
        }
        await offer()
    }

    /// Keeps a record that the broker rejects at present.
    private func withhold(_ id: Int64, because error: MQTTError, _ reason: Int32) async {
        lastError = error
        refusal = error.inOneLine
        if let count = refusalNotes.add(reason, at: .now) {
            var metadata = Logger.Metadata(describing: error)
            metadata["count"] = "\(count)"
            logger.error("records rejected by the broker", metadata: metadata)
        }
        await outbox.withhold(id, at: .now)
    }

    private func noteDropped(_ count: UInt64) {
        dropped.count += count
        guard dropped.count > 0, dropped.saidAt.map({ ContinuousClock.now - $0 > Self.droppedInterval }) ?? true else {
            return
        }
        logger.warning(
            "messages of other publishers dropped, too many or too long",
            metadata: ["dropped": "\(dropped.count)", "longest": "\(MQTTConnection.longestMessage) bytes"])
        dropped = (0, .now)
    }

    private func noteNotUnderstood(_ topic: String) {
        notUnderstood.count += 1
        guard notUnderstood.saidAt.map({ ContinuousClock.now - $0 > Self.droppedInterval }) ?? true else { return }
        logger.warning(
            "malformed progress message from the consumer",
            metadata: [
                "topic": "\(topic)", "messages": "\(notUnderstood.count)", "allowed": #"{"boot":1,"sequence":1}"#,
            ])
        notUnderstood = (0, .now)
    }

    private func received(_ message: MQTTMessage) async {
        if message.topic == storedTopic {
            if let position = try? JSON.decode(RecordPosition.self, from: message.payload) {
                await outbox.stored(through: position, isRetained: message.isRetained, at: .now())
                await offer()
            } else if !message.payload.isEmpty {
                noteNotUnderstood(message.topic)
            }
        }
        for subscription in subscriptions where Self.matches(message.topic, subscription.filter) {
            subscription.messages.yield(message)
        }
    }

    private static func matches(_ topic: String, _ filter: String) -> Bool {
        var matches = false
        return mosquitto_topic_matches_sub(filter, topic, &matches) == Int32(MOSQ_ERR_SUCCESS.rawValue) && matches
    }

    // MARK: Sending

    private func request(_ index: Int) {
        guard let connection = link?.connection else { return }
        do {
            subscriptions[index].number = try connection.subscribe(to: subscriptions[index].filter)
        } catch {
            logger.error("subscription failed", metadata: .init(describing: error))
        }
    }

    private func sayOnline() {
        guard let announcement, link != nil, !isFinishing else { return }
        send(announcement.online(WallClock.now()), awaiting: .announcement)
    }

    private var window: Int { link?.session.window(of: configuration) ?? 0 }

    /// Sends changed states. They take at most half of the window, and have priority over records for free places.
    private func offerStates() {
        while link != nil, awaited.states < max(1, window / 2), awaited.count < window,
            let message = states.next(at: .now)
        {
            send(message, awaiting: .state(message.topic))
        }
    }

    /// Sends waiting records as far as the window allows.
    private func offer() async {
        // Two concurrent runs could assign one record's place to another.
        offersAgain = true
        if isOffering { return }
        isOffering = true
        defer { isOffering = false }
        while offersAgain {
            offersAgain = false
            guard let connection = link?.connection, awaited.count < window else { return }
            let offer = await outbox.next(window - awaited.count, now: .now)
            // The connection was lost meanwhile. The records wait again, and a new connection may need them.
            guard link?.connection === connection else { continue }
            defer { connection.wake() }
            var refused: [Int64] = []
            var tooLong: [OutboxEntry] = []
            for entry in offer.entries {
                switch send(entry, on: connection) {
                case .sent: break
                case .impossible: refused.append(entry.id)
                case .tooLong: tooLong.append(entry)
                // All records wait for the next connection.
                case .notHere: return
                }
            }
            for id in refused { await outbox.refuse(id) }
            for entry in tooLong {
                let reason = MQTTReason.packetTooLarge
                let cause = MQTTError.Cause.rejected(reason, topic: entry.topic)
                await withhold(
                    entry.id, because: MQTTError(broker: connection.endpoint.description, cause: cause), reason)
                // The next offer returns how long the record is held back.
                offersAgain = true
            }
            if let time = offer.retryAfter { resume(after: time) }
        }
    }

    private func resume(after time: Duration) {
        let due = ContinuousClock.now + time
        if paced != nil, resumesAt <= due { return }
        paced?.cancel()
        resumesAt = due
        paced = Task {
            guard (try? await Task.sleep(for: time)) != nil else { return }
            paced = nil
            await offer()
        }
    }

    private enum Sending {
        case sent
        /// No broker can accept the message.
        case impossible
        /// A message that is too long for this broker at present.
        case tooLong
        /// The connection is lost or unusable.
        case notHere
    }

    private func send(_ entry: OutboxEntry, on connection: MQTTConnection) -> Sending {
        do throws(MQTTError) {
            let payload =
                signer.map { MessageTag.adding(to: entry.payload, key: $0, for: .record) } ?? entry.payload
            let number = try connection.publish(
                payload, topic: entry.topic, properties: entry.isHistorical ? .historicalRecord : .record)
            awaited.insert(number, .record(id: entry.id, topic: entry.topic))
            return .sent
        } catch {
            if error.isAboutSize { return .tooLong }
            return failed(error, topic: entry.topic, connection)
        }
    }

    private func send(_ message: MQTTMessage, awaiting: AwaitedMessages.Message) {
        guard let link else { return }
        var message = message
        if !link.session.retainIsAvailable { message.isRetained = false }
        do throws(MQTTError) {
            awaited.insert(try link.connection.publish(message), awaiting)
        } catch {
            if case .state(let topic) = awaiting { states.notSent(topic) }
            _ = failed(error, topic: message.topic, link.connection)
        }
    }

    private func failed(_ error: MQTTError, topic: String, _ connection: MQTTConnection) -> Sending {
        logger.error("publishing failed", metadata: ["topic": "\(topic)", "error": "\(error.what)"])
        if error.isAboutMessage { return .impossible }
        connection.abandon(error.cause)
        return .notHere
    }

    // MARK: Waiting

    /// Waits until `isDone`, which is evaluated whenever something has changed, or until `deadline`.
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

import BeaconModel
import CMosquitto
import CMosquittoGuard
import Glibc
package import Publishing
import RecordContract
import Synchronization
import SystemIO

/// One connection to a broker, from CONNECT until it breaks. A new instance is created for each attempt.
///
/// libmosquitto's own network thread ends silently after some errors, and its queue is unbounded. The loop therefore
/// runs here on a dedicated thread, and the owner keeps messages that must be sent again. The loop is a custom one
/// because `mosquitto_loop` takes one turn for each published message.
final class MQTTConnection: Sendable {
    package enum Event: Sendable {
        case connected(MQTTSession)
        /// The broker has acknowledged messages; `takeAcknowledged` returns their numbers.
        case acknowledged
        /// The broker rejects the message with this number (MQTT 5), for this reason.
        case rejected(Int32, reason: Int32)
        /// The broker has answered a subscription: the message number, and whether the subscription was granted.
        case subscribed(Int32, isGranted: Bool)
        case message(MQTTMessage)
    }

    /// Events on the connection. The stream ends with an `MQTTError` when the connection breaks, without one after
    /// `disconnect`.
    let events: AsyncThrowingStream<Event, any Error>
    private let continuation: AsyncThrowingStream<Event, any Error>.Continuation
    let endpoint: BrokerEndpoint
    let version: MQTTVersion
    private let configuration: BrokerConfiguration
    // libmosquitto locks its handle itself. The pointer never changes and is freed with the last reference to this
    // object.
    private nonisolated(unsafe) let handle: OpaquePointer
    private let tls: TLSContext?
    /// The latest OpenSSL error, which libmosquitto reports only in its log.
    private let tlsComplaint = LockedValue<String?>(nil)
    /// The text with which libmosquitto logs a received packet, up to the packet's name.
    private let arrival: [CChar]
    /// Whether the connection attempt is still running. Nothing can interrupt it.
    private let isConnecting = Atomic(true)
    private let isAbandoned = Atomic(false)
    private let isAccepted = Atomic(false)
    private let isLeaving = Atomic(false)
    /// A duplicate of the socket's descriptor while the thread serves it; otherwise -1.
    private let socketCopy = Atomic<Int32>(-1)
    private let wakeup: WakeupPipe
    /// Whether the loop has been woken already. Many messages are published per turn of the loop; one wake-up is
    /// enough.
    private let isWoken = Atomic(false)
    /// Acknowledgements since the last `takeAcknowledged`. A wake-up for each one would cost more than the
    /// acknowledgement.
    private let acknowledged = LockedValue(Acknowledged())

    /// Received messages that have not been taken from the events yet.
    private let arrived = LockedValue(Arrived())

    /// Stores messages on the network thread before they are acknowledged to the broker; `false` prevents the
    /// acknowledgement. If `nil`, messages are delivered as events, already acknowledged.
    private let take: (@Sendable ([MQTTMessage]) -> Bool)?
    private let batch = LockedValue(Batch())
    /// Maximum size of a batch that is handed to `take`.
    private static let largestBatch = (messages: 2000, bytes: 16_000_000)

    private struct Batch {
        var messages: [MQTTMessage] = []
        var bytes = 0

        /// Whether the batch has messages, and room for more.
        var isOpen: Bool {
            (1..<MQTTConnection.largestBatch.messages).contains(messages.count)
                && bytes < MQTTConnection.largestBatch.bytes
        }
    }

    private struct Arrived {
        var count = 0
        var bytes = 0
        var dropped: UInt64 = 0
    }

    private struct Acknowledged {
        var numbers: [Int32] = []
        /// Whether an `acknowledged` event was sent and its numbers have not been taken yet.
        var isSaid = false
        /// Messages without an answer yet: a PUBACK, or for QoS 0 the confirmation that they were sent.
        var outstanding = 0
        /// Number of acknowledgements that are reported at once while more are expected.
        var share = 0
        var answers = AwaitedAnswers()
        /// Received messages. In a consumer's session they precede answers.
        var received: UInt64 = 0
        /// Subscriptions that the broker has not answered yet.
        var subscriptions = 0
    }

    private static let library: Void = { _ = mosquitto_lib_init() }()
    /// Time for which a few acknowledgements wait for more before they are reported.
    private static let patience: Duration = .milliseconds(1)
    /// Maximum time that the broker has to close the connection after DISCONNECT.
    private static let lingering: Duration = .seconds(1)
    /// Maximum time to wait for the thread to end.
    private static let farewell: Duration = .seconds(2)
    /// A stream that ends when the thread ends.
    private let ended: AsyncStream<Never>
    private let thread: AsyncStream<Never>.Continuation
    /// Additional in-flight slots beside the window, so that a status never waits behind records.
    private static let reserve = 10
    /// Limit of messages that wait to be read. If messages arrive faster than they are read, the excess is dropped, so
    /// memory is bounded. Nothing else is lost.
    private static let mostWaiting = (messages: 65_536, bytes: 16_000_000)

    /// Creates a connection, which `start` or `use` opens.
    ///
    /// - Parameters:
    ///   - will: the message that the broker publishes if this process disappears without a DISCONNECT.
    ///   - session: whether the broker keeps the subscriptions while this client is disconnected.
    ///   - take: see the property `take`.
    init(
        configuration: BrokerConfiguration, endpoint: BrokerEndpoint? = nil, version: MQTTVersion = .threeOneOne,
        will: MQTTMessage?, session: SessionKeeping = .never, take: (@Sendable ([MQTTMessage]) -> Bool)? = nil
    ) throws(MQTTError) {
        _ = Self.library
        self.configuration = configuration
        arrival = Array("Client \(configuration.clientID) received ".utf8CString)
        self.endpoint = endpoint ?? configuration.preferred
        self.version = version
        self.take = take
        let broker = self.endpoint.description
        let isClean = session == .never || version == .threeOneOne && session == .whereItExpires
        guard let handle = mosquitto_new(configuration.clientID, isClean, nil) else {
            throw MQTTError(broker: broker, cause: .system(errno))
        }
        self.handle = handle
        do throws(SystemError) {
            wakeup = try WakeupPipe()
        } catch {
            mosquitto_destroy(handle)
            throw MQTTError(broker: broker, cause: .system(error.errorNumber))
        }
        if let tls = configuration.tls, tls.preSharedKey == nil, tls.verifiesServer {
            guard let context = TLSContext(host: self.endpoint.host) else {
                mosquitto_destroy(handle)
                throw MQTTError(broker: broker, cause: .system(ENOMEM))
            }
            self.tls = context
        } else {
            tls = nil
        }
        // The stream is bounded by the window, except for messages, which `arrived` bounds.
        (ended, thread) = AsyncStream.makeStream()
        (events, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .unbounded)
        mosquitto_threaded_set(handle, true)
        mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, version.option)
        mosquitto_max_inflight_messages_set(handle, UInt32(configuration.inFlight + Self.reserve))
        // Received messages have a window of their own, whose default in libmosquitto is 20.
        if take != nil {
            mosquitto_int_option(handle, MOSQ_OPT_RECEIVE_MAXIMUM, Int32(min(max(configuration.inFlight, 1), 65_535)))
        }
        mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
        if let username = configuration.username {
            try check(mosquitto_username_pw_set(handle, username, configuration.password))
        }
        if let will {
            try check(
                mosquitto_will_set(
                    handle, will.topic, Int32(will.payload.count), will.payload, will.qualityOfService.rawValue,
                    will.isRetained))
        }
        if let tls = configuration.tls { try secure(tls) }
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        installCallbacks()
    }

    deinit { mosquitto_destroy(handle) }

    /// Connects, and serves the connection on a thread of its own until it breaks.
    func start() throws(SystemError) {
        // The thread keeps this object alive, and with it everything that the callbacks use.
        try DedicatedThread.start(name: "mqtt") { [self] in
            serve()
            // OpenSSL frees its per-thread data when the thread has ended, which may be after the process's clean-up.
            OPENSSL_thread_stop()
            thread.finish()
        }
    }

    /// Starts the connection, runs `body` and ends the connection, whether or not `body` throws.
    func use<Value>(_ body: () async throws -> Value) async throws -> Value {
        try start()
        let result: Result<Value, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        await end()
        return try result.get()
    }

    /// Disconnects and waits until DISCONNECT was sent, for a limited time. Does not wait for a connection that is not
    /// established.
    private func end() async {
        disconnect()
        if isConnecting.load(ordering: .relaxed) { return }
        // Also runs to completion if the calling task was cancelled.
        await Task { [ended] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in ended {} }
                group.addTask { try? await Task.sleep(for: Self.farewell) }
                await group.next()
                group.cancelAll()
            }
        }.value
    }

    /// Sends a message. An event reports the acknowledgement of its number.
    func publish(_ message: MQTTMessage) throws(MQTTError) -> Int32 {
        defer { wake() }
        return try publish(
            message.payload, topic: message.topic, qualityOfService: message.qualityOfService,
            isRetained: message.isRetained,
            properties: version == .five && !message.properties.isEmpty ? MQTTPropertyList(message.properties) : nil)
    }

    /// Queues a message, which may wait until `wake`. After many messages, one `wake` is enough.
    ///
    /// - Parameter properties: omitted if the version is older than MQTT 5.
    func publish(
        _ payload: [UInt8], topic: String, qualityOfService: MQTTMessage.QualityOfService = .atLeastOnce,
        isRetained: Bool = false, properties: MQTTPropertyList?
    ) throws(MQTTError) -> Int32 {
        var number: Int32 = 0
        let properties = version == .five ? properties : nil
        acknowledged.withLock { $0.outstanding += 1 }
        // Avoids the copy of the topic that a string argument would make.
        let status = topic.withCString { topic in
            mosquitto_publish_v5(
                handle, &number, topic, Int32(clamping: payload.count), payload, qualityOfService.rawValue, isRetained,
                properties?.pointer)
        }
        // libmosquitto queues a message with QoS 1 even without a connection. This connection's end is about to be
        // noticed, and its queue ends with it.
        if status == MQTTStatus.noConnection, qualityOfService == .atLeastOnce { return number }
        acknowledged.withLock {
            if status == MQTTStatus.success { $0.answers.sent(number) } else { $0.outstanding -= 1 }
        }
        try check(status)
        return number
    }

    /// Returns the numbers of the messages that were acknowledged since the last call.
    func takeAcknowledged() -> [Int32] {
        acknowledged.withLock { acknowledged in
            defer { (acknowledged.numbers, acknowledged.isSaid) = ([], false) }
            return acknowledged.numbers
        }
    }

    /// Counts a message as taken from the events.
    ///
    /// - Returns: how many messages were dropped since the last call, because they were too long or too many.
    func taken(_ message: MQTTMessage) -> UInt64 {
        arrived.withLock { arrived in
            arrived.count -= 1
            arrived.bytes -= message.size
            defer { arrived.dropped = 0 }
            return arrived.dropped
        }
    }

    private func admit(_ size: Int) -> Bool {
        arrived.withLock { arrived in
            guard arrived.count < Self.mostWaiting.messages, arrived.bytes + size <= Self.mostWaiting.bytes else {
                arrived.dropped += 1
                return false
            }
            arrived.count += 1
            arrived.bytes += size
            return true
        }
    }

    /// Subscribes to the topics of `filter`.
    ///
    /// - Returns: the number under which the broker's answer arrives.
    @discardableResult
    func subscribe(to filter: String) throws(MQTTError) -> Int32 {
        var number: Int32 = 0
        acknowledged.withLock { $0.subscriptions += 1 }
        try check(mosquitto_subscribe(handle, &number, filter, MQTTMessage.QualityOfService.atLeastOnce.rawValue))
        acknowledged.withLock { $0.answers.sent(number) }
        wake()
        return number
    }

    /// Removes a subscription that the session may still have from an earlier run. Does nothing if there is none.
    func unsubscribe(from filter: String) throws(MQTTError) {
        try check(mosquitto_unsubscribe(handle, nil, filter))
        wake()
    }

    /// Sends DISCONNECT, so that the broker does not publish the will.
    func disconnect() {
        isLeaving.store(true, ordering: .relaxed)
        // There is no broker to notify, and an attempt that is still running is no longer wanted.
        if mosquitto_socket(handle) < 0 { abandon() }
        wake()
    }

    /// Ends the events without waiting for the network, which may hang in a connection attempt. The broker treats this
    /// as a lost connection and publishes the will.
    func abandon(_ cause: MQTTError.Cause? = nil) {
        isAbandoned.store(true, ordering: .relaxed)
        continuation.finish(throwing: cause.map { error($0) })
        wake()
    }

    /// Wakes the network thread, so that it sends what is queued.
    func wake() {
        if !isWoken.exchange(true, ordering: .sequentiallyConsistent) { wakeup.wake() }
    }

    private func heedWakeup() {
        wakeup.drain()
        // Messages published from here on wake the loop again.
        _ = isWoken.exchange(false, ordering: .sequentiallyConsistent)
    }

    private func serve() {
        var status = connect()
        isConnecting.store(false, ordering: .relaxed)
        // libmosquitto closes its own descriptor immediately after DISCONNECT.
        let socket = status == MQTTStatus.success ? fcntl(mosquitto_socket(handle), F_DUPFD_CLOEXEC, 0) : -1
        socketCopy.store(socket, ordering: .relaxed)
        defer {
            socketCopy.store(-1, ordering: .relaxed)
            if socket >= 0 {
                // A child process may have inherited libmosquitto's descriptor. In that case closing alone does not end
                // the connection.
                shutdown(socket, Int32(SHUT_RDWR))
                close(socket)
            }
        }
        if status == MQTTStatus.success, socket < 0 { status = MQTTStatus.seeErrno }
        // The time since which acknowledgements have been held back because more are expected.
        var heldSince: ContinuousClock.Instant?
        var watch = AnswerWatch()
        let lookInterval = configuration.acknowledgeTimeout / AnswerWatch.looks
        // The loop checks keep-alive once a second.
        let rest = min(.seconds(1), lookInterval)
        var nextLook = ContinuousClock.now + lookInterval
        var ahead = ReadAhead()
        while status == MQTTStatus.success, !isAbandoned.load(ordering: .relaxed) {
            if isLeaving.load(ordering: .relaxed) {
                status = leave(socket)
                break
            }
            status = turn(timeout: heldSince == nil ? rest : Self.patience, socket, &ahead)
            guard status == MQTTStatus.success else { break }
            let isLate = heldSince.map { ContinuousClock.now - $0 >= Self.patience } ?? false
            heldSince = flush(all: isLate) ? heldSince ?? .now : nil
            guard ContinuousClock.now >= nextLook else { continue }
            nextLook = .now + lookInterval
            let sight = sight(of: socket)
            if watch.isMute(sight) {
                abandon(.unanswered(sight.awaited, within: configuration.acknowledgeTimeout))
            }
        }
        let errorNumber = errno
        if isLeaving.load(ordering: .relaxed) { linger(socket) }
        _ = flush(all: true)
        switch status {
        case MQTTStatus.success, MQTTStatus.noConnection: continuation.finish()
        default: continuation.finish(throwing: error(cause(status, errorNumber)))
        }
    }

    /// Returns the present state of the awaited answers.
    private func sight(of socket: Int32) -> AnswerWatch.Sight {
        let transmission = TransmissionProgress(socket: socket)
        return acknowledged.withLock { acknowledged in
            AnswerWatch.Sight(
                // The time until the broker accepts the connection has a limit of its own.
                awaited: isAccepted.load(ordering: .relaxed) ? acknowledged.answers.count : 0,
                answered: acknowledged.answers.answered, answeredInOrder: acknowledged.answers.answeredInOrder,
                received: acknowledged.received, delivered: transmission?.confirmed ?? 0,
                isSending: transmission?.isSending ?? false)
        }
    }

    /// Waits until the socket is readable or writable, then reads and writes.
    private func turn(timeout: Duration, _ socket: Int32, _ ahead: inout ReadAhead) -> Int32 {
        if mosquitto_socket(handle) < 0 { return MQTTStatus.noConnection }
        let answers = acknowledged.withLock(\.answers.answered)
        var interest: Readiness = .readable
        if mosquitto_want_write(handle) {
            interest = ahead.isFar(answers: answers) ? .writable : [.readable, .writable]
        } else {
            ahead.wroteAll(answers: answers)
        }
        let readiness: Readiness
        do throws(SystemError) {
            let isWoken: Bool
            (readiness, isWoken) = try waitUntilReady(socket, for: interest, wakeup: wakeup, timeout: timeout)
            if isWoken { heedWakeup() }
        } catch {
            errno = error.errorNumber
            return MQTTStatus.seeErrno
        }
        var status = MQTTStatus.success
        // Only a read continues a TLS handshake, even when the handshake waits to write.
        let isShakingHands = beacon_tls_is_shaking_hands(mosquitto_ssl_get(handle)) != 0
        if !readiness.isDisjoint(with: [.readable, .error, .hangUp]) || isShakingHands && readiness.contains(.writable)
        {
            status = readOnce(&ahead)
        }
        // Data that OpenSSL has already read does not make the socket readable.
        while status == MQTTStatus.success, beacon_tls_pending(mosquitto_ssl_get(handle)) > 0 {
            status = readOnce(&ahead)
        }
        if status == MQTTStatus.success, take != nil { status = takeBatch(from: socket, &ahead) }
        if status == MQTTStatus.success, mosquitto_want_write(handle) { status = write(to: socket) }
        return status == MQTTStatus.success ? mosquitto_loop_misc(handle) : status
    }

    /// Reads what else has arrived, then hands all messages over. libmosquitto has already queued the acknowledgements,
    /// but sends them only with the next write, which happens after this.
    private func takeBatch(from socket: Int32, _ ahead: inout ReadAhead) -> Int32 {
        var status = MQTTStatus.success
        // The input may be an endless sequence of packets other than messages. The next turn, which checks the limits,
        // then continues.
        var reads = 0
        while status == MQTTStatus.success, reads < Self.largestBatch.messages, batch.withLock(\.isOpen) {
            reads += 1
            guard beacon_tls_pending(mosquitto_ssl_get(handle)) > 0 || isReadable(socket) else { break }
            status = readOnce(&ahead)
        }
        let messages = batch.withLock { batch in
            defer { batch = Batch() }
            return batch.messages
        }
        // Messages received before the connection broke are stored too. Storing a message twice has no effect.
        guard messages.isEmpty || take?(messages) == true else {
            abandon(.notStored)
            return MQTTStatus.noConnection
        }
        return status
    }

    private func readOnce(_ ahead: inout ReadAhead) -> Int32 {
        var packets: Int32 = 0
        let status = beacon_mosquitto_read(handle, &packets)
        ahead.read(packets: Int(packets))
        return status
    }

    private func isReadable(_ socket: Int32) -> Bool {
        let ready = try? waitUntilReady(socket, for: .readable, wakeup: nil, timeout: .zero).readiness
        return ready?.contains(.readable) ?? false
    }

    /// Sends everything that is queued. libmosquitto passes one message at a time to the kernel; without the cork each
    /// would be a separate packet (tcp(7)).
    private func write(to socket: Int32) -> Int32 {
        setCork(of: socket, 1)
        let status = mosquitto_loop_write(handle, 1)
        let errorNumber = errno
        setCork(of: socket, 0)
        errno = errorNumber
        return status
    }

    private func setCork(of socket: Int32, _ value: Int32) {
        var value = value
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout.size(ofValue: value)))
    }

    /// Sends DISCONNECT without reading meanwhile. libmosquitto would treat a message that arrives now as a protocol
    /// violation and close the socket instead.
    private func leave(_ socket: Int32) -> Int32 {
        var status = mosquitto_disconnect(handle)
        while status == MQTTStatus.success, mosquitto_want_write(handle), !isAbandoned.load(ordering: .relaxed) {
            do throws(SystemError) {
                let (_, isWoken) = try waitUntilReady(socket, for: .writable, wakeup: wakeup, timeout: .seconds(1))
                if isWoken { heedWakeup() }
            } catch {
                return MQTTStatus.noConnection
            }
            status = write(to: socket)
        }
        return status
    }

    /// Lets the broker read DISCONNECT and close the connection. Closing a socket with unread data discards unsent
    /// data.
    private func linger(_ socket: Int32) {
        shutdown(socket, Int32(SHUT_WR))
        let deadline = ContinuousClock.now + Self.lingering
        var unread = [UInt8](repeating: 0, count: 65_536)
        while ContinuousClock.now < deadline, !isAbandoned.load(ordering: .relaxed),
            let readiness = try? waitUntilReady(
                socket, for: .readable, wakeup: nil, timeout: deadline - .now
            ).readiness,
            !readiness.isEmpty, read(socket, &unread, unread.count) > 0
        {}
    }

    private func connect() -> Int32 {
        guard version == .five else {
            return mosquitto_connect(handle, endpoint.host, Int32(endpoint.port), Int32(configuration.keepAlive))
        }
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        let seconds = UInt32(clamping: configuration.sessionExpiry.components.seconds)
        mosquitto_property_add_int32(&properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), seconds)
        // Leaves room for the topic and properties.
        mosquitto_property_add_int32(
            &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), UInt32(ArrivalBudget.longestMessage + 140_000))
        return mosquitto_connect_bind_v5(
            handle, endpoint.host, Int32(endpoint.port), Int32(configuration.keepAlive), nil, properties)
    }

    /// Reports acknowledged messages as an event.
    ///
    /// - Parameter all: whether to report them even if they are few and more are expected.
    /// - Returns: whether acknowledgements were held back.
    private func flush(all: Bool) -> Bool {
        let (isNews, holdsBack) = acknowledged.withLock { acknowledged in
            if acknowledged.numbers.isEmpty || acknowledged.isSaid { return (false, false) }
            if !all, acknowledged.outstanding > 0, acknowledged.numbers.count < acknowledged.share {
                return (false, true)
            }
            acknowledged.isSaid = true
            return (true, false)
        }
        if isNews { continuation.yield(.acknowledged) }
        return holdsBack
    }

    /// Maps a status to its cause at this point of the connection.
    private func cause(_ status: Int32, _ errorNumber: Int32) -> MQTTError.Cause {
        if let reason = tls?.refusal { return .certificate(reason.text) }
        if !isAccepted.load(ordering: .relaxed) {
            // Once the connection is accepted, OpenSSL's message only says that the connection ended.
            if let complaint = tlsComplaint.withLock(\.self) { return .encryption(complaint) }
        }
        return .ofEnd(
            status: status, errorNumber: errorNumber, isAccepted: isAccepted.load(ordering: .relaxed),
            isReset: TransmissionProgress(socket: socketCopy.load(ordering: .relaxed))?.isGone == true)
    }

    private func check(_ status: Int32) throws(MQTTError) {
        guard status == MQTTStatus.success else { throw error(.library(status)) }
    }

    private func error(_ cause: MQTTError.Cause) -> MQTTError {
        MQTTError(broker: endpoint.description, cause: cause)
    }

    private func secure(_ tls: TLSConfiguration) throws(MQTTError) {
        if let secret = tls.preSharedKey {
            try check(mosquitto_tls_psk_set(handle, secret.key, secret.identity, nil))
            return
        }
        if let context = self.tls {
            mosquitto_void_option(handle, MOSQ_OPT_SSL_CTX, context.pointer)
            mosquitto_int_option(handle, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 1)
        }
        for path in [tls.certificate, tls.key, tls.authority.path].compactMap(\.self) where access(path, R_OK) != 0 {
            throw error(.credentials("\(path): \(SystemError.text(errno))"))
        }
        let status =
            if let path = tls.authority.path {
                mosquitto_tls_set(handle, path, nil, tls.certificate, tls.key, nil)
            } else {
                // The operating system's certificates are loaded in addition to those in the directory.
                mosquitto_tls_set(handle, nil, "/etc/ssl/certs", tls.certificate, tls.key, nil)
            }
        guard status == MQTTStatus.success else {
            throw error(.credentials(String(cString: mosquitto_strerror(status))))
        }
        if tls.authority.path == nil { mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1) }
        if !tls.verifiesServer {
            try check(mosquitto_tls_opts_set(handle, 0, nil, nil))
            try check(mosquitto_tls_insecure_set(handle, true))
        }
    }

    private func installCallbacks() {
        listenToLibrary()
        mosquitto_connect_v5_callback_set(handle) { _, context, reason, _, properties in
            guard let connection = MQTTConnection.from(context) else { return }
            if reason == 0 {
                guard !connection.isAccepted.exchange(true, ordering: .relaxed) else {
                    connection.abandon(.breach(.secondConnectionAcknowledgement))
                    return
                }
                let session = MQTTSession(version: connection.version, properties: properties)
                connection.acknowledged.withLock {
                    $0.share = session.window(of: connection.configuration) / AcknowledgementBatch.shares
                }
                connection.continuation.yield(.connected(session))
            } else {
                connection.continuation.finish(throwing: connection.error(.refused(reason)))
            }
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, context, reason, _ in
            let errorNumber = errno
            guard let connection = MQTTConnection.from(context) else { return }
            _ = connection.flush(all: true)
            switch reason {
            // `serve` ends the events once the broker has closed the connection too.
            case 0 where connection.isLeaving.load(ordering: .relaxed): break
            case 0: connection.continuation.finish(throwing: connection.error(.disconnected(reason)))
            // The protocol's reason codes begin where the library's end.
            case 128...: connection.continuation.finish(throwing: connection.error(.disconnected(reason)))
            default: connection.continuation.finish(throwing: connection.error(connection.cause(reason, errorNumber)))
            }
        }
        mosquitto_publish_v5_callback_set(handle) { _, context, number, reason, _ in
            guard let connection = MQTTConnection.from(context) else { return }
            connection.acknowledged.withLock { acknowledged in
                acknowledged.outstanding -= 1
                acknowledged.answers.answered(number)
                if reason < 128 { acknowledged.numbers.append(number) }
            }
            if reason >= 128 {
                // The owner may leave the connection because of the rejection, and would then miss these
                // acknowledgements.
                _ = connection.flush(all: true)
                connection.continuation.yield(.rejected(number, reason: reason))
            }
        }
        mosquitto_subscribe_callback_set(handle) { _, context, number, count, granted in
            let isGranted = count > 0 && (granted?.pointee ?? 128) < 128
            guard let connection = MQTTConnection.from(context) else { return }
            let wasAsked = connection.acknowledged.withLock { acknowledged in
                guard acknowledged.subscriptions > 0 else { return false }
                acknowledged.subscriptions -= 1
                acknowledged.answers.answered(number)
                return true
            }
            guard wasAsked else {
                connection.abandon(.breach(.unaskedSubscription))
                return
            }
            connection.continuation.yield(.subscribed(number, isGranted: isGranted))
        }
        mosquitto_message_v5_callback_set(handle) { _, context, pointer, properties in
            guard let connection = MQTTConnection.from(context), let message = pointer?.pointee else { return }
            let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
            if connection.take != nil { connection.acknowledged.withLock { $0.received &+= 1 } }
            // A longer message cannot be a record; unless it is acknowledged, the broker would re-deliver it for ever.
            guard payload.count <= ArrivalBudget.longestMessage else {
                if connection.take == nil { connection.arrived.withLock { $0.dropped += 1 } }
                return
            }
            let received = MQTTMessage(
                topic: String(cString: message.topic), payload: Array(payload),
                qualityOfService: message.qos == 0 ? .atMostOnce : .atLeastOnce,
                isRetained: message.retain, properties: .init(properties))
            if connection.take != nil {
                connection.batch.withLock {
                    $0.messages.append(received)
                    $0.bytes += received.size
                }
            } else if connection.admit(received.size) {
                connection.continuation.yield(.message(received))
            }
        }
    }

    /// Reads libmosquitto's log, the only place that reports OpenSSL errors, received packets and the QoS of a message.
    ///
    /// libmosquitto keeps a message with QoS 2 until the broker releases it. This program never subscribes with QoS 2,
    /// so a broker that sends such messages would fill the memory.
    private func listenToLibrary() {
        mosquitto_log_callback_set(handle) { _, context, _, text in
            guard let text, let connection = MQTTConnection.from(context) else { return }
            // "OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed"
            if strncmp(text, "OpenSSL Error", 13) == 0 {
                let parts = String(cString: text).split(separator: ":")
                connection.tlsComplaint.withLock { $0 = parts.last.map(String.init) }
                return
            }
            let length = connection.arrival.count - 1
            guard strncmp(text, connection.arrival, length) == 0 else { return }
            beacon_mosquitto_did_read_packet()
            // "Client gateway received PUBLISH (d0, q2, r0, m1, 'topic', ... (5 bytes))"; the duplicate flag is one
            // digit.
            let packet = text + length
            let name = "PUBLISH (d"
            guard strncmp(packet, name, name.utf8.count) == 0, strlen(packet) > name.utf8.count,
                strncmp(packet + name.utf8.count + 1, ", q2,", 5) == 0
            else { return }
            connection.abandon(.breach(.unsubscribedQualityOfService))
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> MQTTConnection? {
        context.map { Unmanaged<MQTTConnection>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The statuses of libmosquitto that are handled separately.
private enum MQTTStatus {
    static let success = Int32(MOSQ_ERR_SUCCESS.rawValue)
    static let noConnection = Int32(MOSQ_ERR_NO_CONN.rawValue)
    static let seeErrno = Int32(MOSQ_ERR_ERRNO.rawValue)
}

extension TLSConfiguration.Authority {
    package var path: String? {
        switch self {
        case .system: nil
        case .file(let path): path
        }
    }
}

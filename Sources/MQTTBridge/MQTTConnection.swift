import BeaconModel
import CMosquitto
import Glibc
import Publishing
import RecordContract
import SystemIO

/// One connection to a broker, from CONNECT until it breaks. A new instance is created for each attempt.
///
/// libmosquitto's own network thread ends silently after some errors, and its queue is unbounded. The loop therefore
/// runs here on a dedicated thread (`ConnectionLoop`), and the owner keeps messages that must be sent again.
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

    let endpoint: BrokerEndpoint
    let version: MQTTVersion
    private let configuration: BrokerConfiguration
    private let handle: MosquittoHandle
    private let reports: ConnectionEvents
    private let wakeup: LoopWakeup
    /// Stores messages on the network thread before they are acknowledged to the broker; `false` prevents the
    /// acknowledgement. If `nil`, messages are delivered as events, already acknowledged.
    private let take: (@Sendable ([MQTTMessage]) -> Bool)?
    /// A stream that ends when the thread ends.
    private let ended: AsyncStream<Never>
    private let thread: AsyncStream<Never>.Continuation

    /// Maximum time to wait for the thread to end.
    private static let farewell: Duration = .seconds(2)

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
        let endpoint = endpoint ?? configuration.preferred
        self.configuration = configuration
        self.endpoint = endpoint
        self.version = version
        self.take = take
        do throws(SystemError) {
            wakeup = try LoopWakeup()
        } catch {
            throw MQTTError(broker: endpoint.description, cause: .system(error.errorNumber))
        }
        handle = try MosquittoHandle.make(
            configuration, endpoint, version, will: will, session: session, receivesBatches: take != nil)
        reports = ConnectionEvents(
            configuration, broker: endpoint.description, version, tls: handle.tls, receivesBatches: take != nil)
        (ended, thread) = AsyncStream.makeStream()
        handle.setCallbacks(to: reports)
    }

    // The handle must not call what may be freed before it.
    deinit { handle.removeCallbacks() }

    /// Events on the connection. The stream ends with an `MQTTError` when the connection breaks, without one after
    /// `disconnect`.
    var events: AsyncThrowingStream<Event, any Error> { reports.stream }

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
        if reports.phase.withLock(\.isConnecting) { return }
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

    // MARK: Messages

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
        reports.acknowledgements.withLock { $0.willPublish() }
        do throws(MosquittoFailure) {
            try handle.publish(
                payload, topic: topic, qualityOfService: qualityOfService, isRetained: isRetained,
                properties: version == .five ? properties : nil, number: &number)
        } catch {
            // libmosquitto queues a message with QoS 1 even without a connection. This connection's end is about to be
            // noticed, and its queue ends with it.
            if error.isNoConnection, qualityOfService == .atLeastOnce { return number }
            reports.acknowledgements.withLock { $0.notPublished() }
            throw self.error(error)
        }
        reports.acknowledgements.withLock { [number] in $0.published(number) }
        return number
    }

    /// Whether something is yet to be written to the socket.
    var hasBacklog: Bool { handle.wantsToWrite }
    /// Whether the network takes nothing of what was written.
    var isStalled: Bool { SocketStall.isStalled(handle.socket) }

    /// Returns the numbers of the messages that were acknowledged since the last call.
    func takeAcknowledged() -> [Int32] { reports.acknowledgements.withLock { $0.take() } }

    /// Counts a message as taken from the events.
    ///
    /// - Returns: how many messages were dropped since the last call, because they were too long or too many.
    func taken(_ message: MQTTMessage) -> UInt64 {
        let size = message.size
        return reports.arrivals.withLock { $0.taken(size) }
    }

    /// Subscribes to the topics of `filter`.
    ///
    /// - Returns: the number under which the broker's answer arrives.
    @discardableResult
    func subscribe(to filter: String) throws(MQTTError) -> Int32 {
        reports.acknowledgements.withLock { $0.willSubscribe() }
        let number: Int32
        do throws(MosquittoFailure) {
            number = try handle.subscribe(to: filter)
        } catch {
            throw self.error(error)
        }
        reports.acknowledgements.withLock { $0.subscribed(number) }
        wake()
        return number
    }

    /// Removes a subscription that the session may still have from an earlier run. Does nothing if there is none.
    func unsubscribe(from filter: String) throws(MQTTError) {
        do throws(MosquittoFailure) {
            try handle.unsubscribe(from: filter)
        } catch {
            throw self.error(error)
        }
        wake()
    }

    private func error(_ failure: MosquittoFailure) -> MQTTError {
        MQTTError(broker: endpoint.description, cause: .library(failure.status))
    }

    // MARK: The end

    /// Sends DISCONNECT, so that the broker does not publish the will.
    func disconnect() {
        reports.phase.withLock { $0.want(.leave) }
        // There is no broker to notify, and an attempt that is still running is no longer wanted.
        if handle.socket < 0 { abandon() }
        wake()
    }

    /// Ends the events without waiting for the network, which may hang in a connection attempt. The broker treats this
    /// as a lost connection and publishes the will.
    func abandon(_ cause: MQTTError.Cause? = nil) {
        reports.abandon(cause)
        wake()
    }

    /// Wakes the network thread, so that it sends what is queued.
    func wake() { wakeup.wake() }

    // MARK: The thread

    private func serve() {
        var failure: MosquittoFailure?
        var socket: Int32 = -1
        do throws(MosquittoFailure) {
            try connect()
            socket = try handle.duplicateSocket()
        } catch {
            failure = error
        }
        reports.phase.withLock { [socket] in $0.opened(socket) }
        if failure == nil { failure = serve(socket) }
        reports.finish(after: failure)
        reports.phase.withLock { $0 = .ended }
        guard socket >= 0 else { return }
        // A child process may have inherited libmosquitto's descriptor. In that case closing alone does not end the
        // connection.
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }

    /// Serves the connection until it breaks or is left. Returns why it broke.
    private func serve(_ socket: Int32) -> MosquittoFailure? {
        var loop = ConnectionLoop(
            handle, reports, wakeup, socket: socket, take: take,
            acknowledgeTimeout: configuration.acknowledgeTimeout)
        var failure: MosquittoFailure?
        do throws(MosquittoFailure) {
            try loop.run()
        } catch {
            failure = error
        }
        if reports.phase.withLock(\.intent) == .leave { loop.linger() }
        return failure
    }

    private func connect() throws(MosquittoFailure) {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if version == .five {
            let seconds = UInt32(clamping: configuration.sessionExpiry.components.seconds)
            mosquitto_property_add_int32(&properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), seconds)
            // Leaves room for the topic and properties.
            mosquitto_property_add_int32(
                &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue),
                UInt32(ArrivalBudget.longestMessage + 140_000))
        }
        try handle.connect(endpoint, keepAlive: configuration.keepAlive, properties: properties, version: version)
    }
}

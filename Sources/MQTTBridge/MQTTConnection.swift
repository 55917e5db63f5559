import CMosquitto
import Glibc
import Synchronization
import SystemIO

/// One connection to a broker, from CONNECT until it breaks: a new one is made for each attempt.
///
/// libmosquitto's own network thread ends silently after some errors and its queue has no bound, so the loop here
/// runs on a thread of ours, and what is to be sent again is kept by the owner.
final class MQTTConnection: Sendable {
    enum Event: Sendable {
        case connected
        /// The broker has acknowledged the message with this number.
        case acknowledged(Int32)
        case subscribed
        case message(MQTTMessage)
    }

    /// What happens on the connection; ends with an `MQTTError` when it breaks, or without after `disconnect`.
    let events: AsyncThrowingStream<Event, any Error>
    private let continuation: AsyncThrowingStream<Event, any Error>.Continuation
    private let configuration: BrokerConfiguration
    // libmosquitto locks its handle itself; the pointer never changes and is freed when nobody refers to it any more.
    private nonisolated(unsafe) let handle: OpaquePointer
    private let isAbandoned = Atomic(false)

    private static let library: Void = { _ = mosquitto_lib_init() }()
    /// Messages that the owner has under way at once.
    static let window = 100
    /// Room beside the window, so that a status never waits behind records.
    private static let reserve = 10

    /// - Parameter will: what the broker publishes when this process is gone without a word.
    init(configuration: BrokerConfiguration, will: MQTTMessage?) throws(MQTTError) {
        _ = Self.library
        self.configuration = configuration
        let broker = "\(configuration.preferred)"
        // The session is clean: what isn't acknowledged is offered again by its owner.
        guard let handle = mosquitto_new(configuration.clientID, true, nil) else {
            throw MQTTError(broker: broker, cause: .system(errno))
        }
        self.handle = handle
        (events, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingNewest(65_536))
        mosquitto_threaded_set(handle, true)
        mosquitto_max_inflight_messages_set(handle, UInt32(Self.window + Self.reserve))
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
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        installCallbacks()
    }

    deinit { mosquitto_destroy(handle) }

    /// Connects, and serves the connection on a thread of its own until it breaks.
    func start() throws(SystemError) {
        // The thread keeps the connection alive, and with it everything that the callbacks touch.
        try DedicatedThread.start(name: "mqtt") { [self] in serve() }
    }

    /// Sends a message. The acknowledgement of its number comes as an event.
    func publish(_ message: MQTTMessage) throws(MQTTError) -> Int32 {
        var number: Int32 = 0
        let status = mosquitto_publish(
            handle, &number, message.topic, Int32(message.payload.count), message.payload,
            message.qualityOfService.rawValue, message.isRetained)
        // Without a connection a message of QoS 1 is queued all the same; this connection's end is about to be
        // noticed, and its queue ends with it.
        if status == MQTTStatus.noConnection, message.qualityOfService == .atLeastOnce { return number }
        try check(status)
        return number
    }

    func subscribe(to filter: String) throws(MQTTError) {
        try check(mosquitto_subscribe(handle, nil, filter, MQTTMessage.QualityOfService.atLeastOnce.rawValue))
    }

    /// Says good-bye, so that the broker doesn't publish the will.
    func disconnect() { mosquitto_disconnect(handle) }

    /// Ends the events without waiting for the network, which may hang in an attempt to connect. The broker, if it
    /// is there, takes it for a loss and publishes the will.
    func abandon() {
        isAbandoned.store(true, ordering: .relaxed)
        continuation.finish()
    }

    private func serve() {
        var status = mosquitto_connect(
            handle, configuration.preferred.host, Int32(configuration.preferred.port), Int32(configuration.keepAlive))
        while status == MQTTStatus.success, !isAbandoned.load(ordering: .relaxed) {
            status = mosquitto_loop(handle, 1000, 1)
        }
        let errorNumber = errno
        switch status {
        case MQTTStatus.noConnection: continuation.finish()
        case MQTTStatus.seeErrno: continuation.finish(throwing: error(.system(errorNumber)))
        default: continuation.finish(throwing: error(.library(status)))
        }
    }

    private func check(_ status: Int32) throws(MQTTError) {
        guard status == MQTTStatus.success else { throw error(.library(status)) }
    }

    private func error(_ cause: MQTTError.Cause) -> MQTTError {
        MQTTError(broker: "\(configuration.preferred)", cause: cause)
    }

    private func installCallbacks() {
        mosquitto_connect_callback_set(handle) { _, context, reason in
            guard let connection = MQTTConnection.from(context) else { return }
            if reason == 0 {
                connection.continuation.yield(.connected)
            } else {
                connection.continuation.finish(throwing: connection.error(.refused(reason)))
            }
        }
        mosquitto_disconnect_callback_set(handle) { _, context, reason in
            guard let connection = MQTTConnection.from(context) else { return }
            if reason == 0 {
                connection.continuation.finish()
            } else {
                connection.continuation.finish(throwing: connection.error(.library(reason)))
            }
        }
        mosquitto_publish_callback_set(handle) { _, context, number in
            MQTTConnection.from(context)?.continuation.yield(.acknowledged(number))
        }
        mosquitto_subscribe_callback_set(handle) { _, context, _, _, _ in
            MQTTConnection.from(context)?.continuation.yield(.subscribed)
        }
        mosquitto_message_callback_set(handle) { _, context, pointer in
            guard let connection = MQTTConnection.from(context), let message = pointer?.pointee else { return }
            let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
            connection.continuation.yield(
                .message(
                    MQTTMessage(
                        topic: String(cString: message.topic), payload: Array(payload),
                        qualityOfService: message.qos == 0 ? .atMostOnce : .atLeastOnce,
                        isRetained: message.retain)))
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> MQTTConnection? {
        context.map { Unmanaged<MQTTConnection>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The statuses of libmosquitto that are told apart.
private enum MQTTStatus {
    static let success = Int32(MOSQ_ERR_SUCCESS.rawValue)
    static let noConnection = Int32(MOSQ_ERR_NO_CONN.rawValue)
    static let seeErrno = Int32(MOSQ_ERR_ERRNO.rawValue)
}

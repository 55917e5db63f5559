import CMosquitto
import CMosquittoGuard
import Glibc
import Publishing
import RecordContract

/// libmosquitto's handle of one connection. Statuses are thrown; `ConnectionEvents` receives the callbacks.
final class MosquittoHandle: Sendable {
    // libmosquitto locks its handle itself. The pointer never changes and is freed with the last reference to this
    // object.
    nonisolated(unsafe) let pointer: OpaquePointer
    /// The context that verifies the broker's certificate. It outlives the handle, which refers to it.
    let tls: TLSContext?

    private static let library: Void = { _ = mosquitto_lib_init() }()

    /// Creates a handle without callbacks and options.
    ///
    /// - Parameters:
    ///   - isClean: whether the broker forgets the session at the end of the connection, and begins with a new one.
    ///   - host: the name that the broker's certificate must be valid for; `nil`: it is not verified by a context of
    ///     its own.
    init(clientID: String, isClean: Bool, verifying host: String?) throws(MosquittoFailure) {
        _ = Self.library
        guard let pointer = mosquitto_new(clientID, isClean, nil) else { throw .system(errno) }
        self.pointer = pointer
        guard let host else {
            tls = nil
            return
        }
        guard let context = TLSContext(host: host) else {
            // All properties are needed for `deinit`.
            mosquitto_destroy(pointer)
            throw .system(ENOMEM)
        }
        tls = context
    }

    deinit { mosquitto_destroy(pointer) }

    // MARK: Packets

    func connect(
        _ endpoint: BrokerEndpoint, keepAlive: Int, properties: OpaquePointer?, version: MQTTVersion
    ) throws(MosquittoFailure) {
        try MosquittoFailure.check(
            version == .five
                ? mosquitto_connect_bind_v5(
                    pointer, endpoint.host, Int32(endpoint.port), Int32(keepAlive), nil, properties)
                : mosquitto_connect(pointer, endpoint.host, Int32(endpoint.port), Int32(keepAlive)))
    }

    /// Queues a message.
    ///
    /// - Parameter number: receives the number of the message. libmosquitto queues a message with QoS 1, and gives it a
    ///   number, even without a connection.
    func publish(
        _ payload: [UInt8], topic: String, qualityOfService: MQTTMessage.QualityOfService, isRetained: Bool,
        properties: MQTTPropertyList?, number: inout Int32
    ) throws(MosquittoFailure) {
        // Avoids the copy of the topic that a string argument would make.
        let status = topic.withCString { topic in
            mosquitto_publish_v5(
                pointer, &number, topic, Int32(clamping: payload.count), payload, qualityOfService.rawValue,
                isRetained, properties?.pointer)
        }
        try MosquittoFailure.check(status)
    }

    func subscribe(to filter: String) throws(MosquittoFailure) -> Int32 {
        var number: Int32 = 0
        try MosquittoFailure.check(
            mosquitto_subscribe(pointer, &number, filter, MQTTMessage.QualityOfService.atLeastOnce.rawValue))
        return number
    }

    func unsubscribe(from filter: String) throws(MosquittoFailure) {
        try MosquittoFailure.check(mosquitto_unsubscribe(pointer, nil, filter))
    }

    func disconnect() throws(MosquittoFailure) { try MosquittoFailure.check(mosquitto_disconnect(pointer)) }

    // MARK: The network

    /// The descriptor of the socket; negative without a connection.
    var socket: Int32 { mosquitto_socket(pointer) }
    var wantsToWrite: Bool { mosquitto_want_write(pointer) }
    var isShakingHands: Bool { beacon_tls_is_shaking_hands(mosquitto_ssl_get(pointer)) != 0 }
    /// Whether OpenSSL has read data that libmosquitto has not. They do not make the socket readable.
    var hasPendingData: Bool { beacon_tls_pending(mosquitto_ssl_get(pointer)) > 0 }

    /// Returns a duplicate of the socket's descriptor. libmosquitto closes its own immediately after DISCONNECT.
    func duplicateSocket() throws(MosquittoFailure) -> Int32 {
        let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .system(errno) }
        return copy
    }

    /// Reads a packet, or a part of one.
    ///
    /// - Returns: the number of whole packets.
    func read() throws(MosquittoFailure) -> Int {
        var packets: Int32 = 0
        try MosquittoFailure.check(beacon_mosquitto_read(pointer, &packets))
        return Int(packets)
    }

    /// Writes everything that is queued.
    func write() throws(MosquittoFailure) { try MosquittoFailure.check(mosquitto_loop_write(pointer, 1)) }

    /// Checks the keep-alive.
    func keepAlive() throws(MosquittoFailure) { try MosquittoFailure.check(mosquitto_loop_misc(pointer)) }
}

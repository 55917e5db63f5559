import CMosquitto
import CMosquittoGuard
import Glibc
import Publishing
import RecordContract
import SystemIO

/// What happens on a connection, as events for its owner. libmosquitto's callbacks call it on the connection's thread.
final class ConnectionEvents: Sendable {
    /// The stream ends with an `MQTTError` when the connection breaks, without one after `disconnect`.
    let stream: AsyncThrowingStream<MQTTConnection.Event, any Error>
    private let continuation: AsyncThrowingStream<MQTTConnection.Event, any Error>.Continuation
    let phase = LockedValue(ConnectionPhase.connecting(.stay))
    let acknowledgements = LockedValue(AcknowledgementBatch())
    /// Received messages that have not been taken from the stream yet.
    let arrivals = LockedValue(ArrivalBudget())
    /// Received messages that are to be stored; `nil`: messages are delivered as events, already acknowledged.
    let batch: LockedValue<ReceivedBatch>?
    /// The latest OpenSSL error, which libmosquitto reports only in its log.
    private let tlsComplaint = LockedValue<String?>(nil)
    /// The text with which libmosquitto logs a received packet, up to the packet's name.
    private let arrival: [CChar]
    private let configuration: BrokerConfiguration
    private let broker: String
    private let version: MQTTVersion
    private let tls: TLSContext?

    init(
        _ configuration: BrokerConfiguration, broker: String, _ version: MQTTVersion, tls: TLSContext?,
        receivesBatches: Bool
    ) {
        // The stream is bounded by the window, except for messages, which `arrivals` bounds.
        (stream, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .unbounded)
        batch = receivesBatches ? LockedValue(ReceivedBatch()) : nil
        arrival = Array("Client \(configuration.clientID) received ".utf8CString)
        self.configuration = configuration
        self.broker = broker
        self.version = version
        self.tls = tls
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> ConnectionEvents? {
        context.map { Unmanaged<ConnectionEvents>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: The end

    /// Ends the events without waiting for the network, which may hang in a connection attempt. The broker treats this
    /// as a lost connection and publishes the will.
    func abandon(_ cause: MQTTError.Cause?) {
        phase.withLock { $0.want(.abandon) }
        finish(cause)
    }

    func finish(_ cause: MQTTError.Cause?) {
        continuation.finish(throwing: cause.map { MQTTError(broker: broker, cause: $0) })
    }

    /// Ends the events of a connection whose thread has ended.
    func finish(after failure: MosquittoFailure?) {
        _ = flush(all: true)
        guard let failure, !failure.isNoConnection else { return finish(nil as MQTTError.Cause?) }
        finish(cause(failure))
    }

    /// Maps a failure to its cause at this point of the connection.
    private func cause(_ failure: MosquittoFailure) -> MQTTError.Cause {
        if let reason = tls?.refusal { return .certificate(reason.text) }
        let phase = phase.withLock(\.self)
        if !phase.isAccepted {
            // Once the connection is accepted, OpenSSL's message only says that the connection ended.
            if let complaint = tlsComplaint.withLock(\.self) { return .encryption(complaint) }
        }
        return .ofEnd(
            status: failure.status, errorNumber: failure.errorNumber, isAccepted: phase.isAccepted,
            isReset: TransmissionProgress(socket: phase.socket)?.isGone == true)
    }

    /// Reports acknowledged messages as an event.
    ///
    /// - Parameter all: whether to report them even if they are few and more are expected.
    /// - Returns: whether acknowledgements were held back.
    func flush(all: Bool) -> Bool {
        let report = acknowledgements.withLock { $0.report(all: all) }
        if report == .due { continuation.yield(.acknowledged) }
        return report == .heldBack
    }

    // MARK: Callbacks

    func connected(_ reason: Int32, _ properties: OpaquePointer?) {
        guard reason == 0 else { return finish(.refused(reason)) }
        guard phase.withLock({ $0.accept() }) else { return abandon(.breach(.secondConnectionAcknowledgement)) }
        let session = MQTTSession(version: version, properties: properties)
        acknowledgements.withLock { $0.accept(window: session.window(of: configuration)) }
        continuation.yield(.connected(session))
    }

    func disconnected(_ reason: Int32, _ errorNumber: Int32) {
        _ = flush(all: true)
        switch reason {
        // The loop ends the events once the broker has closed the connection too.
        case 0 where phase.withLock(\.intent) == .leave: break
        case 0: finish(.disconnected(reason))
        // The protocol's reason codes begin where the library's end.
        case 128...: finish(.disconnected(reason))
        default: finish(cause(MosquittoFailure(status: reason, errorNumber: errorNumber)))
        }
    }

    func published(_ number: Int32, _ reason: Int32) {
        let isTaken = reason < 128
        acknowledgements.withLock { $0.answered(number, isTaken: isTaken) }
        if isTaken { return }
        // The owner may leave the connection because of the rejection, and would then miss these acknowledgements.
        _ = flush(all: true)
        continuation.yield(.rejected(number, reason: reason))
    }

    func subscribed(_ number: Int32, isGranted: Bool) {
        guard acknowledgements.withLock({ $0.answeredSubscription(number) }) else {
            return abandon(.breach(.unaskedSubscription))
        }
        continuation.yield(.subscribed(number, isGranted: isGranted))
    }

    func received(_ pointer: UnsafePointer<mosquitto_message>, _ properties: OpaquePointer?) {
        let message = pointer.pointee
        let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
        if batch != nil { acknowledgements.withLock { $0.receive() } }
        // A longer message cannot be a record; unless it is acknowledged, the broker would re-deliver it for ever.
        guard payload.count <= ArrivalBudget.longestMessage else {
            if batch == nil { arrivals.withLock { $0.drop() } }
            return
        }
        let received = MQTTMessage(
            topic: String(cString: message.topic), payload: Array(payload),
            qualityOfService: message.qos == 0 ? .atMostOnce : .atLeastOnce,
            isRetained: message.retain, properties: .init(properties))
        if let batch {
            batch.withLock { $0.add(received, size: received.size) }
        } else if arrivals.withLock({ $0.admit(received.size) }) {
            continuation.yield(.message(received))
        }
    }

    /// Reads libmosquitto's log, the only place that reports OpenSSL errors, received packets and the QoS of a message.
    ///
    /// libmosquitto keeps a message with QoS 2 until the broker releases it. This program never subscribes with QoS 2,
    /// so a broker that sends such messages would fill the memory.
    func logged(_ text: UnsafePointer<CChar>) {
        // "OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed"
        if strncmp(text, "OpenSSL Error", 13) == 0 {
            let parts = String(cString: text).split(separator: ":")
            tlsComplaint.withLock { $0 = parts.last.map(String.init) }
            return
        }
        let length = arrival.count - 1
        guard strncmp(text, arrival, length) == 0 else { return }
        beacon_mosquitto_did_read_packet()
        // "Client gateway received PUBLISH (d0, q2, r0, m1, 'topic', ... (5 bytes))"; the duplicate flag is one digit.
        let packet = text + length
        let name = "PUBLISH (d"
        guard strncmp(packet, name, name.utf8.count) == 0, strlen(packet) > name.utf8.count,
            strncmp(packet + name.utf8.count + 1, ", q2,", 5) == 0
        else { return }
        abandon(.breach(.unsubscribedQualityOfService))
    }
}

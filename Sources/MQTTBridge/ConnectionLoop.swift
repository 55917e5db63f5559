import BeaconModel
import Glibc
import Publishing
import RecordContract
import SystemIO

/// The loop that serves a connection on its thread, until the connection breaks or is left.
///
/// The loop is a custom one because `mosquitto_loop` takes one turn for each published message.
struct ConnectionLoop {
    private let handle: MosquittoHandle
    private let events: ConnectionEvents
    private let wakeup: LoopWakeup
    private let socket: Int32
    /// Stores messages before they are acknowledged to the broker; see `MQTTConnection`.
    private let take: (@Sendable ([MQTTMessage]) -> Bool)?
    private let acknowledgeTimeout: Duration
    private let lookInterval: Duration

    /// The time since which acknowledgements have been held back because more are expected.
    private var heldSince: ContinuousClock.Instant?
    private var watch = AnswerWatch()
    private var nextLook: ContinuousClock.Instant
    private var ahead = ReadAhead()

    /// Time for which a few acknowledgements wait for more before they are reported.
    private static let patience: Duration = .milliseconds(1)
    /// Maximum time that the broker has to close the connection after DISCONNECT.
    private static let lingering: Duration = .seconds(1)

    init(
        _ handle: MosquittoHandle, _ events: ConnectionEvents, _ wakeup: LoopWakeup, socket: Int32,
        take: (@Sendable ([MQTTMessage]) -> Bool)?, acknowledgeTimeout: Duration
    ) {
        self.handle = handle
        self.events = events
        self.wakeup = wakeup
        self.socket = socket
        self.take = take
        self.acknowledgeTimeout = acknowledgeTimeout
        lookInterval = acknowledgeTimeout / AnswerWatch.looks
        nextLook = .now + lookInterval
    }

    /// Serves the connection. Returns when it was abandoned, or left by DISCONNECT.
    mutating func run() throws(MosquittoFailure) {
        // The loop checks keep-alive once a second.
        let rest = min(.seconds(1), lookInterval)
        while true {
            switch events.phase.withLock(\.intent) {
            case .stay: break
            case .leave: return try leave()
            case .abandon: return
            }
            try turn(timeout: heldSince == nil ? rest : Self.patience)
            let isLate = heldSince.map { ContinuousClock.now - $0 >= Self.patience } ?? false
            heldSince = events.flush(all: isLate) ? heldSince ?? .now : nil
            guard ContinuousClock.now >= nextLook else { continue }
            nextLook = .now + lookInterval
            let sight = sight()
            if watch.isMute(sight) { events.abandon(.unanswered(sight.awaited, within: acknowledgeTimeout)) }
        }
    }

    /// Returns the present state of the awaited answers.
    private func sight() -> AnswerWatch.Sight {
        let transmission = TransmissionProgress(socket: socket)
        let isAccepted = events.phase.withLock(\.isAccepted)
        return events.acknowledgements.withLock {
            $0.sight(
                isAccepted: isAccepted, delivered: transmission?.confirmed ?? 0,
                isSending: transmission?.isSending ?? false)
        }
    }

    /// Waits until the socket is readable or writable, then reads and writes.
    private mutating func turn(timeout: Duration) throws(MosquittoFailure) {
        if handle.socket < 0 { throw .noConnection }
        let answers = events.acknowledgements.withLock(\.answered)
        var interest: Readiness = .readable
        if handle.wantsToWrite {
            interest = ahead.isFar(answers: answers) ? .writable : [.readable, .writable]
        } else {
            ahead.wroteAll(answers: answers)
        }
        let readiness = try wait(for: interest, timeout)
        // Only a read continues a TLS handshake, even when the handshake waits to write.
        let isShakingHands = handle.isShakingHands
        if !readiness.isDisjoint(with: [.readable, .error, .hangUp]) || isShakingHands && readiness.contains(.writable)
        {
            try read()
        }
        // Data that OpenSSL has already read does not make the socket readable.
        while handle.hasPendingData { try read() }
        if let take { try takeBatch(take) }
        if handle.wantsToWrite { try write() }
        try handle.keepAlive()
    }

    private func wait(for interest: Readiness, _ timeout: Duration) throws(MosquittoFailure) -> Readiness {
        do throws(SystemError) {
            let (readiness, isWoken) = try waitUntilReady(
                socket, for: interest, wakeup: wakeup.pipe, timeout: timeout)
            if isWoken { wakeup.heed() }
            return readiness
        } catch {
            throw .system(error.errorNumber)
        }
    }

    /// Reads what else has arrived, then hands all messages over. libmosquitto has already queued the acknowledgements,
    /// but sends them only with the next write, which happens after this.
    private mutating func takeBatch(_ take: @Sendable ([MQTTMessage]) -> Bool) throws(MosquittoFailure) {
        guard let batch = events.batch else { return }
        var failure: MosquittoFailure?
        // The input may be an endless sequence of packets other than messages. The next turn, which checks the limits,
        // then continues.
        var reads = 0
        do throws(MosquittoFailure) {
            while reads < ReceivedBatch.largest.messages, batch.withLock(\.isOpen) {
                reads += 1
                guard handle.hasPendingData || isReadable() else { break }
                try read()
            }
        } catch {
            failure = error
        }
        let messages = batch.withLock { $0.take() }
        // Messages received before the connection broke are stored too. Storing a message twice has no effect.
        guard messages.isEmpty || take(messages) else {
            events.abandon(.notStored)
            throw .noConnection
        }
        if let failure { throw failure }
    }

    private mutating func read() throws(MosquittoFailure) { ahead.read(packets: try handle.read()) }

    private func isReadable() -> Bool {
        let ready = try? waitUntilReady(socket, for: .readable, wakeup: nil, timeout: .zero).readiness
        return ready?.contains(.readable) ?? false
    }

    /// Sends everything that is queued. libmosquitto passes one message at a time to the kernel; without the cork each
    /// would be a separate packet (tcp(7)).
    private func write() throws(MosquittoFailure) {
        setCork(1)
        defer { setCork(0) }
        try handle.write()
    }

    private func setCork(_ value: Int32) {
        var value = value
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout.size(ofValue: value)))
    }

    /// Sends DISCONNECT without reading meanwhile. libmosquitto would treat a message that arrives now as a protocol
    /// violation and close the socket instead.
    private func leave() throws(MosquittoFailure) {
        try handle.disconnect()
        while handle.wantsToWrite, events.phase.withLock(\.intent) != .abandon {
            do throws(MosquittoFailure) {
                _ = try wait(for: .writable, .seconds(1))
            } catch {
                throw .noConnection
            }
            try write()
        }
    }

    /// Lets the broker read DISCONNECT and close the connection. Closing a socket with unread data discards unsent
    /// data.
    func linger() {
        shutdown(socket, Int32(SHUT_WR))
        let deadline = ContinuousClock.now + Self.lingering
        var unread = [UInt8](repeating: 0, count: 65_536)
        while ContinuousClock.now < deadline, events.phase.withLock(\.intent) != .abandon,
            let readiness = try? waitUntilReady(
                socket, for: .readable, wakeup: nil, timeout: deadline - .now
            ).readiness,
            !readiness.isEmpty, Glibc.read(socket, &unread, unread.count) > 0
        {}
    }
}

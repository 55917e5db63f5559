package import BeaconModel
package import ModuleDialogues
import SystemIO

/// A function that receives all events of a line, in order.
package typealias SerialTap = @Sendable (SerialEvent) -> Void

/// A dialogue that runs on a serial port, on a thread of its own.
package final class LineLink<Request: TimedRequest, Output: TimedOutput>: Sendable {
    /// Outputs of the dialogue. The stream ends when the dialogue is over or the link is closed, with the
    /// `SerialPortError` or `SystemError` that ended it.
    package let events: AsyncThrowingStream<Output, any Error>
    private let inbox: LockedValue<Inbox>
    private let wakeup: WakeupPipe

    /// Requests of the owner to the thread.
    private struct Inbox: Sendable {
        var requests: [Request] = []
        var isClosed = false
    }

    /// A consumer of the outputs beside the events.
    struct Diversion: Sendable {
        /// Takes an output on the thread of the link; returns whether it is no event.
        var take: @Sendable (Output) -> Bool
        /// Called at the end of the dialogue, before the events end.
        var finish: @Sendable () -> Void
    }

    /// Opens the port and begins.
    ///
    /// - Parameter limit: see `TimedDialogue`.
    /// - Throws: `SystemError` when the process cannot create another pipe or thread. A port that cannot be opened ends
    ///   the events.
    package convenience init<Dialogue: LineDialogue>(
        port path: String, dialogue: Dialogue, limit: Duration, tap: SerialTap? = nil
    ) throws(SystemError) where Dialogue.Request == Request, Dialogue.Output == Output {
        try self.init(port: path, dialogue: TimedDialogue(dialogue, limit: limit), diversion: nil, tap: tap)
    }

    init(
        port path: String, dialogue: TimedDialogue<Request, Output>, diversion: Diversion?, tap: SerialTap?
    ) throws(SystemError) {
        let (events, continuation) = AsyncThrowingStream.makeStream(
            of: Output.self, bufferingPolicy: .bufferingNewest(1024))
        self.events = events
        let inbox = LockedValue(Inbox())
        self.inbox = inbox
        let wakeup = try WakeupPipe()
        self.wakeup = wakeup
        try DedicatedThread.start(name: "module") {
            var worker = Worker(
                path: path, dialogue: dialogue, tap: tap, wakeup: wakeup,
                takeRequests: {
                    inbox.withLock { inbox in
                        defer { inbox.requests.removeAll() }
                        return inbox.isClosed ? nil : inbox.requests
                    }
                },
                tell: { output in
                    if diversion?.take(output) == true { return }
                    continuation.yield(output)
                })
            defer { diversion?.finish() }
            do {
                try worker.run()
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }

    deinit { close() }

    /// Passes a request to the dialogue; ignored when the dialogue is over. Safe to call from any thread.
    package func post(_ request: Request) {
        inbox.withLock { inbox in
            // If so many requests are waiting, further ones would be outdated.
            if inbox.requests.count < 64 { inbox.requests.append(request) }
        }
        wakeup.wake()
    }

    /// Makes the dialogue leave the module and releases the port within about 1 s; the events then end.
    package func close() {
        inbox.withLock { $0.isClosed = true }
        wakeup.wake()
    }
}

/// The work of a link's thread.
private struct Worker<Request: TimedRequest, Output: TimedOutput> {
    let path: String
    var dialogue: TimedDialogue<Request, Output>
    let tap: SerialTap?
    let wakeup: WakeupPipe
    /// Returns the waiting requests; `nil` when the link was closed.
    let takeRequests: () -> [Request]?
    let tell: (Output) -> Void
    /// Time at which the port is released after the link was closed.
    private var leaveBy: Duration?
    private let start = ContinuousClock.now

    init(
        path: String, dialogue: TimedDialogue<Request, Output>, tap: SerialTap?, wakeup: WakeupPipe,
        takeRequests: @escaping () -> [Request]?, tell: @escaping (Output) -> Void
    ) {
        self.path = path
        self.dialogue = dialogue
        self.tap = tap
        self.wakeup = wakeup
        self.takeRequests = takeRequests
        self.tell = tell
    }

    private var now: Duration { ContinuousClock.now - start }

    /// Time for the last commands to a module that listens.
    private static var timeToLeave: Duration { .seconds(1) }

    mutating func run() throws {
        var failure: SerialPortError?
        while true {
            let port: SerialPort
            if let failure {
                guard let again = try reopen() else { throw failure }
                tap?(.portReopened)
                port = again
            } else {
                port = try SerialPort.open(path)
            }
            do throws(SerialPortError) {
                try serve(port)
                return
            } catch {
                guard case .vanished = error else { throw error }
                tap?(.portVanished)
                failure = error
            }
        }
    }

    /// Serves one opening of the port until the dialogue is over or the link is closed.
    private mutating func serve(_ port: consuming SerialPort) throws(SerialPortError) {
        try carryOut(dialogue.handle(.opened, now: now), port)
        while !dialogue.isOver {
            let requests = takeRequests()
            if requests == nil, leaveBy == nil {
                leaveBy = now + Self.timeToLeave
                try carryOut(dialogue.handle(.leave, now: now), port)
            }
            if let leaveBy, now >= leaveBy { return }
            for request in requests ?? [] { try carryOut(dialogue.handle(.request(request), now: now), port) }
            let next = [dialogue.nextDeadline, leaveBy].compactMap(\.self).min()
            let wait = next.map { max(.zero, $0 - now) } ?? .seconds(3600)
            if dialogue.isOver { return }
            if let bytes = try port.read(timeout: wait, wakeup: wakeup) {
                if !bytes.isEmpty {
                    tap?(.fromModule(bytes))
                    try carryOut(dialogue.handle(.bytes(bytes), now: now), port)
                }
            } else {
                wakeup.drain()
            }
            // A device that never stops sending must not prevent the deadline.
            try carryOut(dialogue.advance(to: now), port)
        }
    }

    private func carryOut(_ steps: [LineStep<Output>], _ port: borrowing SerialPort) throws(SerialPortError) {
        for step in steps {
            switch step {
            case .line(.send(let bytes)):
                tap?(.toModule(bytes))
                try port.write(bytes)
            case .line(.setBaudRate(let rate)):
                tap?(.baudRate(rate))
                try port.setBaudRate(rate)
            case .line(.pulseControlLines):
                tap?(.controlLinesPulsed)
                try port.pulseControlLines(wakeup: wakeup)
            case .line(.wait): break
            case .output(let output): tell(output)
            }
        }
    }

    private func reopen() throws -> SerialPort? {
        try SerialPort.reopen(path, wakeup: wakeup) { takeRequests() == nil }
    }
}

package import BeaconModel
package import ModuleDialogues
import SystemIO

/// A dialogue that runs on a serial port, on a thread of its own.
package final class ModuleLink: Sendable {
    /// Events of the dialogue: all actions except those that move bytes and keep time. The stream ends when the
    /// dialogue is over or the link is closed, with the `ProvisioningError`, `SerialPortError` or `SystemError` that
    /// ended it.
    package let events: AsyncThrowingStream<DialogueAction, any Error>
    private let inbox: LockedValue<Inbox>
    private let wakeup: WakeupPipe

    /// Requests of the owner to the thread.
    private struct Inbox: Sendable {
        var inputs: [DialogueInput] = []
        var isClosed = false
    }

    /// A function that receives all events of the line, in order.
    package typealias Tap = @Sendable (SerialEvent) -> Void

    /// Opens the port and begins.
    ///
    /// - Parameters:
    ///   - limit: see `TimedDialogue`.
    ///   - hearing: receives the module's reports, so that a flood of them does not flood the events; `nil` to include
    ///     them in the events.
    /// - Throws: `SystemError` when the process cannot create another pipe or thread. A port that cannot be opened ends
    ///   the events.
    package init(
        port path: String, dialogue: any ModuleDialogue, limit: Duration = TimedDialogue.defaultLimit,
        hearing: HearingMailbox? = nil, tap: Tap? = nil
    ) throws(SystemError) {
        let (events, continuation) = AsyncThrowingStream.makeStream(
            of: DialogueAction.self, bufferingPolicy: .bufferingNewest(1024))
        self.events = events
        let inbox = LockedValue(Inbox())
        self.inbox = inbox
        let wakeup = try WakeupPipe()
        self.wakeup = wakeup
        try DedicatedThread.start(name: "module") {
            var worker = Worker(
                path: path, dialogue: TimedDialogue(dialogue, limit: limit), tap: tap, wakeup: wakeup,
                takeInputs: {
                    inbox.withLock { inbox in
                        defer { inbox.inputs.removeAll() }
                        return inbox.isClosed ? nil : inbox.inputs
                    }
                },
                tell: { action in
                    if case .received(let reception) = action, let hearing { return hearing.add(.received(reception)) }
                    if case .listening(let listening) = action, let hearing {
                        hearing.add(.listening(listening))
                        if listening.isNoNews { return }
                    }
                    continuation.yield(action)
                })
            defer { hearing?.finish() }
            do {
                try worker.run()
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }

    deinit { close() }

    /// Passes an input to the dialogue; ignored when the dialogue is over. Safe to call from any thread.
    package func post(_ input: DialogueInput) {
        inbox.withLock { inbox in
            // If so many inputs are waiting, further ones would be outdated.
            if inbox.inputs.count < 64 { inbox.inputs.append(input) }
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
private struct Worker {
    let path: String
    var dialogue: TimedDialogue
    let tap: ModuleLink.Tap?
    let wakeup: WakeupPipe
    /// Returns the waiting inputs; `nil` when the link was closed.
    let takeInputs: () -> [DialogueInput]?
    let tell: (DialogueAction) -> Void
    /// Time at which the port is released after the link was closed.
    private var leaveBy: Duration?
    private let start = ContinuousClock.now

    init(
        path: String, dialogue: TimedDialogue, tap: ModuleLink.Tap?, wakeup: WakeupPipe,
        takeInputs: @escaping () -> [DialogueInput]?, tell: @escaping (DialogueAction) -> Void
    ) {
        self.path = path
        self.dialogue = dialogue
        self.tap = tap
        self.wakeup = wakeup
        self.takeInputs = takeInputs
        self.tell = tell
    }

    private var now: Duration { ContinuousClock.now - start }

    /// Time for the last commands to a module that listens.
    private static let timeToLeave: Duration = .seconds(1)

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
            let inputs = takeInputs()
            if inputs == nil, leaveBy == nil {
                leaveBy = now + Self.timeToLeave
                try carryOut(dialogue.handle(.leave, now: now), port)
            }
            if let leaveBy, now >= leaveBy { return }
            for input in inputs ?? [] { try carryOut(dialogue.handle(input, now: now), port) }
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

    private func carryOut(_ actions: [DialogueAction], _ port: borrowing SerialPort) throws(SerialPortError) {
        for action in actions {
            switch action {
            case .send(let bytes):
                tap?(.toModule(bytes))
                try port.write(bytes)
            case .setBaudRate(let rate):
                tap?(.baudRate(rate))
                try port.setBaudRate(rate)
            case .pulseControlLines:
                tap?(.controlLinesPulsed)
                try port.pulseControlLines(wakeup: wakeup)
            case .wait: break
            case .report, .identified, .provisioned, .lost, .received, .listening, .probe, .finished, .failed:
                tell(action)
            }
        }
    }

    private func reopen() throws -> SerialPort? {
        try SerialPort.reopen(path, wakeup: wakeup) { takeInputs() == nil }
    }
}

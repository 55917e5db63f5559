package import BeaconModel
package import ModuleDialogues
import SystemIO

/// A firmware update that runs on a serial port, on a thread of its own.
package final class FirmwareUpdateLink: Sendable {
    package enum Event: Equatable, Sendable {
        case step(FirmwareUpdateStep)
        /// The installed firmware was determined; the update waits for `confirm`.
        case found(InstalledFirmware)
        case progress(TransferProgress)
        case finished(UpdatedFirmware)
    }

    /// Events of the update. The stream ends when the update is done, or was closed before it began to burn, with the
    /// `FirmwareUpdateError`, `SerialPortError` or `SystemError` that ended it.
    package let events: AsyncThrowingStream<Event, any Error>
    private let requests: LockedValue<Requests>
    private let wakeup: WakeupPipe

    fileprivate struct Requests: Sendable {
        var isConfirmed = false
        var isClosed = false
    }

    /// Opens the port and looks for the module.
    ///
    /// - Throws: `SystemError` when the process cannot create another pipe or thread. A port that cannot be opened ends
    ///   the events.
    package convenience init(
        port path: String, image: RPSImage, number: UInt8 = 0, sender: KermitSender,
        profile: RS9116Profile = RS9116Profile()
    ) throws(SystemError) {
        try self.init(
            port: path, transfer: KermitTransfer(sender: sender, image: image.bytes),
            dialogue: FirmwareUpdateDialogue(image: image, number: number, profile: profile))
    }

    package init(
        port path: String, transfer: KermitTransfer, dialogue: FirmwareUpdateDialogue
    ) throws(SystemError) {
        let (events, continuation) = AsyncThrowingStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(1024))
        self.events = events
        let requests = LockedValue(Requests())
        self.requests = requests
        let wakeup = try WakeupPipe()
        self.wakeup = wakeup
        try DedicatedThread.start(name: "firmware") {
            var worker = Worker(
                path: path, transfer: transfer, wakeup: wakeup, requests: requests, dialogue: dialogue,
                tell: { continuation.yield($0) })
            do {
                try worker.run()
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }

    deinit { close() }

    /// Permits the update to burn the image. Safe to call from any thread.
    package func confirm() {
        requests.withLock { $0.isConfirmed = true }
        wakeup.wake()
    }

    /// Ends the update, in whatever state that leaves the module, and releases the port; the events end within about 2
    /// s. Safe to call from any thread.
    package func close() {
        requests.withLock { $0.isClosed = true }
        wakeup.wake()
    }
}

/// The work of an update's thread.
private struct Worker {
    let path: String
    let transfer: KermitTransfer
    let wakeup: WakeupPipe
    let requests: LockedValue<FirmwareUpdateLink.Requests>
    var dialogue: FirmwareUpdateDialogue
    let tell: (FirmwareUpdateLink.Event) -> Void
    /// Time at which the dialogue's wait ends.
    private var deadline: ContinuousClock.Instant?
    private let start = ContinuousClock.now
    private var isTransferDue = false
    private var isOver = false
    private var lastProgress: TransferProgress

    init(
        path: String, transfer: KermitTransfer, wakeup: WakeupPipe,
        requests: LockedValue<FirmwareUpdateLink.Requests>, dialogue: FirmwareUpdateDialogue,
        tell: @escaping (FirmwareUpdateLink.Event) -> Void
    ) {
        self.path = path
        self.transfer = transfer
        self.wakeup = wakeup
        self.requests = requests
        self.dialogue = dialogue
        self.tell = tell
        lastProgress = TransferProgress(sent: 0, total: transfer.image.count, repetitions: 0, elapsed: .zero)
    }

    private var now: Duration { ContinuousClock.now - start }

    private var isClosed: Bool { requests.withLock { $0.isClosed } }

    mutating func run() throws {
        var port = try SerialPort.open(path)
        while true {
            do {
                return try serve(port)
            } catch SerialPortError.vanished(let path) {
                if isTransferDue { throw FirmwareUpdateError.interrupted(lastProgress, portVanished: true) }
                let isClosed = { [requests] in requests.withLock { $0.isClosed } }
                guard let again = try SerialPort.reopen(path, wakeup: wakeup, isClosed: isClosed) else {
                    // The image was sent, but the result is unknown.
                    if dialogue.isBurning { throw FirmwareUpdateError.unverified }
                    if self.isClosed { return }
                    throw SerialPortError.vanished(path: path)
                }
                port = again
            }
        }
    }

    /// Serves one opening of the port until the update is over.
    private mutating func serve(_ port: borrowing SerialPort) throws {
        var isConfirmationTold = false
        try carryOut(dialogue.handle(.opened, now: now), port)
        while !isOver {
            let requests = requests.withLock { $0 }
            if requests.isClosed { return try carryOut(dialogue.handle(.leave, now: now), port) }
            if requests.isConfirmed, !isConfirmationTold {
                isConfirmationTold = true
                try carryOut(dialogue.handle(.request(.confirmed), now: now), port)
            }
            if isTransferDue { try lend(port) }
            if isOver { return }
            let wait = deadline.map { max(.zero, $0 - .now) } ?? .seconds(3600)
            if let bytes = try port.read(timeout: wait, wakeup: wakeup) {
                if !bytes.isEmpty { try carryOut(dialogue.handle(.bytes(bytes), now: now), port) }
            } else {
                wakeup.drain()
            }
            // A device that never stops sending must not prevent the deadline.
            if let due = deadline, due <= .now {
                deadline = nil
                try carryOut(dialogue.handle(.deadline, now: now), port)
            }
        }
    }

    private mutating func lend(_ port: borrowing SerialPort) throws {
        var (shown, last) = (lastProgress, lastProgress)
        defer { lastProgress = last }
        let report = try transfer.run(
            on: port, wakeup: wakeup, isClosed: { isClosed },
            began: { tell(.step(.sending(transfer.sender.program, process: $0))) },
            progress: { progress in
                last = progress
                // Limits the rate for the reader; the events hold a bounded number.
                guard progress.percent != shown.percent || progress.elapsed - shown.elapsed >= .milliseconds(200)
                else { return }
                shown = progress
                tell(.progress(progress))
            })
        last = report.progress
        isTransferDue = false
        try carryOut(dialogue.handle(.request(.transferred(report)), now: now), port)
    }

    private mutating func carryOut(
        _ steps: [LineStep<FirmwareUpdateDialogue.Output>], _ port: borrowing SerialPort
    ) throws {
        for step in steps {
            switch step {
            case .line(.send(let bytes)): try port.write(bytes)
            case .line(.setBaudRate(let rate)): try port.setBaudRate(rate)
            case .line(.pulseControlLines): try port.pulseControlLines(wakeup: wakeup)
            case .line(.wait(let duration)): deadline = .now + duration
            case .output(.report(let step)): tell(.step(step))
            case .output(.found(let installed)): tell(.found(installed))
            case .output(.transfer): isTransferDue = true
            case .output(.finished(let firmware)):
                isOver = true
                tell(.finished(firmware))
            case .output(.failed(let error)):
                isOver = true
                throw error
            }
        }
    }
}

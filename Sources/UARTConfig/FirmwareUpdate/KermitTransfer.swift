import BeaconModel
package import ModuleDialogues
package import SystemIO

/// A transfer of an image over a line that has no other user meanwhile.
package struct KermitTransfer {
    package let sender: KermitSender
    package let image: [UInt8]
    /// Time without a byte in either direction after which the sender is asked to repeat its last packet. G-Kermit
    /// needs this, because only the first of its own time-outs works.
    package var silence: Duration = .seconds(7)

    /// Maximum time of a transfer; no image takes longer at 115200 baud.
    package static let limit: Duration = .seconds(20 * 60)
    /// Maximum number of consecutive requests to the sender; after that the transfer counts as stalled.
    static let mostRequests = 6

    private static let longestTail = 4096

    /// Runs the transfer.
    ///
    /// - Parameters:
    ///   - isClosed: whether to abandon the transfer; called each time `wakeup` was woken.
    ///   - began: called with the sender's process ID.
    ///   - progress: called for each packet.
    /// - Throws: `SystemError` when the sender cannot be started, and `SerialPortError`.
    package func run(
        on port: borrowing SerialPort, wakeup: WakeupPipe, isClosed: () -> Bool, began: (Int32) -> Void,
        progress: (TransferProgress) -> Void
    ) throws -> TransferReport {
        let process = try SenderProcess(sender, image: image)
        began(process.identifier)
        var pump = Pump(total: image.count, silence: silence)
        let reason = try pump.run(port, process, wakeup, isClosed, progress)
        var report = TransferReport(
            program: sender.program, progress: pump.progress, complaint: pump.observer.complaint, tail: pump.tail)
        if let reason {
            report.outcome = reason
        } else {
            let end = process.end()
            report.outcome = .ended(status: end.status, lastWords: end.lastWords)
        }
        if !report.isComplete { report.tail += try Self.abort(pump.observer, port, wakeup) }
        return report
    }

    /// Aborts the transfer on the module's side, and returns the module's answer.
    private static func abort(
        _ observer: KermitObserver, _ port: borrowing SerialPort, _ wakeup: WakeupPipe
    ) throws(SerialPortError) -> [UInt8] {
        if observer.complaint == nil { try port.write(observer.abortion) }
        var said: [UInt8] = []
        let end = ContinuousClock.now + .seconds(1)
        while ContinuousClock.now < end, said.count < longestTail {
            guard let bytes = try port.read(timeout: end - .now, wakeup: wakeup) else {
                // The request to stop is already being handled.
                wakeup.drain()
                continue
            }
            said += bytes
        }
        return said
    }

    /// Forwards bytes in both directions and observes them.
    private struct Pump {
        let total: Int
        let silence: Duration
        var observer = KermitObserver()
        /// The last bytes received from the module.
        var tail: [UInt8] = []
        let start = ContinuousClock.now

        init(total: Int, silence: Duration) {
            self.total = total
            self.silence = silence
        }

        var progress: TransferProgress {
            TransferProgress(
                sent: min(observer.fileBytes, total), total: total, repetitions: observer.repetitions,
                elapsed: ContinuousClock.now - start)
        }

        /// Forwards bytes until the transfer ends.
        ///
        /// - Returns: `nil` when the sender has closed its line.
        mutating func run(
            _ port: borrowing SerialPort, _ process: borrowing SenderProcess, _ wakeup: WakeupPipe,
            _ isClosed: () -> Bool, _ tell: (TransferProgress) -> Void
        ) throws -> TransferReport.Outcome? {
            var lastByte = start
            var requests = 0
            while true {
                let now = ContinuousClock.now
                if now - start >= KermitTransfer.limit { return .tookTooLong }
                if now - lastByte >= silence {
                    requests += 1
                    guard requests <= KermitTransfer.mostRequests else { return .stalled }
                    if let request = observer.repeatRequest { process.write(request) }
                    lastByte = now
                }
                let left = min(KermitTransfer.limit - (now - start), silence - (now - lastByte))
                let line = process.line
                let (readiness, woken) = try port.withDescriptor { descriptor throws(SystemError) in
                    try waitUntilReady(anyOf: [line, descriptor], for: .readable, wakeup: wakeup, timeout: left)
                }
                if woken {
                    wakeup.drain()
                    if isClosed() { return .interrupted }
                }
                if !readiness[1].isEmpty, let bytes = try port.read(timeout: .zero, wakeup: wakeup), !bytes.isEmpty {
                    observer.hear(bytes)
                    tail = (tail + bytes).suffix(KermitTransfer.longestTail)
                    process.write(bytes)
                    lastByte = .now
                    requests = 0
                }
                if !readiness[0].isEmpty {
                    guard let bytes = process.read() else { return nil }
                    let before = observer.fileBytes
                    observer.send(bytes)
                    try port.write(bytes)
                    lastByte = .now
                    if observer.fileBytes != before { tell(progress) }
                }
            }
        }
    }
}

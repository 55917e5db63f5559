public import BeaconModel
import Glibc
public import SystemIO

/// Receives every advertisement around one adapter: raw HCI, passive scan, duplicate filter off.
public struct HCIScanner: Sendable {
    public let adapter: Adapter
    private let wakeup: WakeupPipe
    private let stream: AsyncThrowingStream<Event, any Error>
    private let continuation: AsyncThrowingStream<Event, any Error>.Continuation

    public enum Event: Sendable {
        /// The controller is scanning.
        case scanning(ScanMode)
        case packets(HCIPacketBatch)
        /// Nothing was heard for a second; it is this time now.
        case silence(Timestamp)
    }

    /// - Throws: `SystemError` when the process has no descriptors left.
    public init(adapter: Adapter) throws(SystemError) {
        self.adapter = adapter
        wakeup = try WakeupPipe()
        (stream, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(1024))
    }

    /// Starts scanning on a thread of its own, once.
    ///
    /// The stream ends after `stop`, when scanning is off again, or with a `ScannerError` when the radio fails.
    /// A consumer that falls behind loses whole batches, which the next batch counts.
    public func scan() throws(SystemError) -> AsyncThrowingStream<Event, any Error> {
        continuation.onTermination = { [wakeup] _ in wakeup.wake() }
        try DedicatedThread.start(name: "scan-\(adapter)") { [adapter, wakeup, continuation] in
            do throws(ScannerError) {
                try Self.receive(from: adapter, until: wakeup, into: continuation)
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        return stream
    }

    /// Asks the thread to switch scanning off and end; the end of the stream says that it did.
    public func stop() { wakeup.wake() }

    /// Ends the stream at once, whatever the controller does; its thread goes on trying to switch scanning off.
    public func abandon() { continuation.finish() }

    private static func receive(
        from adapter: Adapter, until wakeup: WakeupPipe,
        into continuation: AsyncThrowingStream<Event, any Error>.Continuation
    ) throws(ScannerError) {
        let controller = try HCIController(adapter: adapter)
        let mode = try controller.startScanning()
        continuation.yield(.scanning(mode))
        var dropped = 0
        while true {
            let (readiness, woken) = try ScannerError.wrap(adapter) { () throws(SystemError) in
                try waitUntilReady(controller.events, for: .readable, wakeup: wakeup, timeout: .seconds(1))
            }
            if woken {
                try controller.stopScanning(mode)
                return
            }
            if readiness.isEmpty {
                continuation.yield(.silence(WallClock.now()))
                continue
            }
            var batch = try controller.receive(limit: 256)
            if batch.isEmpty { continue }
            batch.droppedPackets = dropped
            if case .dropped = continuation.yield(.packets(batch)) { dropped += batch.count } else { dropped = 0 }
        }
    }
}

/// Which scan commands the controller took.
public enum ScanMode: String, Sendable {
    case legacy, extended
}

package import BeaconModel
import Glibc
package import HCI
import SystemIO

/// Receives every advertisement around one adapter, on a thread of its own, and brings the adapter back whenever it can
/// be brought back.
package struct AdapterScanner: Sendable {
    package let selector: AdapterSelector
    package let path: ScanPathKind
    private let endsWhenNotOpened: Bool
    private let wakeup: WakeupPipe
    private let requests = LockedValue(Requests())
    private let stream: AsyncThrowingStream<Event, any Error>
    private let continuation: AsyncThrowingStream<Event, any Error>.Continuation

    package enum Event: Sendable {
        /// How the adapter is, whenever that changes.
        case state(RadioState)
        case packets(HCIPacketBatch)
        /// Nothing was heard for a second.
        ///
        /// - `heardUntil`: until when the silence is known to be the air's and not the adapter's; `nil` when it isn't.
        case silence(now: Timestamp, heardUntil: Timestamp?)
    }

    package struct Requests: Sendable {
        var isStopping = false
        /// Whether the suspicion is certain.
        package var suspicion: Bool?
        var isRescan = false
    }

    /// - Parameter endsWhenNotOpened: ends with a `ScannerError` when the adapter can't be opened at first, instead of
    ///   waiting for it.
    /// - Throws: `SystemError` when the process has no descriptors left.
    package init(
        _ selector: AdapterSelector, path: ScanPathKind = .raw, endsWhenNotOpened: Bool = false
    ) throws(SystemError) {
        self.selector = selector
        self.path = path
        self.endsWhenNotOpened = endsWhenNotOpened
        wakeup = try WakeupPipe()
        (stream, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(1024))
    }

    /// Starts the thread, once.
    ///
    /// The stream ends after `stop`, when scanning is off again. A consumer that falls behind loses whole batches,
    /// which the next batch counts.
    package func scan() throws(SystemError) -> AsyncThrowingStream<Event, any Error> {
        continuation.onTermination = { [wakeup, requests] _ in
            requests.withLock { $0.isStopping = true }
            wakeup.wake()
        }
        let thread = ScanningThread(
            selector: selector, path: path, endsWhenNotOpened: endsWhenNotOpened, wakeup: wakeup, requests: requests,
            continuation: continuation)
        try DedicatedThread.start(name: "scan-\(selector)") { thread.run() }
        return stream
    }

    /// Says that something should be heard that isn't.
    ///
    /// - Parameter isCertain: the adapter goes on being called deaf when nothing helps.
    package func suspect(isCertain: Bool) {
        requests.withLock { $0.suspicion = isCertain }
        wakeup.wake()
    }

    /// Has scanning switched on anew, or an adapter that isn't open tried at once.
    package func rescan() {
        requests.withLock { $0.isRescan = true }
        wakeup.wake()
    }

    /// Asks the thread to switch scanning off and end; the end of the stream says that it did.
    package func stop() {
        requests.withLock { $0.isStopping = true }
        wakeup.wake()
    }

    /// Ends the stream at once, whatever the controller does; its thread goes on trying to switch scanning off.
    package func abandon() { continuation.finish() }
}

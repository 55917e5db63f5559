package import BeaconModel
import Glibc
package import HCI
import SystemIO

/// Receives all advertisements through one adapter on a dedicated thread, and recovers the adapter whenever possible.
package struct AdapterScanner: Sendable {
    package let selector: AdapterSelector
    package let path: ScanPathKind
    private let endsWhenNotOpened: Bool
    private let wakeup: WakeupPipe
    private let requests = LockedValue(Requests())
    private let stream: AsyncThrowingStream<Event, any Error>
    private let continuation: AsyncThrowingStream<Event, any Error>.Continuation

    package enum Event: Sendable {
        /// The state of the adapter, sent whenever it changes.
        case state(RadioState)
        case packets(HCIPacketBatch)
        /// Nothing was received for a second.
        ///
        /// - `heardUntil`: the time until which the silence is known to be radio silence rather than a fault of the
        ///   adapter; `nil` when it is not known.
        case silence(now: Timestamp, heardUntil: Timestamp?)
    }

    package struct Requests: Sendable {
        var isStopping = false
        /// Whether the pending suspicion is certain; `nil` when there is none.
        package var suspicion: Bool?
        var isRescan = false
    }

    /// - Parameter endsWhenNotOpened: whether to end with a `ScannerError` when the adapter cannot be opened at first,
    ///   instead of waiting for it.
    /// - Throws: `SystemError` when the process has run out of file descriptors.
    package init(
        _ selector: AdapterSelector, path: ScanPathKind = .raw, endsWhenNotOpened: Bool = false
    ) throws(SystemError) {
        self.selector = selector
        self.path = path
        self.endsWhenNotOpened = endsWhenNotOpened
        wakeup = try WakeupPipe()
        (stream, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(1024))
    }

    /// Starts the scanning thread. Must be called only once.
    ///
    /// The stream ends after `stop`, once scanning has been switched off. A consumer that falls behind loses whole
    /// batches; the next batch contains the number of lost packets.
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

    /// Reports that expected packets are not received.
    ///
    /// - Parameter isCertain: whether the adapter stays marked as deaf when no recovery step helps.
    package func suspect(isCertain: Bool) {
        requests.withLock { $0.suspicion = isCertain }
        wakeup.wake()
    }

    /// Restarts scanning, or opens a closed adapter at once.
    package func rescan() {
        requests.withLock { $0.isRescan = true }
        wakeup.wake()
    }

    /// Asks the thread to switch scanning off and end. The stream ends when the thread has done so.
    package func stop() {
        requests.withLock { $0.isStopping = true }
        wakeup.wake()
    }

    /// Ends the stream at once, even when the controller does not respond. The thread continues trying to switch
    /// scanning off.
    package func abandon() { continuation.finish() }
}

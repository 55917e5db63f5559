import BeaconModel
import HCI

/// Observer of the events of one adapter on the monitor channel.
struct AdapterObserver: ~Copyable {
    private let adapter: Adapter
    private let socket: HCISocket

    package struct Scan {
        var on: Bool
        var filtersDuplicates: Bool
        /// Whether the controller was reset before. A reset clears its event masks, which select the events it sends.
        var wasReset = false
    }

    /// - Parameter hearsAdvertising: whether advertising events are received too.
    init(_ adapter: Adapter, hearsAdvertising: Bool) throws(ScannerError) {
        let socket = try HCISocket(.monitor, adapter)
        try socket.filterMonitor(hearsAdvertising: hearsAdvertising)
        if hearsAdvertising { socket.prepareForFlood() }
        self.adapter = adapter
        self.socket = socket
    }

    var descriptor: CInt { socket.descriptor }

    var drops: UInt32 { socket.drops }

    /// Reads the waiting messages. Passes adapter events to `notice`, and HCI events, as H4 packets, to `event`.
    ///
    /// - Returns: the last change to scanning by any program; `nil` when there was none.
    func notices(
        limit: Int = 1000, event: (UnsafeRawBufferPointer.SubSequence, Timestamp) -> Void = { _, _ in },
        _ notice: (RadioSupervisor.Input) -> Void
    ) throws(ScannerError) -> Scan? {
        var buffer: [2048 of UInt8] = .init(repeating: 0)
        var scan: Scan?
        for _ in 0..<limit {
            var received: (length: Int, time: Timestamp)?
            var failure: ScannerError?
            withUnsafeMutableBytes(of: &buffer) { room in
                do throws(ScannerError) { received = try socket.receive(into: room) } catch { failure = error }
            }
            if let failure { throw failure }
            guard let received else { break }
            guard let (about, message) = MonitorMessage.parse(buffer.span.extracting(0..<received.length)) else {
                continue
            }
            if about != adapter {
                if message == .appeared { notice(.appeared) }
                continue
            }
            switch message {
            case .appeared, .switchedOn: notice(.appeared)
            case .vanished: notice(.vanished)
            case .switchedOff: notice(.switchedOff)
            case .hardwareError(let code): notice(.hardwareError(code: code))
            case .scanEnable(let on, let filters):
                scan = Scan(on: on, filtersDuplicates: filters, wasReset: scan?.wasReset ?? false)
            case .reset: scan = Scan(on: false, filtersDuplicates: false, wasReset: true)
            case .event:
                // The H4 packet type replaces the last byte of the header.
                buffer[MonitorMessage.headerLength - 1] = 0x04
                withUnsafeBytes(of: &buffer) {
                    event($0[(MonitorMessage.headerLength - 1)..<received.length], received.time)
                }
            case .other: break
            }
        }
        return scan
    }
}

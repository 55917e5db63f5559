import BeaconModel
import CBluetooth
import Glibc
import HCI
import SystemIO

/// A socket on one of the kernel's HCI channels.
struct HCISocket: ~Copyable {
    let adapter: Adapter
    let descriptor: CInt

    package enum Channel {
        /// Packets of one adapter, shared with the kernel.
        case raw
        /// Exclusive access to one adapter.
        case user
        /// Read-only events of all adapters.
        case monitor
    }

    /// Size of the receive buffer for packets that arrive while this process is busy. The kernel doubles the size and
    /// counts 768 bytes per report, so the buffer holds about four seconds of 10,000 reports per second.
    private static let receiveBuffer: CInt = 16 * 1024 * 1024
    /// Time limit for a command. The kernel gives up on an unresponsive controller after 2 s.
    private static let commandTimeout: Duration = .milliseconds(2200)

    init(_ channel: Channel, _ adapter: Adapter) throws(ScannerError) {
        self.adapter = adapter
        descriptor =
            switch channel {
            case .raw: cbluetooth_open(adapter.index, UInt16(HCI_CHANNEL_RAW))
            case .user: cbluetooth_open(adapter.index, UInt16(HCI_CHANNEL_USER))
            case .monitor: cbluetooth_open(UInt16(HCI_DEV_NONE), UInt16(HCI_CHANNEL_MONITOR))
            }
        guard descriptor >= 0 else { throw ScannerError(adapter, "open", errorNumber: errno) }
    }

    deinit { close(descriptor) }

    /// Sets the filter of a raw channel: only events with these codes are received.
    func hear(events codes: [UInt8]) throws(ScannerError) {
        var filter = hci_filter()
        hci_filter_clear(&filter)
        hci_filter_set_ptype(CInt(HCI_EVENT_PKT), &filter)
        for code in codes { hci_filter_set_event(CInt(code), &filter) }
        guard setsockopt(descriptor, SOL_HCI, HCI_FILTER, &filter, socklen_t(MemoryLayout<hci_filter>.size)) == 0 else {
            throw ScannerError(adapter, "set the event filter", errorNumber: errno)
        }
    }

    /// Sets the filter of a monitor channel: adapter events are received, and advertising events if requested.
    func filterMonitor(hearsAdvertising: Bool) throws(ScannerError) {
        guard cbluetooth_filter_monitor(descriptor, hearsAdvertising ? 1 : 0) == 0 else {
            throw ScannerError(adapter, "filter the monitor channel", errorNumber: errno)
        }
    }

    /// Enlarges the receive buffer and enables reception timestamps for each packet.
    func prepareForFlood() {
        var size = Self.receiveBuffer
        let length = socklen_t(MemoryLayout<CInt>.size)
        if setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, length) != 0 {
            _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, length)
        }
        var on: CInt = 1
        // The raw channel has an option of its own for timestamps.
        if setsockopt(descriptor, SOL_HCI, HCI_TIME_STAMP, &on, length) != 0 {
            _ = setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMP, &on, length)
        }
    }

    /// Whether another program has exclusive access to the adapter of a raw socket. Commands must not be sent to it
    /// then.
    var isExclusive: Bool { cbluetooth_is_exclusive(descriptor) != 0 }

    /// Number of packets that the kernel has dropped for lack of buffer space since the socket was opened.
    var drops: UInt32 {
        var information: [16 of UInt32] = .init(repeating: 0)
        var length = socklen_t(MemoryLayout<[16 of UInt32]>.size)
        let status = withUnsafeMutableBytes(of: &information) {
            getsockopt(descriptor, SOL_SOCKET, CBLUETOOTH_SO_MEMINFO, $0.baseAddress, &length)
        }
        // SK_MEMINFO_DROPS of linux/sock_diag.h.
        return status == 0 ? information[8] : 0
    }

    /// Receives one packet into `buffer`.
    ///
    /// - Returns: the length and time of the packet; `nil` when none is available.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(ScannerError) -> (length: Int, time: Timestamp)? {
        while true {
            var receivedAt: Int64 = -1
            let length = cbluetooth_receive(descriptor, buffer.baseAddress, buffer.count, &receivedAt)
            if length > 0 {
                return (length, receivedAt >= 0 ? Timestamp(microseconds: receivedAt) : WallClock.now())
            }
            if length == 0 { throw .removed(adapter) }
            if errno == EAGAIN { return nil }
            if errno != EINTR { throw ScannerError(adapter, "receive", errorNumber: errno) }
        }
    }

    /// Receives packets until none is available or `batch` has `limit` of them.
    func receive(into batch: inout HCIPacketBatch, limit: Int) throws(ScannerError) {
        var buffer: [1024 of UInt8] = .init(repeating: 0)
        while batch.count < limit {
            var packet: (length: Int, time: Timestamp)?
            var failure: ScannerError?
            withUnsafeMutableBytes(of: &buffer) { room in
                do throws(ScannerError) { packet = try receive(into: room) } catch { failure = error }
            }
            if let failure { throw failure }
            guard let packet else { return }
            withUnsafeBytes(of: &buffer) { batch.append($0.prefix(packet.length), time: packet.time, adapter: adapter) }
        }
    }

    /// Sends a command and returns its return parameters. The first one is the status.
    ///
    /// Other events are passed to `other`.
    func exchange(_ command: HCICommand, other: (ArraySlice<UInt8>) -> Void = { _ in }) throws(ScannerError) -> [UInt8]
    {
        var buffer = [UInt8](repeating: 0, count: 1024)
        // Discard the queue: it contains answers to other programs' commands.
        while true {
            let length = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard length > 0 else { break }
            other(buffer[0..<length])
        }
        try send(command)
        let deadline = ContinuousClock.now + Self.commandTimeout
        while true {
            let (readiness, _) = try ScannerError.wrap(adapter) { () throws(SystemError) in
                try waitUntilReady(
                    descriptor, for: .readable, wakeup: nil, timeout: deadline - ContinuousClock.now)
            }
            if readiness.isEmpty { throw .notAnswering(adapter, command: command.name) }
            let length = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if length < 0 {
                if errno == EINTR || errno == EAGAIN {
                    // A flood of other events must not delay the deadline.
                    if ContinuousClock.now > deadline { throw .notAnswering(adapter, command: command.name) }
                    continue
                }
                throw ScannerError(adapter, command.name, errorNumber: errno)
            }
            if length == 0 { throw .removed(adapter) }
            if let answer = command.answer(in: buffer[0..<length]) { return answer }
            other(buffer[0..<length])
            if ContinuousClock.now > deadline { throw .notAnswering(adapter, command: command.name) }
        }
    }

    private func send(_ command: HCICommand) throws(ScannerError) {
        let packet =
            [
                UInt8(HCI_COMMAND_PKT), UInt8(command.opCode & 0xFF), UInt8(command.opCode >> 8),
                UInt8(command.parameters.count),
            ] + command.parameters
        while write(descriptor, packet, packet.count) < 0 {
            guard errno == EINTR else { throw ScannerError(adapter, command.name, errorNumber: errno) }
        }
    }
}

import BeaconModel
import CBluetooth
import Glibc
import HCI
import SystemIO

/// A raw socket to a controller that receives the packets needed for a connection. It also receives advertising
/// reports, because the kernel's filter cannot separate them from other Low Energy events.
struct ControllerSocket: ~Copyable {
    private static let receiveBuffer: CInt = 1024 * 1024

    private let adapter: Adapter
    private let descriptor: CInt

    init(adapter: Adapter) throws(ExchangeError) {
        self.adapter = adapter
        let descriptor = hci_open_dev(CInt(adapter.index))
        guard descriptor >= 0 else { throw ExchangeError("open", errno, adapter) }
        var filter = hci_filter()
        hci_filter_clear(&filter)
        hci_filter_set_ptype(CInt(HCI_EVENT_PKT), &filter)
        hci_filter_set_ptype(CInt(HCI_ACLDATA_PKT), &filter)
        for code in [EVT_DISCONN_COMPLETE, EVT_CMD_COMPLETE, EVT_CMD_STATUS, EVT_LE_META_EVENT] {
            hci_filter_set_event(CInt(code), &filter)
        }
        guard setsockopt(descriptor, SOL_HCI, HCI_FILTER, &filter, socklen_t(MemoryLayout<hci_filter>.size)) == 0 else {
            let error = ExchangeError("set the filter of", errno, adapter)
            close(descriptor)
            throw error
        }
        var size = Self.receiveBuffer
        let length = socklen_t(MemoryLayout<CInt>.size)
        if setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, length) != 0 {
            _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, length)
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    func send(_ packet: [UInt8]) throws(ExchangeError) {
        while write(descriptor, packet, packet.count) < 0 {
            guard errno == EINTR else { throw ExchangeError("send to", errno, adapter) }
        }
    }

    /// Waits for a packet, a wakeup or the timeout.
    ///
    /// - Returns: whether a packet may be available, and whether `wakeup` was woken.
    func wait(
        wakeup: WakeupPipe?, timeout: Duration?
    ) throws(ExchangeError) -> (isReady: Bool, woken: Bool) {
        do throws(SystemError) {
            let (readiness, woken) = try waitUntilReady(descriptor, for: .readable, wakeup: wakeup, timeout: timeout)
            return (!readiness.isEmpty, woken)
        } catch {
            throw .system(error)
        }
    }

    /// Returns the next packet, or `nil` when none is available.
    func receive() throws(ExchangeError) -> [UInt8]? {
        var buffer: [1100 of UInt8] = .init(repeating: 0)
        let count = withUnsafeMutableBytes(of: &buffer) {
            recv(descriptor, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT))
        }
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        guard count > 0 else { throw ExchangeError("receive from", count < 0 ? errno : EPIPE, adapter) }
        return withUnsafeBytes(of: &buffer) { Array($0.prefix(count)) }
    }
}

extension ExchangeError {
    fileprivate init(_ operation: String, _ number: Int32, _ adapter: Adapter) {
        self =
            switch number {
            case ENODEV, EPIPE, ENETDOWN: .noAdapter(adapter)
            case EPERM, EACCES: .notPermitted(adapter)
            default: .system(SystemError("\(operation) \(adapter)", errorNumber: number))
            }
    }
}
